import { readFile } from 'node:fs/promises'
import { InputError } from '../errors.ts'
import { tabulateBattles } from '../ratings/battle-table.ts'
import { toBattles } from '../ratings/battles.ts'
import { comparePair, type PairComparison } from '../ratings/compare.ts'
import { type Fragility, fragilityOf } from '../ratings/fragility.ts'
import { percentileIntervals, rankIntervals, topShares } from '../ratings/rank-intervals.ts'
import { basesOf, type PoolRating, type RatedPool, ratePool } from '../ratings/rate-pool.ts'
import { fitRoleModel, ROLE_PENALTIES } from '../ratings/role-model.ts'
import { type RatedRound, tabulate } from '../ratings/rounds.ts'
import { parseRounds, type RoundsFile } from '../ratings/rounds-file.ts'
import { CENTRE, POINTS_PER_LOGIT } from '../ratings/strength.ts'
import { bootstrapBattles, bootstrapRoles, type TaskBootstrap } from '../ratings/task-bootstrap.ts'
import { RATINGS_VERSION } from '../ratings/version.ts'

export type { PairComparison }

export interface FitRequest {
  /** A CSV or NDJSON file. */
  readonly file: string
  /** Whose mean is 1500; may be empty. */
  readonly anchors: readonly string[]
  readonly seed: number
  /** Replicates of the task bootstrap with refitting; 0 for none. */
  readonly bootstrap: number
  readonly model: 'role' | 'conditional'
}

export interface FittedCompetitor extends PoolRating {
  readonly competitor: string
  /** On the natural scale, in logits. */
  readonly submitter: number
  readonly reviewer: number
  readonly overall: number
  readonly battles: number
  readonly tasks: number
  readonly opponents: number
  /** By fitting again on drawn tasks; null without a bootstrap. */
  readonly bootstrap: {
    readonly low: number
    readonly high: number
    readonly top: number
    readonly rank: { readonly best: number; readonly worst: number }
  } | null
}

export interface FittedRatings {
  readonly engine: string
  readonly penalties: typeof ROLE_PENALTIES
  readonly seed: number
  readonly rounds: number
  readonly battles: number
  readonly decisive: number
  readonly unrated: number
  readonly ignored: readonly string[]
  /** Null where every round ended alike: it has no finite value. */
  readonly mu: number | null
  readonly centre: readonly string[]
  readonly centredOn: RatedPool['centredOn']
  readonly apart: readonly string[]
  readonly alike: boolean
  readonly auditAlarms: readonly string[]
  readonly fragility: Fragility | null
  /** By strength, the strongest first. */
  readonly competitors: readonly FittedCompetitor[]
  readonly tasks: readonly { readonly task: string; readonly difficulty: number }[]
}

export async function readRounds(file: string): Promise<RoundsFile> {
  let text: string
  try {
    text = await readFile(file, 'utf8')
  } catch (cause) {
    throw new InputError('the rounds cannot be read', { place: file, remedy: 'check the path', cause })
  }
  return parseRounds(text, file)
}

/** Without ids the rounds of a task and pair are one battle. */
const withBattles = (rounds: readonly RatedRound[]) =>
  rounds.map((round) => ({
    ...round,
    battle: JSON.stringify([round.task, ...[round.submitter, round.reviewer].sort(), round.battle ?? '']),
  }))

function checkNames(names: readonly string[], rounds: readonly RatedRound[], file: string): void {
  const known = new Set(rounds.flatMap(({ submitter, reviewer }) => [submitter, reviewer]))
  for (const name of names)
    if (!known.has(name))
      throw new InputError(`no rated round names ${name}`, {
        place: file,
        remedy: `it names ${[...known].sort().slice(0, 8).join(', ')}${known.size > 8 ? ', …' : ''}`,
      })
}

/** Percentile intervals in rating points, against the centre. */
function readBootstrap(bootstrap: TaskBootstrap, centre: readonly string[]) {
  const places = centre.map((name) => bootstrap.competitors.indexOf(name)).filter((at) => at >= 0)
  const centred = (values: Float64Array): Float64Array => {
    const middle = places.reduce((total, at) => total + (values[at] ?? 0), 0) / Math.max(1, places.length)
    return values.map((value) => CENTRE + POINTS_PER_LOGIT * (value - middle))
  }
  const shown = {
    competitors: bootstrap.competitors,
    estimate: centred(bootstrap.estimate),
    replicates: bootstrap.replicates.map(centred),
  }
  const intervals = percentileIntervals(shown)
  const tops = topShares(shown)
  const { ranks } = rankIntervals(shown)
  return new Map(
    shown.competitors.map((name, at) => {
      const [low, high] = intervals[at] ?? [CENTRE, CENTRE]
      return [name, { low, high, top: tops[at] ?? 0, rank: ranks[at] ?? { best: 1, worst: 1 } }]
    }),
  )
}

/** Fits a file of rounds. Throws InputError for a broken file, one without a rated round, or unknown anchors. */
export async function fitFile(request: FitRequest): Promise<FittedRatings> {
  const { file, anchors, seed } = request
  const { rounds, ignored, unrated } = await readRounds(file)
  if (rounds.length === 0) throw new InputError('no rated round in it', { place: file })
  checkNames(anchors, rounds, file)
  const played = withBattles(rounds)
  const bases = basesOf(played)
  const pool = ratePool(played, bases, { anchors, seed })
  const inside = played.filter(({ submitter }) => pool.ratings.has(submitter))
  const battles = tabulateBattles(toBattles(inside))
  const range = { seed, from: 0, to: request.bootstrap }
  const drawn =
    request.bootstrap === 0
      ? null
      : readBootstrap(
          request.model === 'role'
            ? bootstrapRoles(tabulate(inside), range)
            : bootstrapBattles(battles, range),
          pool.centre,
        )
  const { fit } = pool
  const competitors = [...pool.ratings]
    .map(([competitor, rating]): FittedCompetitor => {
      const { battles: played = 0, tasks = 0, opponents = 0 } = bases.get(competitor) ?? {}
      return {
        competitor,
        submitter: fit.submitter.get(competitor) ?? 0,
        reviewer: fit.reviewer.get(competitor) ?? 0,
        overall: fit.overall.get(competitor) ?? 0,
        ...rating,
        battles: played,
        tasks,
        opponents,
        bootstrap: drawn?.get(competitor) ?? null,
      }
    })
    .sort((a, b) => b.overall - a.overall || (a.competitor < b.competitor ? -1 : 1))
  return {
    engine: RATINGS_VERSION,
    penalties: ROLE_PENALTIES,
    seed,
    rounds: rounds.length,
    battles: battles.battles,
    decisive: battles.decisive,
    unrated,
    ignored,
    mu: Number.isFinite(fit.mu) ? fit.mu : null,
    centre: pool.centre,
    centredOn: pool.centredOn,
    apart: pool.apart,
    alike: pool.alike,
    auditAlarms: pool.auditAlarms,
    fragility: fragilityOf(inside),
    competitors,
    tasks: fit.tasks.map((task) => ({ task, difficulty: fit.task.get(task) ?? 0 })),
  }
}

/** Compares two competitors of a file of rounds. Throws InputError as fitFile does. */
export async function compareInFile(
  file: string,
  a: string,
  b: string,
  leadElo?: number,
): Promise<PairComparison> {
  const { rounds } = await readRounds(file)
  checkNames([a, b], rounds, file)
  if (a === b) throw new InputError(`${a} is compared with itself`, { remedy: 'name two competitors' })
  return comparePair(fitRoleModel(rounds), toBattles(rounds), a, b, leadElo)
}
