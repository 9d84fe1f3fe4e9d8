import type { RatedBattle } from './battles.ts'
import { addUp, orderNames, type RoundColumns } from './rounds.ts'

/** Decisive battles added up by task, winner and loser, so that tasks can be weighted without counting again. */
export interface BattleTable {
  /** Of all battles, decisive or not, by code units; so are tasks. */
  readonly competitors: readonly string[]
  readonly tasks: readonly string[]
  readonly battles: number
  readonly decisive: number
  /** The cells of task t are those from taskStart[t] up to taskStart[t + 1]. */
  readonly taskStart: Int32Array
  readonly winner: Uint16Array
  readonly loser: Uint16Array
  readonly count: Float64Array
}

/** Whole battles, the winner first where there is one. */
interface WholeBattles {
  readonly task: Int32Array
  readonly first: Int32Array
  readonly second: Int32Array
  readonly isDecisive: Uint8Array
}

function addUpBattles(
  { competitors, tasks }: Pick<RoundColumns, 'competitors' | 'tasks'>,
  { task, first, second, isDecisive }: WholeBattles,
): BattleTable {
  const order = orderNames({ competitors, tasks }, task, first, second)
  const decisive = { task: task.slice(), submitter: first.slice(), reviewer: second.slice() }
  let size = 0
  for (let k = 0; k < task.length; k++) {
    if (isDecisive[k] === 0) continue
    decisive.task[size] = task[k] ?? 0
    decisive.submitter[size] = first[k] ?? 0
    decisive.reviewer[size] = second[k] ?? 0
    size++
  }
  const table = addUp(
    {
      competitors,
      tasks,
      task: decisive.task.subarray(0, size),
      submitter: decisive.submitter.subarray(0, size),
      reviewer: decisive.reviewer.subarray(0, size),
      survived: new Uint8Array(size),
    },
    order,
  )
  return {
    competitors: table.competitors,
    tasks: table.tasks,
    battles: task.length,
    decisive: size,
    taskStart: table.taskStart,
    winner: table.submitter,
    loser: table.reviewer,
    count: table.weight,
  }
}

/** The order of `battles` changes nothing. */
export function tabulateBattles(battles: readonly RatedBattle[]): BattleTable {
  const competitors = [...new Set(battles.flatMap(({ a, b }) => [a, b]))]
  const tasks = [...new Set(battles.map(({ task }) => task))]
  const competitorAt = new Map(competitors.map((name, index) => [name, index]))
  const taskAt = new Map(tasks.map((name, index) => [name, index]))
  return addUpBattles(
    { competitors, tasks },
    {
      task: Int32Array.from(battles, ({ task }) => taskAt.get(task) ?? 0),
      first: Int32Array.from(battles, ({ a, b, bSurvives }) => competitorAt.get(bSurvives ? b : a) ?? 0),
      second: Int32Array.from(battles, ({ a, b, bSurvives }) => competitorAt.get(bSurvives ? a : b) ?? 0),
      isDecisive: Uint8Array.from(battles, ({ aSurvives, bSurvives }) => (aSurvives === bSurvives ? 0 : 1)),
    },
  )
}

/** Numbers of battles from the task and the pair, where the columns do not give any. */
function numberBattles({ competitors, task, submitter, reviewer }: RoundColumns): Int32Array {
  const n = competitors.length
  const ids = new Map<number, number>()
  return task.map((t, k) => {
    const i = submitter[k] ?? 0
    const j = reviewer[k] ?? 0
    const key = (t * n + Math.min(i, j)) * n + Math.max(i, j)
    const known = ids.get(key)
    if (known !== undefined) return known
    ids.set(key, ids.size)
    return ids.size - 1
  })
}

/**
 * Pairs rounds into battles and adds them up: a battle has exactly two rounds, one in each role. A round whose partner is
 * missing (void, no contest) is in no battle. Weights say nothing here: a weighted round is no battle of its own.
 */
export function tabulateBattleColumns(columns: RoundColumns): BattleTable {
  const { task, submitter, reviewer, survived } = columns
  const battle = columns.battle ?? numberBattles(columns)
  let most = -1
  for (let k = 0; k < battle.length; k++) most = Math.max(most, battle[k] ?? 0)
  const one = new Int32Array(most + 1).fill(-1)
  const other = new Int32Array(most + 1).fill(-1)
  for (let k = 0; k < battle.length; k++) {
    const b = battle[k] ?? 0
    if (one[b] === -1) one[b] = k
    // A third round: the battle is none.
    else if (other[b] === -1) other[b] = k
    else one[b] = -2
  }
  const found = {
    task: new Int32Array(most + 1),
    first: new Int32Array(most + 1),
    second: new Int32Array(most + 1),
  }
  const isDecisive = new Uint8Array(most + 1)
  let size = 0
  for (let b = 0; b <= most; b++) {
    const x = one[b] ?? -1
    const y = other[b] ?? -1
    if (x < 0 || y < 0 || submitter[x] !== reviewer[y] || submitter[y] !== reviewer[x]) continue
    const isFirstWinner = survived[x] === 1
    found.task[size] = task[x] ?? 0
    found.first[size] = submitter[isFirstWinner ? x : y] ?? 0
    found.second[size] = submitter[isFirstWinner ? y : x] ?? 0
    isDecisive[size] = survived[x] === survived[y] ? 0 : 1
    size++
  }
  return addUpBattles(columns, {
    task: found.task.subarray(0, size),
    first: found.first.subarray(0, size),
    second: found.second.subarray(0, size),
    isDecisive: isDecisive.subarray(0, size),
  })
}
