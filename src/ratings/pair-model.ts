import { factorise, solve } from './cholesky.ts'
import { softplus } from './numbers.ts'

/** Decisive results between competitors 0 … n−1, each unordered pair once. */
export interface PairTable {
  readonly n: number
  readonly first: Int32Array
  readonly second: Int32Array
  /** Weight of the results that `first` won, and of those that `second` won. */
  readonly firstWins: Float64Array
  readonly secondWins: Float64Array
}

export interface PairOptimum {
  readonly strength: Float64Array
  readonly iterations: number
}

const MAX_ITERATIONS = 500
const TOLERANCE = 1e-12
/** A step that is no shorter than this share of the one before: the curvature has changed too much to be kept. */
const SLOW = 0.2

/** Σ wins · log σ(difference), without the penalty. */
export function pairLogLikelihood(table: PairTable, strength: Float64Array): number {
  let value = 0
  for (let k = 0; k < table.first.length; k++) {
    const eta = (strength[table.first[k] ?? 0] ?? 0) - (strength[table.second[k] ?? 0] ?? 0)
    value -= (table.firstWins[k] ?? 0) * softplus(-eta) + (table.secondWins[k] ?? 0) * softplus(eta)
  }
  return value
}

/** P(first wins) = e^o_i / (e^o_i + e^o_j): one exponential a competitor instead of one a pair. */
function gradientOf(table: PairTable, penalty: number, strength: Float64Array): Float64Array {
  const { first, second, firstWins, secondWins } = table
  const power = strength.map(Math.exp)
  const gradient = strength.map((value) => -penalty * value)
  for (let k = 0; k < first.length; k++) {
    const i = first[k] ?? 0
    const j = second[k] ?? 0
    const won = firstWins[k] ?? 0
    const a = power[i] ?? 0
    const e = won - ((won + (secondWins[k] ?? 0)) * a) / (a + (power[j] ?? 0))
    gradient[i] = (gradient[i] ?? 0) + e
    gradient[j] = (gradient[j] ?? 0) - e
  }
  return gradient
}

/**
 * Cholesky factor of the Hessian at `strength`. With penalty 0 the centre is fixed by adding 1/n to every entry. Only the
 * lower triangle is filled; `into` is overwritten when it is given.
 */
export function pairCurvature(
  table: PairTable,
  penalty: number,
  strength: Float64Array,
  into: Float64Array = new Float64Array(table.n * table.n),
): Float64Array {
  const { n, first, second, firstWins, secondWins } = table
  const power = strength.map(Math.exp)
  into.fill(penalty > 0 ? 0 : 1 / n)
  for (let i = 0; i < n; i++) into[i * n + i] = (into[i * n + i] ?? 0) + penalty
  for (let k = 0; k < first.length; k++) {
    const i = first[k] ?? 0
    const j = second[k] ?? 0
    const a = power[i] ?? 0
    const b = power[j] ?? 0
    const v = (((firstWins[k] ?? 0) + (secondWins[k] ?? 0)) * a * b) / ((a + b) * (a + b))
    into[i * n + i] = (into[i * n + i] ?? 0) + v
    into[j * n + j] = (into[j * n + j] ?? 0) + v
    const cell = i > j ? i * n + j : j * n + i
    into[cell] = (into[cell] ?? 0) - v
  }
  return factorise(into, n)
}

function largestOf(step: Float64Array): number {
  let most = 0
  for (let i = 0; i < step.length; i++) most = Math.max(most, Math.abs(step[i] ?? 0))
  return most
}

/**
 * Bradley-Terry by Newton's method: maximises Σ wins · log σ(o_i − o_j) − penalty |o|²/2. The strengths sum to zero. A
 * factor of the Hessian is kept as long as steps shrink quickly with it. With penalty 0 the caller must make sure that the
 * optimum is finite (see connectivity.ts). `start`: where to begin, which does not change where it ends.
 */
export function maximisePairs(table: PairTable, penalty: number, start?: Float64Array): PairOptimum {
  const { n } = table
  const strength = start ? start.slice() : new Float64Array(n)
  const factor = new Float64Array(n * n)
  let before = Number.POSITIVE_INFINITY
  let isKept = false
  for (let iterations = 1; iterations <= MAX_ITERATIONS; iterations++) {
    if (!isKept) pairCurvature(table, penalty, strength, factor)
    const step = solve(factor, n, gradientOf(table, penalty, strength))
    const largest = largestOf(step)
    // Far from the optimum a whole step can overshoot: the curvature of a logit changes within about two units.
    const length = largest > 2 ? 2 / largest : 1
    for (let i = 0; i < n; i++) strength[i] = (strength[i] ?? 0) + length * (step[i] ?? 0)
    if (largest < TOLERANCE) return { strength, iterations }
    isKept = largest < SLOW * before && largest < 0.5
    before = largest
  }
  throw new RangeError(`the pair model did not settle in ${MAX_ITERATIONS} steps`)
}
