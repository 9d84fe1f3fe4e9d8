// Sums up rounds as `arena show ROUND --json` prints them: SETTING.ROUND.json … One line a round, then shares and tokens.
import { readFileSync } from 'node:fs'
import { basename } from 'node:path'

const rounds = process.argv.slice(2).map((file) => ({
  setting: basename(file).split('.')[0],
  ...JSON.parse(readFileSync(file, 'utf8')),
}))
const sum = (numbers) => numbers.reduce((total, number) => total + number, 0)
const endOf = ({ outcome }) =>
  outcome.kind === 'applied' ? 'applied' : `${outcome.reason}: ${outcome.detail}`

for (const { setting, round, patch, tests } of rounds) {
  const { kind, submitterReason, reviewerReason } = round.verdict
  const why = [submitterReason, reviewerReason].filter(Boolean).join(', ')
  console.log(
    `${setting} ${round.taskId} ${round.submitter} against ${round.reviewer}: ${kind}${why ? ` (${why})` : ''}`,
  )
  console.log(`  patch: ${endOf(patch).slice(0, 160)}`)
  console.log(`  tests: ${endOf(tests).slice(0, 160)}`)
}
const generations = new Map(rounds.flatMap(({ patch, tests }) => [patch, tests].map((one) => [one.id, one])))
const calls = [...generations.values()].flatMap((one) => one.calls)
const ofKind = (kind) => [...generations.values()].filter((one) => one.kind === kind)
const applied = (kind) => ofKind(kind).filter(({ outcome }) => outcome.kind === 'applied').length
const playable = new Set(
  rounds.flatMap(({ round }) => (round.verdict.playable === 'yes' ? [round.patch] : [])),
)
const admitted = new Set(
  rounds.flatMap(({ round }) => (round.verdict.admitted.length > 0 ? [round.tests] : [])),
)
const kinds = rounds.map(({ round }) => round.verdict.kind)
const tally = [...new Set(kinds)].map((kind) => `${kind} ${kinds.filter((one) => one === kind).length}`)
console.log('')
console.log(`rounds ${rounds.length}: ${tally.join(', ')}`)
console.log(`patches: ${ofKind('patch').length}, applied ${applied('patch')}, playable ${playable.size}`)
console.log(
  `test sets: ${ofKind('tests').length}, applied ${applied('tests')}, with an admitted test ${admitted.size}`,
)
const known = calls.filter((call) => call.promptTokens !== null)
const tokens =
  known.length === 0
    ? 'the server tells no tokens'
    : `prompt tokens ${sum(known.map((call) => call.promptTokens))}, answer tokens ${sum(known.map((call) => call.completionTokens))}`
const characters = sum(calls.map((call) => call.text.length))
const faults = calls.filter((call) => call.error !== null).length
console.log(`calls ${calls.length}: ${tokens}; ${characters} characters answered; faults ${faults}`)
