import { dot, factorise, solve } from './cholesky.ts'
import { logistic, softplus } from './numbers.ts'
import { type RatedRound, type RoundTable, tabulate } from './rounds.ts'
import type { Contrast, StrengthFit } from './strength.ts'

export interface RoleModelOptions {
  /** Ridge penalties λs, λr, λd; 0.5, 0.5 and 1 unless given. Positive. */
  readonly submitterPenalty?: number
  readonly reviewerPenalty?: number
  readonly taskPenalty?: number
}

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

/** Parameters in two blocks: core is μ, then s, then r; task is d. */
interface Parameters {
  readonly core: Float64Array
  readonly task: Float64Array
}

/** The Hessian by blocks: its Schur complement over the tasks, factorised, and what leads back to them. */
interface Curvature {
  readonly factor: Float64Array
  /** Task-major: row t is column t of the core × task block. */
  readonly cross: Float64Array
  readonly diagonal: Float64Array
}

interface Problem {
  readonly table: RoundTable
  readonly n: number
  /** Length of the core, 1 + 2n. */
  readonly m: number
  readonly penalties: Float64Array
  readonly taskPenalty: number
}

const MAX_ITERATIONS = 100
const TOLERANCE = 1e-12

/** η = μ + s_i − r_j − d_t of cell k. */
function etaOf({ table, n }: Problem, at: Parameters, k: number): number {
  const i = table.submitter[k] ?? 0
  const j = table.reviewer[k] ?? 0
  const t = table.task[k] ?? 0
  return (at.core[0] ?? 0) + (at.core[1 + i] ?? 0) - (at.core[1 + n + j] ?? 0) - (at.task[t] ?? 0)
}

/** l = Σ w [ y η − log(1+e^η) ] − λs|s|²/2 − λr|r|²/2 − λd|d|²/2; μ is free. */
function objective(problem: Problem, at: Parameters): number {
  const { table, penalties, taskPenalty } = problem
  let value = 0
  for (let k = 0; k < table.weight.length; k++) {
    const eta = etaOf(problem, at, k)
    value += (table.survived[k] ?? 0) * eta - (table.weight[k] ?? 0) * softplus(eta)
  }
  for (let a = 0; a < at.core.length; a++) value -= 0.5 * (penalties[a] ?? 0) * (at.core[a] ?? 0) ** 2
  for (const d of at.task) value -= 0.5 * taskPenalty * d * d
  return value
}

function add(vector: Float64Array, index: number, value: number): void {
  vector[index] = (vector[index] ?? 0) + value
}

/** Gradient and Hessian blocks in one pass over the cells. Only the lower triangle of `core` is filled. */
function derivatives(problem: Problem, at: Parameters) {
  const { table, n, m, penalties, taskPenalty } = problem
  const gradient = { core: new Float64Array(m), task: new Float64Array(table.tasks.length) }
  const core = new Float64Array(m * m)
  const cross = new Float64Array(table.tasks.length * m)
  const diagonal = new Float64Array(table.tasks.length).fill(taskPenalty)
  for (let a = 0; a < m; a++) {
    core[a * m + a] = penalties[a] ?? 0
    gradient.core[a] = -(penalties[a] ?? 0) * (at.core[a] ?? 0)
  }
  at.task.forEach((d, t) => {
    gradient.task[t] = -taskPenalty * d
  })
  for (let k = 0; k < table.weight.length; k++) {
    const s = 1 + (table.submitter[k] ?? 0)
    const r = 1 + n + (table.reviewer[k] ?? 0)
    const t = table.task[k] ?? 0
    const weight = table.weight[k] ?? 0
    const p = logistic(etaOf(problem, at, k))
    const e = (table.survived[k] ?? 0) - weight * p
    const v = weight * p * (1 - p)
    add(gradient.core, 0, e)
    add(gradient.core, s, e)
    add(gradient.core, r, -e)
    add(gradient.task, t, -e)
    add(core, 0, v)
    add(core, s * m, v)
    add(core, r * m, -v)
    add(core, s * m + s, v)
    add(core, r * m + r, v)
    add(core, r * m + s, -v)
    add(cross, t * m, -v)
    add(cross, t * m + s, -v)
    add(cross, t * m + r, v)
    add(diagonal, t, v)
  }
  return { gradient, core, cross, diagonal }
}

/** C − B D⁻¹ B', factorised. */
function eliminateTasks(problem: Problem, blocks: ReturnType<typeof derivatives>): Curvature {
  const { m } = problem
  const { core, cross, diagonal } = blocks
  diagonal.forEach((d, t) => {
    const row = cross.subarray(t * m, (t + 1) * m)
    for (let a = 0; a < m; a++) {
      const scaled = (row[a] ?? 0) / d
      if (scaled === 0) continue
      for (let b = 0; b <= a; b++) core[a * m + b] = (core[a * m + b] ?? 0) - scaled * (row[b] ?? 0)
    }
  })
  return { factor: factorise(core, m), cross, diagonal }
}

