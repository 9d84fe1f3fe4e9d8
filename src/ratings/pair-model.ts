import { factorise, solve } from './cholesky.ts'
import { logistic, softplus } from './numbers.ts'

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
  /** Cholesky factor of the Hessian there. */
  readonly factor: Float64Array
  readonly iterations: number
}

const MAX_ITERATIONS = 200

function add(vector: Float64Array, index: number, value: number): void {
  vector[index] = (vector[index] ?? 0) + value
}

/** Σ wins · log σ(difference), without the penalty. */
export function pairLogLikelihood(table: PairTable, strength: Float64Array): number {
  let value = 0
  for (let k = 0; k < table.first.length; k++) {
    const eta = (strength[table.first[k] ?? 0] ?? 0) - (strength[table.second[k] ?? 0] ?? 0)
    value -= (table.firstWins[k] ?? 0) * softplus(-eta) + (table.secondWins[k] ?? 0) * softplus(eta)
  }
  return value
}

/**
 * Bradley-Terry by Newton's method: maximises Σ wins · log σ(o_i − o_j) − penalty |o|²/2. The strengths sum to zero.
 * With penalty 0 the centre is fixed by adding 1/n to every entry of the Hessian; the caller must then make sure that
 * the optimum is finite (see connectivity.ts). `start`: where to begin, which does not change where it ends.
 */
export function maximisePairs(table: PairTable, penalty: number, start?: Float64Array): PairOptimum {
  const { n } = table
  const strength = start ? start.slice() : new Float64Array(n)
  const centring = penalty > 0 ? 0 : 1 / n
  for (let iterations = 1; iterations <= MAX_ITERATIONS; iterations++) {
    const gradient = strength.map((value) => -penalty * value)
    const hessian = new Float64Array(n * n).fill(centring)
    for (let i = 0; i < n; i++) add(hessian, i * n + i, penalty)
    for (let k = 0; k < table.first.length; k++) {
      const i = table.first[k] ?? 0
      const j = table.second[k] ?? 0
      const won = table.firstWins[k] ?? 0
      const played = won + (table.secondWins[k] ?? 0)
      if (played === 0) continue
      const p = logistic((strength[i] ?? 0) - (strength[j] ?? 0))
      const v = played * p * (1 - p)
      add(gradient, i, won - played * p)
      add(gradient, j, played * p - won)
      add(hessian, i * n + i, v)
      add(hessian, j * n + j, v)
      add(hessian, Math.max(i, j) * n + Math.min(i, j), -v)
    }
    const factor = factorise(hessian, n)
    const step = solve(factor, n, gradient)
    const largest = step.reduce((most, part) => Math.max(most, Math.abs(part)), 0)
    // Far from the optimum a whole step can overshoot: the curvature of a logit changes within about two units.
    const length = largest > 2 ? 2 / largest : 1
    for (let i = 0; i < n; i++) add(strength, i, length * (step[i] ?? 0))
    if (largest < 1e-12) return { strength, factor, iterations }
  }
  throw new RangeError(`the pair model did not settle in ${MAX_ITERATIONS} steps`)
}
