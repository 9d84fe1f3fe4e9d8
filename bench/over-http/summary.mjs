// What a season came to, and whether two playings of it are the same.

const countBy = (values) => {
  const counts = {}
  for (const value of values) counts[value] = (counts[value] ?? 0) + 1
  return counts
}

const isControl = ({ calls, promptVersion }) => promptVersion === 'control' && calls.length === 0

/** Rounds by verdict, and of what the models brought the shares that were playable and that had an admitted test. */
export function summarise(views) {
  const generations = new Map(
    views.flatMap(({ patch, tests }) => [patch, tests]).flatMap((one) => (one ? [[one.id, one]] : [])),
  )
  const ofKind = (kind) => [...generations.values()].filter((one) => one.kind === kind && !isControl(one))
  const idsWhere = (pick) => new Set(views.flatMap(({ round }) => pick(round) ?? []))
  const playable = idsWhere((round) => (round.verdict.playable === 'yes' ? [round.patch] : []))
  const admitted = idsWhere((round) => (round.verdict.admitted.length > 0 ? [round.tests] : []))
  const share = (kind, good) => {
    const all = ofKind(kind)
    return {
      asked: all.length,
      applied: all.filter(({ outcome }) => outcome.kind === 'applied').length,
      good: all.filter(({ id }) => good.has(id)).length,
    }
  }
  const calls = [...generations.values()].flatMap((one) => one.calls)
  return {
    rounds: views.length,
    verdicts: countBy(views.map(({ round }) => round.verdict.kind)),
    patches: share('patch', playable),
    testSets: share('tests', admitted),
    forfeits: countBy(
      [...generations.values()].flatMap(({ kind, outcome }) =>
        outcome.kind === 'forfeit' ? [`${kind}: ${outcome.reason}`] : [],
      ),
    ),
    notAsked: views.filter(({ tests }) => tests === null).length,
    characters: calls.reduce((sum, { text }) => sum + text.length, 0),
    calls: calls.length,
    askedAgain: calls.filter(({ attempt }) => attempt > 1).length,
    faults: calls.filter(({ error }) => error !== null).length,
    withLogProbs: calls.filter(({ tokenLogProbs }) => tokenLogProbs !== null).length,
  }
}

/** What must be the same when a season is played again from its recording. */
const essence = ({ round, patch, tests }) => {
  const of = (generation) =>
    generation && {
      id: generation.id,
      outcome: generation.outcome,
      context: generation.context,
      prompt: generation.prompt,
    }
  const { settledAt: _settled, ...rest } = round
  return { round: rest, patch: of(patch), tests: of(tests) }
}

/** Rounds of which something differs, with the first field that does. */
export function compare(first, second) {
  const later = new Map(second.map((view) => [view.round.id, essence(view)]))
  const differences = first.flatMap((view) => {
    const one = essence(view)
    const two = later.get(view.round.id)
    if (!two) return [`${view.round.id}: not played again`]
    const field = ['round', 'patch', 'tests'].find(
      (name) => JSON.stringify(one[name]) !== JSON.stringify(two[name]),
    )
    return field ? [`${view.round.id}: another ${field}`] : []
  })
  return { rounds: first.length, again: second.length, differences }
}
