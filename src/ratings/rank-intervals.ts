import { quantile } from './numbers.ts'
import type { TaskBootstrap } from './task-bootstrap.ts'

/** 95 % percentile interval of each competitor, type 7, in logits. */
export function percentileIntervals({
  competitors,
  replicates,
}: TaskBootstrap): readonly (readonly [number, number])[] {
  return competitors.map((_, i) => {
    const sorted = Float64Array.from(replicates, (replicate) => replicate[i] ?? 0).sort()
    return [quantile(sorted, 0.025), quantile(sorted, 0.975)]
  })
}

/** The share of replicates in which each competitor is the strongest; ties within 1e-9 are shared. */
export function topShares({ competitors, replicates }: TaskBootstrap): readonly number[] {
  const shares = new Float64Array(competitors.length)
  for (const replicate of replicates) {
    const best = replicate.reduce((most, value) => Math.max(most, value), Number.NEGATIVE_INFINITY)
    const leaders = competitors.flatMap((_, i) => ((replicate[i] ?? 0) >= best - 1e-9 ? [i] : []))
    for (const i of leaders) shares[i] = (shares[i] ?? 0) + 1 / leaders.length / replicates.length
  }
  return [...shares]
}

export interface RankIntervals {
  /** The 95 % quantile of max_{i<j} |Δ* − Δ| / se over the replicates. */
  readonly critical: number
  /** By competitor: 1 + the number surely above, n − the number surely below. */
  readonly ranks: readonly { readonly best: number; readonly worst: number }[]
}

/** Standard deviation of the difference of two competitors over the replicates. */
function spreadOf(replicates: readonly Float64Array[], i: number, j: number): number {
  let total = 0
  for (const replicate of replicates) total += (replicate[i] ?? 0) - (replicate[j] ?? 0)
  const mean = total / replicates.length
  let squares = 0
  for (const replicate of replicates) squares += ((replicate[i] ?? 0) - (replicate[j] ?? 0) - mean) ** 2
  return Math.sqrt(squares / (replicates.length - 1))
}

/**
 * Simultaneous intervals of all pairwise differences by max-t, read as ranks. `leastError`: the standard error that the
 * difference of competitors i and j is known to have at least, in logits.
 */
export function rankIntervals(
  { competitors, estimate, replicates }: TaskBootstrap,
  leastError: (i: number, j: number) => number = () => 0,
): RankIntervals {
  const n = competitors.length
  const best = new Int32Array(n).fill(1)
  const worst = new Int32Array(n).fill(n)
  const largest = new Float64Array(replicates.length)
  const pairs: { i: number; j: number; difference: number; se: number }[] = []
  for (let i = 0; i < n; i++)
    for (let j = i + 1; j < n; j++) {
      const difference = (estimate[i] ?? 0) - (estimate[j] ?? 0)
      const se = Math.max(spreadOf(replicates, i, j), leastError(i, j))
      pairs.push({ i, j, difference, se })
      // Two competitors that never differ say nothing about the others.
      if (se > 0)
        for (let b = 0; b < replicates.length; b++) {
          const drawn = (replicates[b]?.[i] ?? 0) - (replicates[b]?.[j] ?? 0)
          largest[b] = Math.max(largest[b] ?? 0, Math.abs(drawn - difference) / se)
        }
    }
  const critical = quantile(largest.sort(), 0.95)
  for (const { i, j, difference, se } of pairs) {
    if (Math.abs(difference) <= critical * se || difference === 0) continue
    const [above, below] = difference > 0 ? [i, j] : [j, i]
    best[below] = (best[below] ?? 1) + 1
    worst[above] = (worst[above] ?? n) - 1
  }
  return { critical, ranks: competitors.map((_, i) => ({ best: best[i] ?? 1, worst: worst[i] ?? n })) }
}
