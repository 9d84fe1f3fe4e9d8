import type { RatedBattle } from './battles.ts'
import { resultOf, toBattles } from './battles.ts'
import { auditZ, fitConditional } from './conditional.ts'
import { connectedComponents, type Edge } from './connectivity.ts'
import { rankIntervals } from './rank-intervals.ts'
import { fitRoleModel, type RoleModelFit, type RoleModelOptions } from './role-model.ts'
import type { RatedRound } from './rounds.ts'
import { type Bounded, separate } from './separation.ts'
import { LIMITS, ratingState } from './state.ts'
import {
  againstAnchors,
  betweenTwo,
  contrastError,
  POINTS_PER_LOGIT,
  type ShownRating,
  shownRating,
} from './strength.ts'
import { studentQuantile } from './student.ts'
import { bootstrapScores } from './task-bootstrap.ts'

/** What a competitor's rating rests on. */
export interface Basis {
  readonly battles: number
  readonly tasks: number
  readonly opponents: number
}

export interface PoolRating extends Omit<ShownRating, 'rating'> {
  /** Null where only a bound is known. */
  readonly rating: number | null
  /** Where decisive battles bound it from one side only, `low` or `high` is a one-sided 95 % limit and the other is null. */
  readonly bounded: Bounded
  readonly state: 'record' | 'provisional' | 'rated'
  /** K s and K r. */
  readonly patch: number
  readonly review: number
  /** Simultaneous, among the rated ones; null for others. */
  readonly rank: { readonly best: number; readonly worst: number } | null
  /** The audit's z of this competitor against the centre; null where the two models cannot differ. */
  readonly auditZ: number | null
}

export interface RatedPool {
  readonly fit: RoleModelFit
  /** The competitors who can be compared, by id. */
  readonly ratings: ReadonlyMap<string, PoolRating>
  /** Whose mean is 1500: of the anchors, or of whom else `centredOn` says, those among whom distances are known. */
  readonly centre: readonly string[]
  /** Whether somebody was left out of the centre, since decisive battles do not bound the distance. */
  readonly centreIsPart: boolean
  readonly centredOn: 'anchors' | 'rated' | 'everybody'
  /** Met nobody of the pool, directly or through others. */
  readonly apart: readonly string[]
  /** Every rated round ended alike, so that nobody can be told from anybody. */
  readonly alike: boolean
  /** Those of whom the two models say different things: |z| > 3. A publication waits for them. */
  readonly auditAlarms: readonly string[]
}

export interface PoolOptions extends RoleModelOptions {
  /** Whose mean is 1500; may be empty. */
  readonly anchors: readonly string[]
  /** Still in the fit, and nobody's rivals for a rank. */
  readonly retired?: readonly string[]
  /** Of the rank intervals. */
  readonly seed?: number
  readonly replicates?: number
}

export const AUDIT_LIMIT = 3
export const RANK_SEED = 1
export const RANK_REPLICATES = 1000

/** The pool that can be compared: where most anchors are, else the largest; by name when that is a tie. */
function choosePool(pools: readonly (readonly string[])[], anchors: readonly string[]): readonly string[] {
  const worth = (pool: readonly string[]): readonly [number, number] => [
    pool.filter((id) => anchors.includes(id)).length,
    pool.length,
  ]
  return pools.reduce<readonly string[]>((best, pool) => {
    const [anchored, size] = worth(pool)
    const [bestAnchored, bestSize] = worth(best)
    return anchored > bestAnchored || (anchored === bestAnchored && size > bestSize) ? pool : best
  }, [])
}

const beatsIn = (battles: readonly RatedBattle[]): readonly Edge[] => [
  ...new Map(
    battles.flatMap((battle): readonly [string, Edge][] => {
      const result = resultOf(battle)
      if (result === 'draw') return []
      const edge: Edge = result === 'a' ? [battle.a, battle.b] : [battle.b, battle.a]
      return [[JSON.stringify(edge), edge]]
    }),
  ).values(),
]

type Rating = Omit<PoolRating, 'rank' | 'auditZ'>

function rateOne(
  fit: RoleModelFit,
  id: string,
  centre: readonly string[],
  bounded: Bounded,
  basis: Basis | undefined,
): Rating {
  const shown = shownRating(fit, id, centre)
  const { battles = 0, tasks = 0, opponents = 0 } = basis ?? {}
  const patch = POINTS_PER_LOGIT * (fit.submitter.get(id) ?? 0)
  const review = POINTS_PER_LOGIT * (fit.reviewer.get(id) ?? 0)
  const state = ratingState({ battles, tasks, opponents, se: shown.se, connected: true })
  if (bounded === 'both') return { ...shown, bounded, state, patch, review }
  const degrees = fit.tasks.length - 1
  const reach = degrees < 1 ? null : studentQuantile(0.95, degrees) * shown.se
  return {
    rating: null,
    se: shown.se,
    low: bounded === 'at-least' && reach !== null ? shown.rating - reach : null,
    high: bounded === 'at-most' && reach !== null ? shown.rating + reach : null,
    bounded,
    state: state === 'rated' && bounded === 'none' ? 'provisional' : state,
    patch,
    review,
  }
}

