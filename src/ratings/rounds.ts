/** One round as the ratings see it. */
export interface RatedRound {
  readonly task: string
  readonly submitter: string
  readonly reviewer: string
  /** 1 the patch survives, 0 it is killed. */
  readonly y: 0 | 1
  /** 1 unless given; positive. */
  readonly weight?: number
  /** Tells repeated battles of one task and pair apart. */
  readonly battle?: string
}

/** Rounds as columns, one entry a round: what large seasons are fitted from. */
export interface RoundColumns {
  readonly competitors: readonly string[]
  readonly tasks: readonly string[]
  /** Indices into the lists. */
  readonly task: Int32Array
  readonly submitter: Int32Array
  readonly reviewer: Int32Array
  readonly survived: Uint8Array
  /** 1 each unless given; positive. */
  readonly weight?: Float64Array
  /** Rounds of one battle share a number from 0; without it those of one task and pair belong together. */
  readonly battle?: Int32Array
}

/**
 * Rounds of the same task, submitter and reviewer added up, in one order that does not depend on the input's: names by
 * code units, cells by task, submitter, reviewer. Every fit starts here, so that the order of the input never changes
 * a bit of a rating.
 */
export interface RoundTable {
  readonly competitors: readonly string[]
  readonly tasks: readonly string[]
  /** The cells of task t are those from taskStart[t] up to taskStart[t + 1]. */
  readonly taskStart: Int32Array
  /** Per cell: indices into the competitors, the weight of all rounds and of those that survived. */
  readonly submitter: Uint16Array
  readonly reviewer: Uint16Array
  readonly weight: Float64Array
  readonly survived: Float64Array
}

/** Sums by ordered pair are kept in whole squares: 128 MiB each at this number. */
const MOST_COMPETITORS = 4096

const byText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

/** Each name once, by code units, and where each of them stands. */
export function sortedNames(names: Iterable<string>): {
  readonly names: readonly string[]
  readonly at: ReadonlyMap<string, number>
} {
  const sorted = [...new Set(names)].sort(byText)
  return { names: sorted, at: new Map(sorted.map((name, index) => [name, index])) }
}

/** Rounds of one battle: of the same task and pair, and of the same `battle` where it is given. */
function battleKey({ task, submitter, reviewer, battle }: RatedRound): string {
  const [a, b] = submitter < reviewer ? [submitter, reviewer] : [reviewer, submitter]
  return `${task}\0${a}\0${b}\0${battle ?? ''}`
}

export function toColumns(rounds: readonly RatedRound[]): RoundColumns {
  const people = new Set<string>()
  const taskNames = new Set<string>()
  const battles = new Map<string, number>()
  for (const round of rounds) {
    people.add(round.submitter).add(round.reviewer)
    taskNames.add(round.task)
    const battle = battleKey(round)
    if (!battles.has(battle)) battles.set(battle, battles.size)
  }
  const competitors = sortedNames(people)
  const tasks = sortedNames(taskNames)
  const indexed = (nameOf: (round: RatedRound) => string, at: ReadonlyMap<string, number>) =>
    Int32Array.from(rounds, (round) => at.get(nameOf(round)) ?? 0)
  const columns: RoundColumns = {
    competitors: competitors.names,
    tasks: tasks.names,
    task: indexed(({ task }) => task, tasks.at),
    submitter: indexed(({ submitter }) => submitter, competitors.at),
    reviewer: indexed(({ reviewer }) => reviewer, competitors.at),
    survived: Uint8Array.from(rounds, ({ y }) => y),
  }
  return {
    ...columns,
    ...(rounds.some(({ weight }) => weight !== undefined)
      ? { weight: Float64Array.from(rounds, ({ weight }) => weight ?? 1) }
      : {}),
    battle: Int32Array.from(rounds, (round) => battles.get(battleKey(round)) ?? 0),
  }
}

/** Where the names of columns stand once they are in code-unit order; names that nothing holds are left out. */
export interface NameOrder {
  readonly competitors: readonly string[]
  readonly tasks: readonly string[]
  /** From an index of the columns to the index in order. */
  readonly competitorTo: Int32Array
  readonly taskTo: Int32Array
}

const markUsed = (used: Uint8Array, places: Int32Array): void => {
  for (let k = 0; k < places.length; k++) used[places[k] ?? 0] = 1
}

/** `first` and `second`: the columns that name competitors. */
export function orderNames(
  { competitors, tasks }: Pick<RoundColumns, 'competitors' | 'tasks'>,
  task: Int32Array,
  first: Int32Array,
  second: Int32Array,
): NameOrder {
  const usedTasks = new Uint8Array(tasks.length)
  const usedCompetitors = new Uint8Array(competitors.length)
  markUsed(usedTasks, task)
  markUsed(usedCompetitors, first)
  markUsed(usedCompetitors, second)
  const people = sortedNames(competitors.filter((_, i) => usedCompetitors[i] === 1))
  const played = sortedNames(tasks.filter((_, t) => usedTasks[t] === 1))
  return {
    competitors: people.names,
    tasks: played.names,
    competitorTo: Int32Array.from(competitors, (name) => people.at.get(name) ?? 0),
    taskTo: Int32Array.from(tasks, (name) => played.at.get(name) ?? 0),
  }
}

