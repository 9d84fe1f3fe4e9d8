import { quantile, sum } from './numbers.ts'
import { createStream } from './random.ts'

export interface PairedDifference {
  readonly mean: number
  /** Standard error of the mean, from the differences themselves. */
  readonly se: number
  /** 95 % percentile interval, type 7. */
  readonly low: number
  readonly high: number
  /** The share of replicates whose mean is at most zero. */
  readonly atMostZero: number
}

/** Means this close to zero are zero: sums of decimals are rarely exact. */
const ZERO = 1e-12

/**
 * Compares two lists of scores on the same tasks by drawing tasks with their pairs kept. Index of a draw:
 * floor(u·n / 2^32), one random stream a replicate. Throws RangeError on lists of different length or shorter than two.
 */
export function comparePaired(
  x: readonly number[],
  y: readonly number[],
  options: { readonly seed: number; readonly replicates: number },
): PairedDifference {
  const n = x.length
  if (n !== y.length || n < 2)
    throw new RangeError(`needs two lists of one length, at least 2: ${n} and ${y.length}`)
  const differences = x.map((value, i) => value - (y[i] ?? 0))
  const mean = sum(differences) / n
  const means = new Float64Array(options.replicates)
  for (let b = 0; b < means.length; b++) {
    const next = createStream(options.seed, b)
    let total = 0
    for (let i = 0; i < n; i++) total += differences[Math.floor((next() * n) / 2 ** 32)] ?? 0
    means[b] = total / n
  }
  means.sort()
  return {
    mean,
    se: Math.sqrt(sum(differences.map((value) => (value - mean) ** 2)) / (n * (n - 1))),
    low: quantile(means, 0.025),
    high: quantile(means, 0.975),
    atMostZero: means.filter((value) => value <= ZERO).length / means.length,
  }
}
