import { dot } from './cholesky.ts'
import {
  type Curvature,
  type Derivatives,
  derivatives,
  eliminateTasks,
  type Parameters,
  type RoleProblem,
  solveBlocks,
  zeroParameters,
} from './role-problem.ts'

export interface RoleOptimum {
  readonly at: Parameters
  /** Of the last step, which was shorter than 1e-12 in every parameter. */
  readonly curvature: Curvature
  readonly iterations: number
}

const MAX_ITERATIONS = 100
const TOLERANCE = 1e-12
const SHORTEST = 1e-6

const moved = (from: Parameters, step: Parameters, length: number): Parameters => ({
  core: from.core.map((value, a) => value + length * (step.core[a] ?? 0)),
  task: from.task.map((value, t) => value + length * (step.task[t] ?? 0)),
})

const along = (gradient: Parameters, step: Parameters): number =>
  dot(gradient.core, step.core) + dot(gradient.task, step.task)

function largestOf({ core, task }: Parameters): number {
  let most = 0
  for (const part of core) most = Math.max(most, Math.abs(part))
  for (const part of task) most = Math.max(most, Math.abs(part))
  return most
}

/**
 * Newton's method. A step that runs past the optimum along its own line, where the slope has turned by more than half of
 * what it was, is halved: the likelihood is concave, so the slope alone tells. The optimum is unique, since the Hessian is
 * positive definite. `start` does not change where it ends.
 */
export function maximiseRoles(problem: RoleProblem, start?: Parameters): RoleOptimum {
  let at = start ?? zeroParameters(problem)
  let blocks: Derivatives = derivatives(problem, at)
  for (let iterations = 1; iterations <= MAX_ITERATIONS; iterations++) {
    const { gradient } = blocks
    const curvature = eliminateTasks(problem, blocks)
    const step = solveBlocks(problem, curvature, gradient)
    if (largestOf(step) < TOLERANCE) return { at: moved(at, step, 1), curvature, iterations }
    const slope = along(gradient, step)
    let length = 1
    let next = moved(at, step, length)
    let nextBlocks = derivatives(problem, next)
    while (along(nextBlocks.gradient, step) < -0.5 * slope && length > SHORTEST) {
      length /= 2
      next = moved(at, step, length)
      nextBlocks = derivatives(problem, next)
    }
    at = next
    blocks = nextBlocks
  }
  throw new RangeError(`the role model did not settle in ${MAX_ITERATIONS} steps`)
}