/** Solves H x = g by blocks: core first, then x_d = D⁻¹ (g_d − B' x_c). */
function solveBlocks({ m }: Problem, { factor, cross, diagonal }: Curvature, g: Parameters): Parameters {
  const core = g.core.slice()
  diagonal.forEach((d, t) => {
    const scaled = (g.task[t] ?? 0) / d
    for (let a = 0; a < m; a++) core[a] = (core[a] ?? 0) - (cross[t * m + a] ?? 0) * scaled
  })
  solve(factor, m, core)
  const task = diagonal.map((d, t) => ((g.task[t] ?? 0) - dot(cross.subarray(t * m, (t + 1) * m), core)) / d)
  return { core, task }
}

const moved = (from: Parameters, step: Parameters, length: number): Parameters => ({
  core: from.core.map((value, a) => value + length * (step.core[a] ?? 0)),
  task: from.task.map((value, t) => value + length * (step.task[t] ?? 0)),
})

/** Newton's method; a step that does not improve is halved. The optimum is unique, since the Hessian is positive definite. */
function maximise(problem: Problem) {
  let at: Parameters = {
    core: new Float64Array(problem.m),
    task: new Float64Array(problem.table.tasks.length),
  }
  let value = objective(problem, at)
  for (let iterations = 1; iterations <= MAX_ITERATIONS; iterations++) {
    const blocks = derivatives(problem, at)
    const step = solveBlocks(problem, eliminateTasks(problem, blocks), blocks.gradient)
    const largest = [...step.core, ...step.task].reduce((most, part) => Math.max(most, Math.abs(part)), 0)
    let length = 1
    let next = moved(at, step, length)
    let nextValue = objective(problem, next)
    while (nextValue < value - 1e-9 * Math.abs(value) && length > 1e-6) {
      length /= 2
      next = moved(at, step, length)
      nextValue = objective(problem, next)
    }
    at = next
    value = nextValue
    if (largest < TOLERANCE) return { at, value, iterations }
  }
  throw new RangeError(`the role model did not settle in ${MAX_ITERATIONS} steps`)
}

/** Where μ, which has no penalty, runs to when all rounds ended alike; null when they did not. */
function limitOf({ weight, survived }: RoundTable): number | null {
  if (survived.every((value) => value === 0)) return weight.length === 0 ? 0 : Number.NEGATIVE_INFINITY
  return survived.every((value, k) => value === weight[k]) ? Number.POSITIVE_INFINITY : null
}

/** The limit of the optimum as μ runs away: no round says anything any more, and the penalties alone hold the rest at 0. */
function atLimit(problem: Problem, mu: number) {
  const at: Parameters = {
    core: new Float64Array(problem.m),
    task: new Float64Array(problem.table.tasks.length),
  }
  at.core[0] = mu
  return { at, value: 0, iterations: 0 }
}

/**
 * Role-specific Bradley-Terry, a many-facet Rasch model: P(y=1) = σ(μ + s_i − r_j − d_t) with submitter skill s,
 * reviewer skill r and task difficulty d, penalised maximum likelihood. Overall strength is s + r: for two swapped
 * rounds η1 − η2 = o_A − o_B, whatever the task. The order of `rounds` changes nothing. When all rounds ended alike μ
 * is infinite and every strength 0, with the prior's error: nothing was learnt, and nothing is made up.
 */
export function fitRoleModel(rounds: readonly RatedRound[], options: RoleModelOptions = {}): RoleModelFit {
  const table = tabulate(rounds)
  const { competitors, tasks } = table
  const n = competitors.length
  const penalties = new Float64Array(1 + 2 * n)
  penalties.fill(options.submitterPenalty ?? 0.5, 1, 1 + n)
  penalties.fill(options.reviewerPenalty ?? 0.5, 1 + n)
  const problem: Problem = { table, n, m: 1 + 2 * n, penalties, taskPenalty: options.taskPenalty ?? 1 }
  const limit = limitOf(table)
  const { at, value, iterations } = limit === null ? maximise(problem) : atLimit(problem, limit)
  // Without information on μ its row would be empty; a unit there leaves everything else as it is.
  if (limit !== null) penalties[0] = 1
  const curvature = eliminateTasks(problem, derivatives(problem, at))
  const coreOf = (contrast: Contrast): Float64Array => {
    const c = new Float64Array(problem.m)
    competitors.forEach((competitor, i) => {
      const weight = contrast.get(competitor) ?? 0
      c[1 + i] = weight
      c[1 + n + i] = weight
    })
    return c
  }
  const solveContrast = (c: Float64Array): Parameters =>
    solveBlocks(problem, curvature, { core: c, task: new Float64Array(tasks.length) })
  const named = (offset: number): ReadonlyMap<string, number> =>
    new Map(competitors.map((competitor, i) => [competitor, at.core[offset + i] ?? 0]))
  const submitter = named(1)
  const reviewer = named(1 + n)
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
    penalisedLogLikelihood: value,
    iterations,
    variance(contrast) {
      const c = coreOf(contrast)
      return dot(c, solveContrast(c).core)
    },
    influence(contrast) {
      const x = solveContrast(coreOf(contrast))
      const influence = new Float64Array(tasks.length)
      for (let k = 0; k < table.weight.length; k++) {
        const e = (table.survived[k] ?? 0) - (table.weight[k] ?? 0) * logistic(etaOf(problem, at, k))
        // x read as parameters: its η is the product with the cell's row of the design.
        add(influence, table.task[k] ?? 0, e * etaOf(problem, x, k))
      }
      return influence
    },
  }
}
