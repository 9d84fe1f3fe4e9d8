import { type BattleTable, tabulateBattles } from './battle-table.ts'
import type { RatedBattle } from './battles.ts'
import { CONDITIONAL_PENALTY, pairsFrom, winsOf } from './conditional.ts'
import { maximiseRoles } from './maximise-roles.ts'
import { maximisePairs, type PairTable } from './pair-model.ts'
import { createStream, poissonOf } from './random.ts'
import { limitOfMu, type RoleModelOptions, roleProblem } from './role-model.ts'
import type { RoundTable } from './rounds.ts'
import type { StrengthFit } from './strength.ts'

export interface BootstrapRange {
  readonly seed: number
  /** Replicates from … to − 1: each has the same bits wherever and whenever it is made. */
  readonly from: number
  readonly to: number
}

/** Overall strengths in replicates, in logits. */
export interface TaskBootstrap {
  readonly competitors: readonly string[]
  /** On all tasks with weight 1. */
  readonly estimate: Float64Array
  readonly replicates: readonly Float64Array[]
}

/** Poisson(1) weights of the tasks in code-unit order, from the replicate's own random stream. */
export function taskWeights(seed: number, replicate: number, tasks: number): Float64Array {
  const next = createStream(seed, replicate)
  const weights = new Float64Array(tasks)
  for (let t = 0; t < tasks; t++) weights[t] = poissonOf(next())
  return weights
}

/** Replicates that are counted side by side: one walk through the cells serves them all. */
const LANES = 8

/** Wins by winner × loser in LANES replicates from `first` on; those of one cell stand beside each other. */
function winsInLanes(table: BattleTable, seed: number, first: number, into: Float64Array): void {
  const n = table.competitors.length
  const { taskStart, winner, loser, count, tasks } = table
  const drawn = Array.from({ length: LANES }, (_, lane) => taskWeights(seed, first + lane, tasks.length))
  into.fill(0)
  for (let t = 0; t < tasks.length; t++) {
    const [w0 = 0, w1 = 0, w2 = 0, w3 = 0, w4 = 0, w5 = 0, w6 = 0, w7 = 0] = drawn.map(
      (weights) => weights[t],
    )
    const end = taskStart[t + 1] ?? 0
    for (let k = taskStart[t] ?? 0; k < end; k++) {
      const times = count[k] ?? 0
      const cell = LANES * ((winner[k] ?? 0) * n + (loser[k] ?? 0))
      into[cell] = (into[cell] ?? 0) + w0 * times
      into[cell + 1] = (into[cell + 1] ?? 0) + w1 * times
      into[cell + 2] = (into[cell + 2] ?? 0) + w2 * times
      into[cell + 3] = (into[cell + 3] ?? 0) + w3 * times
      into[cell + 4] = (into[cell + 4] ?? 0) + w4 * times
      into[cell + 5] = (into[cell + 5] ?? 0) + w5 * times
      into[cell + 6] = (into[cell + 6] ?? 0) + w6 * times
      into[cell + 7] = (into[cell + 7] ?? 0) + w7 * times
    }
  }
}

/** The conditional model fitted again on drawn tasks. Any split of a range over workers gives the same replicates. */
export function bootstrapBattles(
  table: BattleTable,
  { seed, from, to }: BootstrapRange,
  penalty = CONDITIONAL_PENALTY,
): TaskBootstrap {
  const n = table.competitors.length
  const pairs = pairsFrom(winsOf(table), n)
  const { first, second } = pairs
  const { strength } = maximisePairs(pairs, penalty)
  const wins = new Float64Array(n * n * LANES)
  const drawn: PairTable = {
    ...pairs,
    firstWins: pairs.firstWins.slice(),
    secondWins: pairs.secondWins.slice(),
  }
  const replicates = Array.from({ length: to - from }, (_, at) => {
    const lane = at % LANES
    if (lane === 0) winsInLanes(table, seed, from + at, wins)
    for (let k = 0; k < first.length; k++) {
      const i = first[k] ?? 0
      const j = second[k] ?? 0
      drawn.firstWins[k] = wins[LANES * (i * n + j) + lane] ?? 0
      drawn.secondWins[k] = wins[LANES * (j * n + i) + lane] ?? 0
    }
    return maximisePairs(drawn, penalty, strength).strength
  })
  return { competitors: table.competitors, estimate: strength, replicates }
}

/** The role model fitted again on drawn tasks. Any split of a range over workers gives the same replicates. */
export function bootstrapRoles(
  table: RoundTable,
  range: BootstrapRange,
  options: RoleModelOptions = {},
): TaskBootstrap {
  const n = table.competitors.length
  const overall = (core: Float64Array) =>
    Float64Array.from(table.competitors, (_, i) => (core[1 + i] ?? 0) + (core[1 + n + i] ?? 0))
  const start = limitOfMu(table) === null ? maximiseRoles(roleProblem(table, options)).at : undefined
  return {
    competitors: table.competitors,
    estimate: start ? overall(start.core) : new Float64Array(n),
    replicates: Array.from({ length: range.to - range.from }, (_, at) => {
      const weights = taskWeights(range.seed, range.from + at, table.tasks.length)
      // Drawn tasks whose rounds all ended alike tell nobody from anybody.
      if (limitOfMu(table, weights) !== null) return new Float64Array(n)
      return overall(maximiseRoles(roleProblem(table, options, weights), start).at.core)
    }),
  }
}

/**
 * What drawn tasks move the strengths by, to first order: o + √(G/(G−1)) Σ_g (w_g − 1) V S_g. No model is fitted again, so
 * that it takes milliseconds; its spread is that of CR1.
 */
export function bootstrapScores(fit: StrengthFit, { seed, from, to }: BootstrapRange): TaskBootstrap {
  const { competitors, tasks, influences } = fit
  const n = competitors.length
  const scale = tasks.length > 1 ? Math.sqrt(tasks.length / (tasks.length - 1)) : 1
  const estimate = Float64Array.from(competitors, (name) => fit.overall.get(name) ?? 0)
  const replicates = Array.from({ length: to - from }, (_, at) => {
    const weights = taskWeights(seed, from + at, tasks.length)
    const replicate = estimate.slice()
    for (let t = 0; t < tasks.length; t++) {
      const moved = scale * ((weights[t] ?? 0) - 1)
      if (moved === 0) continue
      for (let i = 0; i < n; i++) replicate[i] = (replicate[i] ?? 0) + moved * (influences[t * n + i] ?? 0)
    }
    return replicate
  })
  return { competitors, estimate, replicates }
}

export interface TaskBootstrapOptions {
  readonly seed: number
  readonly replicates: number
  readonly penalty?: number
}

/**
 * Draws tasks again: each gets a Poisson(1) weight a replicate, and the conditional model is fitted again. The order of
 * `battles` changes nothing.
 */
export const bootstrapTasks = (
  battles: readonly RatedBattle[],
  { seed, replicates, penalty }: TaskBootstrapOptions,
): TaskBootstrap => bootstrapBattles(tabulateBattles(battles), { seed, from: 0, to: replicates }, penalty)
