import { type RatedBattle, resultOf } from './battles.ts'
import { dot, solve } from './cholesky.ts'
import { logistic, sum } from './numbers.ts'
import { maximisePairs, type PairTable, pairLogLikelihood } from './pair-model.ts'
import { type Contrast, contrastValue, type StrengthFit } from './strength.ts'

/** λo = λs λr / (λs + λr) of the role model's penalties 0.5 and 0.5. */
export const CONDITIONAL_PENALTY = 0.25

/** Decisive battles by task, so that tasks can be weighted without counting again. */
export interface BattleTable {
  readonly competitors: readonly string[]
  readonly tasks: readonly string[]
  readonly decisive: number
  /** One entry a decisive battle. */
  readonly task: Int32Array
  readonly winner: Int32Array
  readonly loser: Int32Array
}

/** Names and battles in code-unit order: the order of `battles` changes nothing. */
export function tabulateBattles(battles: readonly RatedBattle[]): BattleTable {
  const competitors = [...new Set(battles.flatMap(({ a, b }) => [a, b]))].sort()
  const tasks = [...new Set(battles.map(({ task }) => task))].sort()
  const competitorAt = new Map(competitors.map((name, index) => [name, index]))
  const taskAt = new Map(tasks.map((name, index) => [name, index]))
  const decisive = battles
    .flatMap((battle) => {
      const result = resultOf(battle)
      if (result === 'draw') return []
      const [winner, loser] = result === 'a' ? [battle.a, battle.b] : [battle.b, battle.a]
      return [
        {
          task: taskAt.get(battle.task) ?? 0,
          winner: competitorAt.get(winner) ?? 0,
          loser: competitorAt.get(loser) ?? 0,
        },
      ]
    })
    .sort((x, y) => x.task - y.task || x.winner - y.winner || x.loser - y.loser)
  return {
    competitors,
    tasks,
    decisive: decisive.length,
    task: Int32Array.from(decisive, (battle) => battle.task),
    winner: Int32Array.from(decisive, (battle) => battle.winner),
    loser: Int32Array.from(decisive, (battle) => battle.loser),
  }
}

/** Every pair once, with the wins of both; `taskWeights` in the order of tasks, 1 each unless given. */
export function pairsOf(table: BattleTable, taskWeights?: Float64Array): PairTable {
  const n = table.competitors.length
  const wins = new Float64Array(n * n)
  for (let k = 0; k < table.decisive; k++) {
    const cell = (table.winner[k] ?? 0) * n + (table.loser[k] ?? 0)
    wins[cell] = (wins[cell] ?? 0) + (taskWeights ? (taskWeights[table.task[k] ?? 0] ?? 0) : 1)
  }
  const pairs: [i: number, j: number][] = []
  for (let i = 0; i < n; i++)
    for (let j = i + 1; j < n; j++)
      if ((wins[i * n + j] ?? 0) + (wins[j * n + i] ?? 0) > 0) pairs.push([i, j])
  return {
    n,
    first: Int32Array.from(pairs, ([i]) => i),
    second: Int32Array.from(pairs, ([, j]) => j),
    firstWins: Float64Array.from(pairs, ([i, j]) => wins[i * n + j] ?? 0),
    secondWins: Float64Array.from(pairs, ([i, j]) => wins[j * n + i] ?? 0),
  }
}

export interface ConditionalFit extends StrengthFit {
  readonly decisive: number
  /** Without the penalty. */
  readonly logLikelihood: number
  readonly iterations: number
}

/**
 * The audit model: plain Bradley-Terry on decisive battles, since P(A wins | decisive) = σ(o_A − o_B) under the role
 * model. It knows nothing of tasks and roles, so that a role model gone wrong shows as a difference between the two.
 */
export function fitConditional(
  battles: readonly RatedBattle[],
  penalty = CONDITIONAL_PENALTY,
): ConditionalFit {
  const table = tabulateBattles(battles)
  const { competitors, tasks } = table
  const n = competitors.length
  const pairs = pairsOf(table)
  const { strength, factor, iterations } = maximisePairs(pairs, penalty)
  const vectorOf = (contrast: Contrast) => Float64Array.from(competitors, (name) => contrast.get(name) ?? 0)
  return {
    competitors,
    tasks,
    overall: new Map(competitors.map((name, i) => [name, strength[i] ?? 0])),
    decisive: table.decisive,
    logLikelihood: pairLogLikelihood(pairs, strength),
    iterations,
    variance(contrast) {
      const c = vectorOf(contrast)
      return dot(c, solve(factor, n, c.slice()))
    },
    influence(contrast) {
      const x = solve(factor, n, vectorOf(contrast))
      const influence = new Float64Array(tasks.length)
      for (let k = 0; k < table.decisive; k++) {
        const i = table.winner[k] ?? 0
        const j = table.loser[k] ?? 0
        const t = table.task[k] ?? 0
        const e = 1 - logistic((strength[i] ?? 0) - (strength[j] ?? 0))
        influence[t] = (influence[t] ?? 0) + e * ((x[i] ?? 0) - (x[j] ?? 0))
      }
      return influence
    },
  }
}

/**
 * z = (o_full − o_cond) / √( G/(G−1) Σ_g (c'V S_g − c'V_c S_g^c)² ), by tasks of either model. |z| > 3 blocks a
 * publication. Null with fewer than two tasks, or when the two models cannot differ.
 */
export function auditZ(full: StrengthFit, conditional: StrengthFit, contrast: Contrast): number | null {
  const influenceIn = (fit: StrengthFit): ReadonlyMap<string, number> => {
    const influence = fit.influence(contrast)
    return new Map(fit.tasks.map((task, t) => [task, influence[t] ?? 0]))
  }
  const inFull = influenceIn(full)
  const inConditional = influenceIn(conditional)
  const tasks = [...new Set([...full.tasks, ...conditional.tasks])]
  if (tasks.length < 2) return null
  const squares = sum(tasks.map((task) => ((inFull.get(task) ?? 0) - (inConditional.get(task) ?? 0)) ** 2))
  if (squares === 0) return null
  const difference = contrastValue(full, contrast) - contrastValue(conditional, contrast)
  return difference / Math.sqrt((tasks.length / (tasks.length - 1)) * squares)
}
