import { connectedComponents, type Edge } from '../src/ratings/connectivity.ts'
import { fitRoleModel, type RoleModelFit } from '../src/ratings/role-model.ts'
import type { RatedRound } from '../src/ratings/rounds.ts'
import { LIMITS, ratingState } from '../src/ratings/state.ts'
import { POINTS_PER_LOGIT, type ShownRating, shownRating } from '../src/ratings/strength.ts'

/** What a competitor's rating rests on. */
export interface Basis {
  readonly battles: number
  readonly tasks: number
  readonly opponents: number
}

export interface PoolRating extends ShownRating {
  readonly state: 'record' | 'provisional' | 'rated'
  readonly patch: number
  readonly review: number
}

export interface RatedPool {
  /** The competitors who can be compared, by id. */
  readonly ratings: ReadonlyMap<string, PoolRating>
  /** Whose mean is 1500. */
  readonly centre: readonly string[]
  readonly centredOn: 'anchors' | 'rated' | 'everybody'
  /** Met nobody of the pool, directly or through others. */
  readonly apart: readonly string[]
  /** Every rated round ended alike, so that nobody can be told from anybody. */
  readonly alike: boolean
}

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

/**
 * Fits the headline model inside the one pool that the anchors belong to. Without anchors the centre is the mean of the
 * competitors who come out as rated, and of everybody while nobody is.
 */
export function ratePool(
  rounds: readonly RatedRound[],
  bases: ReadonlyMap<string, Basis>,
  anchors: readonly string[],
): RatedPool {
  const pools = connectedComponents(rounds.map(({ submitter, reviewer }): Edge => [submitter, reviewer]))
  const pool = choosePool(pools, anchors)
  const members = new Set(pool)
  const inside = rounds.filter(({ submitter }) => members.has(submitter))
  const fit = fitRoleModel(inside)
  const anchored = pool.filter((id) => anchors.includes(id))
  const rateAll = (centre: readonly string[]) =>
    new Map(pool.map((id) => [id, rateOne(fit, id, centre, bases.get(id))]))
  const first = rateAll(anchored.length > 0 ? anchored : pool)
  const rated = pool.filter((id) => first.get(id)?.state === 'rated')
  const recentred = anchored.length === 0 && rated.length > 0
  return {
    ratings: recentred ? rateAll(rated) : first,
    centre: anchored.length > 0 ? anchored : recentred ? rated : pool,
    centredOn: anchored.length > 0 ? 'anchors' : recentred ? 'rated' : 'everybody',
    apart: pools.flat().filter((id) => !members.has(id)),
    alike: inside.length > 0 && !Number.isFinite(fit.mu),
  }
}

function rateOne(
  fit: RoleModelFit,
  id: string,
  centre: readonly string[],
  basis: Basis | undefined,
): PoolRating {
  const shown = shownRating(fit, id, centre)
  const { battles = 0, tasks = 0, opponents = 0 } = basis ?? {}
  return {
    ...shown,
    state: ratingState({ battles, tasks, opponents, se: shown.se, connected: true }),
    patch: POINTS_PER_LOGIT * (fit.submitter.get(id) ?? 0),
    review: POINTS_PER_LOGIT * (fit.reviewer.get(id) ?? 0),
  }
}

/** The basis of every competitor, over the battles that have a rated round. */
export function basesOf(
  rounds: readonly (RatedRound & { readonly battle: string })[],
): ReadonlyMap<string, Basis> {
  const ids = new Set(rounds.flatMap(({ submitter, reviewer }) => [submitter, reviewer]))
  return new Map(
    [...ids].map((id) => {
      const own = rounds.filter(({ submitter, reviewer }) => submitter === id || reviewer === id)
      const met = own.map(({ submitter, reviewer }) => (submitter === id ? reviewer : submitter))
      return [
        id,
        {
          battles: new Set(own.map(({ battle }) => battle)).size,
          tasks: new Set(own.map(({ task }) => task)).size,
          opponents: new Set(met).size,
        },
      ]
    }),
  )
}

/** Why nobody, or not everybody, is ranked; for people. */
export const RANK_RULE = `a rank needs ${LIMITS.tasks} tasks, ${LIMITS.opponents} opponents and a standard error of at most ${LIMITS.se}`
