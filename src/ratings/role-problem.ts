import { dot, factorise, solve } from './cholesky.ts'
import { softplus } from './numbers.ts'
import type { RoundTable } from './rounds.ts'

/** Parameters in two blocks: core is μ, then s, then r; task is d. */
export interface Parameters {
  readonly core: Float64Array
  readonly task: Float64Array
}

export interface RoleProblem {
  readonly table: RoundTable
  readonly n: number
  /** Length of the core, 1 + 2n. */
  readonly m: number
  readonly penalties: Float64Array
  readonly taskPenalty: number
  /** By task; every round of it counts so often. */
  readonly taskWeights: Float64Array | null
}

/** Gradient and Hessian by blocks. Only the lower triangle of `core` is filled. */
export interface Derivatives {
  readonly gradient: Parameters
  readonly core: Float64Array
  /** Task-major: row t is column t of the core × task block. */
  readonly cross: Float64Array
  readonly diagonal: Float64Array
}

/** The Hessian by blocks: its Schur complement over the tasks, factorised, and what leads back to them. */
export interface Curvature {
  readonly factor: Float64Array
  readonly cross: Float64Array
  readonly diagonal: Float64Array
}

export const zeroParameters = ({ m, table }: RoleProblem): Parameters => ({
  core: new Float64Array(m),
  task: new Float64Array(table.tasks.length),
})

/** η = μ + s_i − r_j without the task's −d, of every ordered pair. */
export function pairEtas({ n }: RoleProblem, { core }: Parameters): Float64Array {
  const eta = new Float64Array(n * n)
  for (let i = 0; i < n; i++)
    for (let j = 0; j < n; j++) eta[i * n + j] = (core[0] ?? 0) + (core[1 + i] ?? 0) - (core[1 + n + j] ?? 0)
  return eta
}

/** l = Σ w [ y η − log(1+e^η) ] − λs|s|²/2 − λr|r|²/2 − λd|d|²/2; μ is free. */
export function objective(problem: RoleProblem, at: Parameters): number {
  const { table, n, penalties, taskPenalty, taskWeights } = problem
  const etas = pairEtas(problem, at)
  let value = 0
  for (let t = 0; t < table.tasks.length; t++) {
    const times = taskWeights === null ? 1 : (taskWeights[t] ?? 0)
    if (times === 0) continue
    const end = table.taskStart[t + 1] ?? 0
    for (let k = table.taskStart[t] ?? 0; k < end; k++) {
      const eta = (etas[(table.submitter[k] ?? 0) * n + (table.reviewer[k] ?? 0)] ?? 0) - (at.task[t] ?? 0)
      value += times * ((table.survived[k] ?? 0) * eta - (table.weight[k] ?? 0) * softplus(eta))
    }
  }
  for (let a = 0; a < at.core.length; a++) value -= 0.5 * (penalties[a] ?? 0) * (at.core[a] ?? 0) ** 2
  for (const d of at.task) value -= 0.5 * taskPenalty * d * d
  return value
}

/**
 * Gradient and Hessian blocks in one pass over the cells. 1 − p = q/(1+q) with q = e^−η = e^−(μ+s−r) · e^d, so that no cell
 * needs an exponential of its own; sums by ordered pair are spread over the core at the end.
 */
