const line = (counts) =>
  Object.entries(counts)
    .map(([name, count]) => `${name} ${count}`)
    .join(', ')

const of = ({ asked, applied, good }, word) => `${asked} asked for, ${applied} applied, ${good} ${word}`

/** A report for people. */
export function printReport(report) {
  const { replay, draws, tokens, cost, measured } = report
  console.log(
    `protocol ${report.protocol}, ${report.players.length} endpoints, ${report.rounds} rounds in ${report.seconds} s`,
  )
  console.log(`verdicts: ${line(report.verdicts)}`)
  console.log(`patches: ${of(report.patches, 'playable')}`)
  console.log(`sets of tests: ${of(report.testSets, 'with an admitted test')}`)
  console.log(`not asked: ${report.notAsked} rounds; forfeits: ${line(report.forfeits)}`)
  console.log(
    `calls: ${report.calls}, asked again ${report.askedAgain}, faults ${report.faults}, with log probabilities ${report.withLogProbs}`,
  )
  if (report.requests) console.log(`requests: ${line(report.requests)}`)
  console.log(
    `tokens as told: ${tokens.prompt} in, ${tokens.completion} out; characters answered ${report.characters}`,
  )
  if (cost) console.log(`cost: ${cost.estimated ? '~' : ''}${cost.amount.toFixed(4)} ${cost.currency}`)
  for (const row of draws)
    console.log(
      `draws of ${row.competitor}: ${row.tasks} tasks, Best@1 ${row.bestAt[0]}, Best@${row.k} ${row.bestAt.at(-1)}, chosen ${row.chosen}, random ${row.random}, captured ${row.captured}, scored ${row.scored} of ${row.patches}`,
    )
  if (measured) {
    const scores = measured.verifier.tasks.flatMap(({ patches }) => patches.map(({ how }) => how ?? 'none'))
    console.log(
      `verifier: AUC ${measured.verifier.auc}, ${scores.length} patches, by ${[...new Set(scores)].join(', ')}`,
    )
    for (const { task, clarity, how } of measured.clarity.tasks)
      console.log(`clarity: ${clarity} ${task} (${how})`)
  }
  console.log(
    `played again offline: ${replay.again} of ${replay.rounds} rounds, ${replay.differences.length} differ; spending ${replay.sameSpending ? 'the same' : 'differs'}`,
  )
  for (const difference of replay.differences.slice(0, 10)) console.log(`  ${difference}`)
}
