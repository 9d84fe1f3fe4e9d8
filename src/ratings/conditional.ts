import { type BattleTable, tabulateBattles } from './battle-table.ts'
import type { RatedBattle } from './battles.ts'
import { dot, solve } from './cholesky.ts'
import { lazy } from './lazy.ts'
import { logistic, sum } from './numbers.ts'
import { maximisePairs, type PairTable, pairCurvature, pairLogLikelihood } from './pair-model.ts'
import { type Contrast, contrastValue, influenceOf, type StrengthFit } from './strength.ts'

/** λo = λs λr / (λs + λr) of the role model's penalties 0.5 and 0.5. */
export const CONDITIONAL_PENALTY = 0.25

/** Wins by winner × loser; `taskWeights` in the order of tasks, 1 each unless given. */
export function winsOf(table: BattleTable, taskWeights?: Float64Array): Float64Array {
  const n = table.competitors.length
  const { taskStart, winner, loser, count } = table
  const wins = new Float64Array(n * n)
  for (let t = 0; t < table.tasks.length; t++) {
    const times = taskWeights ? (taskWeights[t] ?? 0) : 1
    if (times === 0) continue
    const end = taskStart[t + 1] ?? 0
    for (let k = taskStart[t] ?? 0; k < end; k++) {
      const cell = (winner[k] ?? 0) * n + (loser[k] ?? 0)
      wins[cell] = (wins[cell] ?? 0) + times * (count[k] ?? 0)
    }
  }
  return wins
}

/** Every pair with a decisive battle once, with the wins of both. */
export function pairsFrom(wins: Float64Array, n: number): PairTable {
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
  readonly battles: number
  readonly decisive: number
  /** Without the penalty. */
  readonly logLikelihood: number
  readonly iterations: number
}

function inverseOf(factor: Float64Array, n: number): Float64Array {
  const inverse = new Float64Array(n * n)
  for (let i = 0; i < n; i++) {
    const row = inverse.subarray(i * n, (i + 1) * n)
    row[i] = 1
    solve(factor, n, row)
  }
  return inverse
}

function influencesOf(table: BattleTable, strength: Float64Array, covariance: Float64Array): Float64Array {
  const { tasks, taskStart, winner, loser, count } = table
  const n = strength.length
  const influences = new Float64Array(tasks.length * n)
  const score = new Float64Array(n)
  for (let t = 0; t < tasks.length; t++) {
    score.fill(0)
    const end = taskStart[t + 1] ?? 0
    for (let k = taskStart[t] ?? 0; k < end; k++) {
      const i = winner[k] ?? 0
      const j = loser[k] ?? 0
      const e = (count[k] ?? 0) * (1 - logistic((strength[i] ?? 0) - (strength[j] ?? 0)))
      score[i] = (score[i] ?? 0) + e
      score[j] = (score[j] ?? 0) - e
    }
    for (let i = 0; i < n; i++) influences[t * n + i] = dot(covariance.subarray(i * n, (i + 1) * n), score)
  }
  return influences
}

/** As fitConditional, from battles that were added up before. Errors are computed when they are asked for. */
export function fitBattleTable(table: BattleTable, penalty = CONDITIONAL_PENALTY): ConditionalFit {
  const { competitors, tasks } = table
  const n = competitors.length
  const pairs = pairsFrom(winsOf(table), n)
  const { strength, iterations } = maximisePairs(pairs, penalty)
  const covariance = lazy(() => inverseOf(pairCurvature(pairs, penalty, strength), n))
  const influences = lazy(() => influencesOf(table, strength, covariance()))
  return {
    competitors,
    tasks,
    overall: new Map(competitors.map((name, i) => [name, strength[i] ?? 0])),
    battles: table.battles,
    decisive: table.decisive,
    logLikelihood: pairLogLikelihood(pairs, strength),
    iterations,
    get covariance() {
      return covariance()
    },
    get influences() {
      return influences()
    },
  }
}

/**
 * The audit model: plain Bradley-Terry on decisive battles, since P(A wins | decisive) = σ(o_A − o_B) under the role
 * model. It knows nothing of tasks and roles, so that a role model gone wrong shows as a difference between the two.
 */
export const fitConditional = (
  battles: readonly RatedBattle[],
  penalty = CONDITIONAL_PENALTY,
): ConditionalFit => fitBattleTable(tabulateBattles(battles), penalty)

/**
 * z = (o_full − o_cond) / √( G/(G−1) Σ_g (c'V S_g − c'V_c S_g^c)² ), by tasks of either model. |z| > 3 blocks a
 * publication. Null with fewer than two tasks, or when the two models cannot differ.
 */
export function auditZ(full: StrengthFit, conditional: StrengthFit, contrast: Contrast): number | null {
  const influenceIn = (fit: StrengthFit): ReadonlyMap<string, number> => {
    const influence = influenceOf(fit, contrast)
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
