/** One round as the ratings see it. */
export interface RatedRound {
  readonly task: string
  readonly submitter: string
  readonly reviewer: string
  /** 1 the patch survives, 0 it is killed. */
  readonly y: 0 | 1
  /** 1 unless given; positive. */
  readonly weight?: number
}

const byText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

/**
 * Rounds of the same task, submitter and reviewer added up, in one order that does not depend on the input's: names by
 * code units, cells by task, submitter, reviewer. Every fit starts here, so that the order of the input never changes
 * a bit of a rating.
 */
export interface RoundTable {
  readonly competitors: readonly string[]
  readonly tasks: readonly string[]
  /** Per cell: indices into the lists, the weight of all rounds and of those that survived. */
  readonly task: Int32Array
  readonly submitter: Int32Array
  readonly reviewer: Int32Array
  readonly weight: Float64Array
  readonly survived: Float64Array
}

const indexOf = (names: readonly string[]): ReadonlyMap<string, number> =>
  new Map(names.map((name, index) => [name, index]))

/** Fractions add up differently in another order: then the smallest come first. */
function inSafeOrder(rounds: readonly RatedRound[]): readonly RatedRound[] {
  const whole = rounds.every((round) => round.weight === undefined || Number.isInteger(round.weight))
  return whole ? rounds : [...rounds].sort((a, b) => (a.weight ?? 1) - (b.weight ?? 1))
}

export function tabulate(rounds: readonly RatedRound[]): RoundTable {
  const names = new Set<string>()
  const taskNames = new Set<string>()
  for (const round of rounds) {
    names.add(round.submitter).add(round.reviewer)
    taskNames.add(round.task)
  }
  const competitors = [...names].sort(byText)
  const tasks = [...taskNames].sort(byText)
  const n = competitors.length
  const competitorAt = indexOf(competitors)
  const taskAt = indexOf(tasks)

  const totals = new Map<number, { weight: number; survived: number }>()
  for (const round of inSafeOrder(rounds)) {
    const t = taskAt.get(round.task) ?? 0
    const i = competitorAt.get(round.submitter) ?? 0
    const j = competitorAt.get(round.reviewer) ?? 0
    const cell = (t * n + i) * n + j
    const weight = round.weight ?? 1
    const total = totals.get(cell)
    if (total) {
      total.weight += weight
      total.survived += weight * round.y
    } else totals.set(cell, { weight, survived: weight * round.y })
  }
  const cells = Float64Array.from(totals.keys()).sort()
  const table = {
    competitors,
    tasks,
    task: new Int32Array(cells.length),
    submitter: new Int32Array(cells.length),
    reviewer: new Int32Array(cells.length),
    weight: new Float64Array(cells.length),
    survived: new Float64Array(cells.length),
  }
  cells.forEach((cell, at) => {
    const total = totals.get(cell)
    table.task[at] = Math.floor(cell / (n * n))
    table.submitter[at] = Math.floor(cell / n) % n
    table.reviewer[at] = cell % n
    table.weight[at] = total?.weight ?? 0
    table.survived[at] = total?.survived ?? 0
  })
  return table
}