export function derivatives(problem: RoleProblem, at: Parameters): Derivatives {
  const { table, n, m, penalties, taskPenalty, taskWeights } = problem
  const { taskStart, submitter, reviewer, weight, survived } = table
  const tasks = table.tasks.length
  const odds = pairEtas(problem, at).map((eta) => Math.exp(-eta))
  const pairError = new Float64Array(n * n)
  const pairVariance = new Float64Array(n * n)
  const gradient = zeroParameters(problem)
  const cross = new Float64Array(tasks * m)
  const diagonal = new Float64Array(tasks).fill(taskPenalty)
  for (let t = 0; t < tasks; t++) {
    const times = taskWeights === null ? 1 : (taskWeights[t] ?? 0)
    const d = at.task[t] ?? 0
    if (times === 0) {
      gradient.task[t] = -taskPenalty * d
      continue
    }
    const difficulty = Math.exp(d)
    const submits = 1 + t * m
    const reviews = submits + n
    let errors = 0
    let variances = 0
    const end = taskStart[t + 1] ?? 0
    for (let k = taskStart[t] ?? 0; k < end; k++) {
      const i = submitter[k] ?? 0
      const j = reviewer[k] ?? 0
      const pair = i * n + j
      const q = (odds[pair] ?? 0) * difficulty
      const p = 1 / (1 + q)
      const w = times * (weight[k] ?? 0)
      const e = times * (survived[k] ?? 0) - w * p
      const v = w * p * (1 - p)
      errors += e
      variances += v
      pairError[pair] = (pairError[pair] ?? 0) + e
      pairVariance[pair] = (pairVariance[pair] ?? 0) + v
      cross[submits + i] = (cross[submits + i] ?? 0) - v
      cross[reviews + j] = (cross[reviews + j] ?? 0) + v
    }
    cross[t * m] = -variances
    diagonal[t] = taskPenalty + variances
    gradient.task[t] = -errors - taskPenalty * d
  }
  const core = new Float64Array(m * m)
  for (let a = 0; a < m; a++) {
    core[a * m + a] = penalties[a] ?? 0
    gradient.core[a] = (penalties[a] ?? 0) === 0 ? 0 : -(penalties[a] ?? 0) * (at.core[a] ?? 0)
  }
  const add = (vector: Float64Array, index: number, value: number): void => {
    vector[index] = (vector[index] ?? 0) + value
  }
  for (let i = 0; i < n; i++)
    for (let j = 0; j < n; j++) {
      const e = pairError[i * n + j] ?? 0
      const v = pairVariance[i * n + j] ?? 0
      const s = 1 + i
      const r = 1 + n + j
      add(gradient.core, 0, e)
      add(gradient.core, s, e)
      add(gradient.core, r, -e)
      add(core, 0, v)
      add(core, s * m, v)
      add(core, r * m, -v)
      add(core, s * m + s, v)
      add(core, r * m + r, v)
      core[r * m + s] = -v
    }
  return { gradient, core, cross, diagonal }
}

/** Takes Σ_t b_t b_t'/D_t from the lower triangle; four tasks at a time, so that each entry is touched a quarter as often. */
function subtractTasks(core: Float64Array, m: number, cross: Float64Array, diagonal: Float64Array): void {
  const tasks = diagonal.length
  for (let t = 0; t < tasks; t += 4) {
    const [r0, r1, r2, r3] = [t * m, (t + 1) * m, (t + 2) * m, (t + 3) * m]
    const known = Math.min(4, tasks - t)
    for (let a = 0; a < m; a++) {
      const f0 = (cross[r0 + a] ?? 0) / (diagonal[t] ?? 1)
      const f1 = known > 1 ? (cross[r1 + a] ?? 0) / (diagonal[t + 1] ?? 1) : 0
      const f2 = known > 2 ? (cross[r2 + a] ?? 0) / (diagonal[t + 2] ?? 1) : 0
      const f3 = known > 3 ? (cross[r3 + a] ?? 0) / (diagonal[t + 3] ?? 1) : 0
      if (f0 === 0 && f1 === 0 && f2 === 0 && f3 === 0) continue
      const row = a * m
      if (known === 4)
        for (let b = 0; b <= a; b++)
          core[row + b] =
            (core[row + b] ?? 0) -
            f0 * (cross[r0 + b] ?? 0) -
            f1 * (cross[r1 + b] ?? 0) -
            f2 * (cross[r2 + b] ?? 0) -
            f3 * (cross[r3 + b] ?? 0)
      else
        for (let b = 0; b <= a; b++) {
          let value = (core[row + b] ?? 0) - f0 * (cross[r0 + b] ?? 0)
          if (known > 1) value -= f1 * (cross[r1 + b] ?? 0)
          if (known > 2) value -= f2 * (cross[r2 + b] ?? 0)
          core[row + b] = value
        }
    }
  }
}

/** C − B D⁻¹ B', factorised. Overwrites the core block. */
export function eliminateTasks({ m }: RoleProblem, { core, cross, diagonal }: Derivatives): Curvature {
  subtractTasks(core, m, cross, diagonal)
  return { factor: factorise(core, m), cross, diagonal }
}

/** Solves H x = g by blocks: core first, then x_d = D⁻¹ (g_d − B' x_c). */
export function solveBlocks(
  { m }: RoleProblem,
  { factor, cross, diagonal }: Curvature,
  g: Parameters,
): Parameters {
  const core = g.core.slice()
  diagonal.forEach((d, t) => {
    const scaled = (g.task[t] ?? 0) / d
    if (scaled === 0) return
    for (let a = 0; a < m; a++) core[a] = (core[a] ?? 0) - (cross[t * m + a] ?? 0) * scaled
  })
  solve(factor, m, core)
  const task = diagonal.map((d, t) => ((g.task[t] ?? 0) - dot(cross.subarray(t * m, (t + 1) * m), core)) / d)
  return { core, task }
}
