import { dot, solve } from './cholesky.ts'
import { lazy } from './lazy.ts'
import { maximiseRoles } from './maximise-roles.ts'
import {
  type Curvature,
  derivatives,
  eliminateTasks,
  objective,
  type Parameters,
  pairEtas,
  type RoleProblem,
  zeroParameters,
} from './role-problem.ts'
import { type RatedRound, type RoundTable, tabulate } from './rounds.ts'
import type { StrengthFit } from './strength.ts'

export interface RoleModelOptions {
  /** Ridge penalties λs, λr, λd; 0.5, 0.5 and 1 unless given. Positive. */
  readonly submitterPenalty?: number
  readonly reviewerPenalty?: number
  readonly taskPenalty?: number
}

export const ROLE_PENALTIES = { submitterPenalty: 0.5, reviewerPenalty: 0.5, taskPenalty: 1 } as const

/** The role model's optimum, in logits. */
export interface RoleModelFit extends StrengthFit {
  readonly mu: number
  readonly submitter: ReadonlyMap<string, number>
  readonly reviewer: ReadonlyMap<string, number>
  /** Difficulty: a positive one makes patches die. */
  readonly task: ReadonlyMap<string, number>
  readonly penalisedLogLikelihood: number
  readonly iterations: number
}

export function roleProblem(
  table: RoundTable,
  options: RoleModelOptions = {},
  taskWeights: Float64Array | null = null,
): RoleProblem {
  const { submitterPenalty, reviewerPenalty, taskPenalty } = { ...ROLE_PENALTIES, ...options }
  const n = table.competitors.length
  const penalties = new Float64Array(1 + 2 * n)
  penalties.fill(submitterPenalty, 1, 1 + n)
  penalties.fill(reviewerPenalty, 1 + n)
  return { table, n, m: 1 + 2 * n, penalties, taskPenalty, taskWeights }
}

/** Where μ, which has no penalty, runs to when all rounds ended alike; null when they did not. */
export function limitOfMu(
  { taskStart, weight, survived }: RoundTable,
  taskWeights?: Float64Array,
): number | null {
  let died = false
  let lived = false
  for (let t = 0; t + 1 < taskStart.length; t++) {
    if (taskWeights?.[t] === 0) continue
    const end = taskStart[t + 1] ?? 0
    for (let k = taskStart[t] ?? 0; k < end; k++) {
      if (survived[k] !== 0) lived = true
      if (survived[k] !== weight[k]) died = true
      if (lived && died) return null
    }
  }
  return lived ? Number.POSITIVE_INFINITY : died ? Number.NEGATIVE_INFINITY : 0
}

/** The limit of the optimum as μ runs away: no round says anything any more, and the penalties alone hold the rest at 0. */
function atLimit(problem: RoleProblem, mu: number) {
  const at = zeroParameters(problem)
  at.core[0] = mu
  // Without information on μ its row would be empty; a unit there leaves everything else as it is.
  problem.penalties[0] = 1
  const curvature = eliminateTasks(problem, derivatives(problem, at))
  return { at, curvature, iterations: 0 }
}

/** Solutions of H x = e_i + e_{n+i}, the core only: what the overall strength of i is made of. One row a competitor. */
function overallRows({ n, m }: RoleProblem, { factor }: Curvature): Float64Array {
  const rows = new Float64Array(n * m)
  for (let i = 0; i < n; i++) {
    const row = rows.subarray(i * m, (i + 1) * m)
    row[1 + i] = 1
    row[1 + n + i] = 1
    solve(factor, m, row)
  }
  return rows
}

function covarianceOf({ n, m }: RoleProblem, rows: Float64Array): Float64Array {
  const covariance = new Float64Array(n * n)
  for (let i = 0; i < n; i++)
    for (let j = 0; j < n; j++)
      covariance[i * n + j] = (rows[i * m + 1 + j] ?? 0) + (rows[i * m + 1 + n + j] ?? 0)
  return covariance
}

/** Scores of every task, its own difficulty eliminated, against the rows of the overall strengths. */
function influencesOf(problem: RoleProblem, at: Parameters, curvature: Curvature, rows: Float64Array) {
  const { table, n, m } = problem
  const { taskStart, submitter, reviewer, weight, survived, tasks } = table
  const odds = pairEtas(problem, at).map((eta) => Math.exp(-eta))
  const influences = new Float64Array(tasks.length * n)
  const score = new Float64Array(m)
  for (let t = 0; t < tasks.length; t++) {
    score.fill(0)
    const difficulty = Math.exp(at.task[t] ?? 0)
    let errors = 0
    const end = taskStart[t + 1] ?? 0
    for (let k = taskStart[t] ?? 0; k < end; k++) {
      const i = submitter[k] ?? 0
      const j = reviewer[k] ?? 0
      const e = (survived[k] ?? 0) - (weight[k] ?? 0) / (1 + (odds[i * n + j] ?? 0) * difficulty)
      errors += e
      score[1 + i] = (score[1 + i] ?? 0) + e
      score[1 + n + j] = (score[1 + n + j] ?? 0) - e
    }
    score[0] = errors
    const back = errors / (curvature.diagonal[t] ?? 1)
    for (let a = 0; a < m; a++) score[a] = (score[a] ?? 0) + back * (curvature.cross[t * m + a] ?? 0)
    for (let i = 0; i < n; i++) influences[t * n + i] = dot(rows.subarray(i * m, (i + 1) * m), score)
  }
  return influences
}

/** As fitRoleModel, from rounds that were added up before. Errors are computed when they are asked for. */
export function fitRoleTable(table: RoundTable, options: RoleModelOptions = {}): RoleModelFit {
  const { competitors, tasks } = table
  const n = competitors.length
  const problem = roleProblem(table, options)
  const limit = limitOfMu(table)
  const { at, curvature, iterations } = limit === null ? maximiseRoles(problem) : atLimit(problem, limit)
  const named = (offset: number): ReadonlyMap<string, number> =>
    new Map(competitors.map((competitor, i) => [competitor, at.core[offset + i] ?? 0]))
  const [submitter, reviewer] = [named(1), named(1 + n)]
  const rows = lazy(() => overallRows(problem, curvature))
  const covariance = lazy(() => covarianceOf(problem, rows()))
  const influences = lazy(() => influencesOf(problem, at, curvature, rows()))
  const value = lazy(() => (limit === null ? objective(problem, at) : 0))
  return {
    competitors,
    tasks,
    mu: at.core[0] ?? 0,
    submitter,
    reviewer,
    task: new Map(tasks.map((task, t) => [task, at.task[t] ?? 0])),
    overall: new Map(
      competitors.map((name) => [name, (submitter.get(name) ?? 0) + (reviewer.get(name) ?? 0)]),
    ),
    get penalisedLogLikelihood() {
      return value()
    },
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
 * Role-specific Bradley-Terry, a many-facet Rasch model: P(y=1) = σ(μ + s_i − r_j − d_t) with submitter skill s,
 * reviewer skill r and task difficulty d, penalised maximum likelihood. Overall strength is s + r: for two swapped
 * rounds η1 − η2 = o_A − o_B, whatever the task. The order of `rounds` changes nothing. When all rounds ended alike μ
 * is infinite and every strength 0, with the prior's error: nothing was learnt, and nothing is made up.
 */
export const fitRoleModel = (rounds: readonly RatedRound[], options: RoleModelOptions = {}): RoleModelFit =>
  fitRoleTable(tabulate(rounds), options)