/** Simultaneous rank intervals of the rated ones, from scores of drawn tasks. */
function ranksOf(
  fit: RoleModelFit,
  rated: readonly string[],
  { seed = RANK_SEED, replicates = RANK_REPLICATES }: PoolOptions,
): ReadonlyMap<string, { readonly best: number; readonly worst: number }> {
  if (rated.length === 0) return new Map()
  const all = bootstrapScores(fit, { seed, from: 0, to: replicates })
  const places = rated.map((id) => fit.competitors.indexOf(id))
  const only = (values: Float64Array): Float64Array => Float64Array.from(places, (at) => values[at] ?? 0)
  const { ranks } = rankIntervals(
    { competitors: rated, estimate: only(all.estimate), replicates: all.replicates.map(only) },
    (i, j) => contrastError(fit, betweenTwo(rated[i] ?? '', rated[j] ?? '')).used,
  )
  return new Map(rated.map((id, at) => [id, ranks[at] ?? { best: 1, worst: rated.length }]))
}

/**
 * Fits the headline model inside the one pool that the anchors belong to. Without anchors the centre is the mean of the
 * competitors who come out as rated, and of everybody while nobody is. A competitor whose decisive battles bound it from
 * one side only gets a limit and no number.
 */
export function ratePool(
  rounds: readonly RatedRound[],
  bases: ReadonlyMap<string, Basis>,
  options: PoolOptions,
): RatedPool {
  const { anchors } = options
  const pools = connectedComponents(rounds.map(({ submitter, reviewer }): Edge => [submitter, reviewer]))
  const pool = choosePool(pools, anchors)
  const members = new Set(pool)
  const inside = rounds.filter(({ submitter }) => members.has(submitter))
  const fit = fitRoleModel(inside, options)
  const battles = toBattles(inside)
  const beats = beatsIn(battles)
  const rateAll = (wanted: readonly string[]) => {
    const { centre, bounds } = separate(pool, beats, wanted)
    const ratings = new Map(
      pool.map((id) => [id, rateOne(fit, id, centre, bounds.get(id) ?? 'none', bases.get(id))]),
    )
    return { wanted, centre, ratings }
  }
  const anchored = pool.filter((id) => anchors.includes(id))
  const first = rateAll(anchored.length > 0 ? anchored : pool)
  const firm = pool.filter((id) => first.ratings.get(id)?.state === 'rated')
  const recentred = anchored.length === 0 && firm.length > 0
  const { wanted, centre, ratings } = recentred ? rateAll(firm) : first
  const rated = pool.filter((id) => ratings.get(id)?.state === 'rated' && !options.retired?.includes(id))
  const ranks = ranksOf(fit, rated, options)
  const conditional = fitConditional(battles)
  const zOf = (id: string): number | null =>
    conditional.decisive === 0 ? null : auditZ(fit, conditional, againstAnchors(id, centre))
  const withRanks = new Map(
    [...ratings].map(([id, rating]): [string, PoolRating] => [
      id,
      { ...rating, rank: ranks.get(id) ?? null, auditZ: zOf(id) },
    ]),
  )
  return {
    fit,
    ratings: withRanks,
    centre,
    centreIsPart: centre.length < wanted.length,
    centredOn: anchored.length > 0 ? 'anchors' : recentred ? 'rated' : 'everybody',
    apart: pools.flat().filter((id) => !members.has(id)),
    alike: inside.length > 0 && !Number.isFinite(fit.mu),
    auditAlarms: [...withRanks]
      .filter(([, { auditZ: z, state }]) => state === 'rated' && Math.abs(z ?? 0) > AUDIT_LIMIT)
      .map(([id]) => id),
  }
}

/** The basis of every competitor, over the battles that have a rated round. */
export function basesOf(
  rounds: readonly (RatedRound & { readonly battle: string })[],
): ReadonlyMap<string, Basis> {
  const found = new Map<string, { battles: Set<string>; tasks: Set<string>; opponents: Set<string> }>()
  const note = (id: string, opponent: string, { battle, task }: { battle: string; task: string }): void => {
    const own = found.get(id) ?? { battles: new Set(), tasks: new Set(), opponents: new Set() }
    found.set(id, own)
    own.battles.add(battle)
    own.tasks.add(task)
    own.opponents.add(opponent)
  }
  for (const round of rounds) {
    note(round.submitter, round.reviewer, round)
    note(round.reviewer, round.submitter, round)
  }
  return new Map(
    [...found].map(([id, { battles, tasks, opponents }]) => [
      id,
      { battles: battles.size, tasks: tasks.size, opponents: opponents.size },
    ]),
  )
}

/** Why nobody, or not everybody, is ranked; for people. */
export const RANK_RULE = `a rank needs ${LIMITS.tasks} tasks, ${LIMITS.opponents} opponents and a standard error of at most ${LIMITS.se}`