/** A round as one number: 2 (submitter · n + reviewer) + survived. Sorted by task, stably. */
interface PackedRounds {
  readonly start: Int32Array
  readonly packed: Uint32Array
  readonly weight: Float64Array | null
}

/** A stable counting sort. Fractions add up differently in another order, so the smallest come first. */
function packByTask(columns: RoundColumns, order: NameOrder): PackedRounds {
  const { task, submitter, reviewer, survived, weight } = columns
  const { competitorTo, taskTo, tasks } = order
  const n = order.competitors.length
  const start = new Int32Array(tasks.length + 1)
  for (let k = 0; k < task.length; k++) {
    const after = (taskTo[task[k] ?? 0] ?? 0) + 1
    start[after] = (start[after] ?? 0) + 1
  }
  for (let t = 0; t < tasks.length; t++) start[t + 1] = (start[t + 1] ?? 0) + (start[t] ?? 0)
  const next = start.slice()
  const packed = new Uint32Array(task.length)
  const weights = weight ? new Float64Array(task.length) : null
  const place = (k: number): void => {
    const t = taskTo[task[k] ?? 0] ?? 0
    const at = next[t] ?? 0
    next[t] = at + 1
    const cell = (competitorTo[submitter[k] ?? 0] ?? 0) * n + (competitorTo[reviewer[k] ?? 0] ?? 0)
    packed[at] = 2 * cell + (survived[k] ?? 0)
    if (weights) weights[at] = weight?.[k] ?? 0
  }
  if (weight && !weight.every(Number.isInteger))
    for (const k of Int32Array.from(weight.keys()).sort((a, b) => (weight[a] ?? 0) - (weight[b] ?? 0)))
      place(k)
  else for (let k = 0; k < task.length; k++) place(k)
  return { start, packed, weight: weights }
}

/** Adds rounds up into cells. Throws RangeError above 4,096 competitors. */
export function addUp(columns: RoundColumns, order: NameOrder): RoundTable {
  const { competitors, tasks } = order
  const n = competitors.length
  if (n > MOST_COMPETITORS)
    throw new RangeError(`${n} competitors: at most ${MOST_COMPETITORS} can be fitted`)
  const { start, packed, weight } = packByTask(columns, order)
  const most = Math.min(packed.length, tasks.length * n * n)
  const cells = {
    submitter: new Uint16Array(most),
    reviewer: new Uint16Array(most),
    weight: new Float64Array(most),
    survived: new Float64Array(most),
  }
  const taskStart = new Int32Array(tasks.length + 1)
  const total = new Float64Array(n * n)
  const alive = new Float64Array(n * n)
  const touched = new Int32Array(n * n)
  let size = 0
  for (let t = 0; t < tasks.length; t++) {
    let count = 0
    const end = start[t + 1] ?? 0
    for (let at = start[t] ?? 0; at < end; at++) {
      const round = packed[at] ?? 0
      const cell = round >>> 1
      const w = weight === null ? 1 : (weight[at] ?? 0)
      const before = total[cell] ?? 0
      if (before === 0) touched[count++] = cell
      total[cell] = before + w
      if ((round & 1) === 1) alive[cell] = (alive[cell] ?? 0) + w
    }
    // Nearly full: walking all cells is cheaper than sorting those that were touched.
    const isFull = count * 16 > n * n
    const own = isFull ? null : touched.subarray(0, count).sort()
    const length = isFull ? n * n : count
    for (let at = 0; at < length; at++) {
      const cell = own === null ? at : (own[at] ?? 0)
      const w = total[cell] ?? 0
      if (w === 0) continue
      const i = Math.floor(cell / n)
      cells.submitter[size] = i
      cells.reviewer[size] = cell - i * n
      cells.weight[size] = w
      cells.survived[size] = alive[cell] ?? 0
      total[cell] = 0
      alive[cell] = 0
      size++
    }
    taskStart[t + 1] = size
  }
  return {
    competitors,
    tasks,
    taskStart,
    submitter: cells.submitter.subarray(0, size),
    reviewer: cells.reviewer.subarray(0, size),
    weight: cells.weight.subarray(0, size),
    survived: cells.survived.subarray(0, size),
  }
}

/** The table of columns whose names may stand in any order; names without a round are left out. */
export const tabulateColumns = (columns: RoundColumns): RoundTable =>
  addUp(columns, orderNames(columns, columns.task, columns.submitter, columns.reviewer))

export const tabulate = (rounds: readonly RatedRound[]): RoundTable => tabulateColumns(toColumns(rounds))
