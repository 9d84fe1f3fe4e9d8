import type { RatedBattle } from './battles.ts'
import { CONDITIONAL_PENALTY, pairsOf, tabulateBattles } from './conditional.ts'
import { quantile, sum } from './numbers.ts'
import { maximisePairs } from './pair-model.ts'
import { createStream, poissonOf } from './random.ts'

export interface TaskBootstrapOptions {
  readonly seed: number
  readonly replicates: number
  readonly penalty?: number
}

/** Overall strengths of the conditional model in replicates, in logits. */
export interface TaskBootstrap {
  readonly competitors: readonly string[]
  /** On all tasks with weight 1. */
  readonly estimate: Float64Array
  readonly replicates: readonly Float64Array[]
}

/**
 * Draws tasks again: each gets a Poisson(1) weight a replicate, in code-unit order from the replicate's own random
 * stream, and the conditional model is fitted again. Replicate b has the same bits wherever and whenever it is made.
 */
export function bootstrapTasks(
  battles: readonly RatedBattle[],
  options: TaskBootstrapOptions,
): TaskBootstrap {
  const { seed, replicates, penalty = CONDITIONAL_PENALTY } = options
  const table = tabulateBattles(battles)
  const { strength } = maximisePairs(pairsOf(table), penalty)
  const replicate = (b: number): Float64Array => {
    const next = createStream(seed, b)
    const weights = Float64Array.from(table.tasks, () => poissonOf(next()))
    return maximisePairs(pairsOf(table, weights), penalty, strength).strength
  }
  return {
    competitors: table.competitors,
    estimate: strength,
    replicates: Array.from({ length: replicates }, (_, b) => replicate(b)),
  }
}

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

/** Simultaneous intervals of all pairwise differences by max-t, read as ranks. */
export function rankIntervals({ competitors, estimate, replicates }: TaskBootstrap): RankIntervals {
  const n = competitors.length
  const best = new Int32Array(n).fill(1)
  const worst = new Int32Array(n).fill(n)
  const largest = new Float64Array(replicates.length)
  const pairs: { i: number; j: number; difference: number; se: number }[] = []
  for (let i = 0; i < n; i++)
    for (let j = i + 1; j < n; j++) {
      const difference = (estimate[i] ?? 0) - (estimate[j] ?? 0)
      const drawn = Float64Array.from(replicates, (replicate) => (replicate[i] ?? 0) - (replicate[j] ?? 0))
      const mean = sum(drawn) / drawn.length
      const se = Math.sqrt(sum(drawn.map((value) => (value - mean) ** 2)) / (drawn.length - 1))
      pairs.push({ i, j, difference, se })
      // Two competitors that never differ say nothing about the others.
      if (se > 0)
        drawn.forEach((value, b) => {
          largest[b] = Math.max(largest[b] ?? 0, Math.abs(value - difference) / se)
        })
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
