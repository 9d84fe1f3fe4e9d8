import { InputError } from '../src/errors.ts'
import { resultOf } from '../src/ratings/battles.ts'
import { AUDIT_LIMIT, basesOf, RANK_RULE, type RatedPool, ratePool } from '../src/ratings/rate-pool.ts'
import { LIMITS } from '../src/ratings/state.ts'
import type { Protocol } from '../src/schema/match.ts'
import type { CourtReport, StandingRow, Standings } from '../src/schema/rating.ts'
import { afterCourt, type CourtFinding, holdCourt, overSpecifiedFor } from '../src/verdict/kill-court.ts'
import { controlRows } from './controls.ts'
import {
  type SortedRounds,
  type StandingCompetitor,
  type StandingRound,
  sortRounds,
} from './rated-battles.ts'

export interface StandingsRequest {
  readonly season: string
  readonly title: string
  readonly protocol: Protocol
  readonly tasks: readonly { readonly id: string; readonly language: string }[]
  readonly competitors: readonly StandingCompetitor[]
  /** The season's rounds, each once, controls included; in any order. */
  readonly rounds: readonly StandingRound[]
  /** Competitors whose mean rating is 1500; may be empty. */
  readonly anchors: readonly string[]
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0)

/** Of its different patches, over all its rounds, those that the upstream tests call right. */
function resolvedShareOf(id: string, rounds: readonly StandingRound[]): number | null {
  const known = new Map<string, boolean>()
  for (const { submitter, patch, verdict } of rounds)
    if (submitter === id && verdict.resolved !== 'unknown') known.set(patch, verdict.resolved === 'yes')
  return known.size === 0 ? null : [...known.values()].filter(Boolean).length / known.size
}

/** Rounds in which its tests met a patch that the upstream tests call right, or wrong, and how many of those survived. */
function facedBy(id: string, rounds: readonly StandingRound[], resolved: 'yes' | 'no') {
  const faced = rounds.filter(
    ({ reviewer, verdict }) =>
      reviewer === id &&
      verdict.playable === 'yes' &&
      verdict.resolved === resolved &&
      verdict.admitted.length > 0,
  )
  return { faced: faced.length, survived: faced.filter(({ verdict }) => verdict.y === 1).length }
}

const shareOf = (part: number, whole: number): number | null => (whole === 0 ? null : part / whole)

function recordOf(id: string, { battles }: SortedRounds) {
  const results = battles
    .filter(({ a, b }) => a === id || b === id)
    .map((battle) => {
      const result = resultOf(battle)
      return result === 'draw' ? 'draw' : battle[result] === id ? 'win' : 'loss'
    })
  const count = (wanted: string): number => results.filter((result) => result === wanted).length
  return { wins: count('win'), losses: count('loss'), draws: count('draw') }
}

/** A void is nobody's loss; a no-contest is a forfeit of both. */
const hasForfeited = (id: string, { submitter, verdict: { kind } }: StandingRound): boolean =>
  kind === 'no-contest' || kind === (submitter === id ? 'submitter-forfeit' : 'reviewer-forfeit')

function rowOf(
  competitor: StandingCompetitor,
  request: StandingsRequest,
  sorted: SortedRounds,
  pool: RatedPool,
  court: CourtFinding,
): StandingRow {
  const { id, label } = competitor
  const isOwn = ({ submitter, reviewer }: StandingRound): boolean => submitter === id || reviewer === id
  const own = sorted.counted.filter(isOwn)
  const patchPoints = sum(own.map((round) => (round.submitter === id ? round.verdict.points.submitter : 0)))
  const reviewPoints = sum(own.map((round) => (round.reviewer === id ? round.verdict.points.reviewer : 0)))
  const [wrong, right] = [facedBy(id, own, 'no'), facedBy(id, own, 'yes')]
  const killing = new Set(
    own.filter(({ verdict }) => verdict.kind === 'reviewer-win').map((round) => round.id),
  )
  const kills = court.kills.filter(({ reviewer, round }) => reviewer === id && killing.has(round))
  const contested = kills.filter(({ kind }) => kind === 'contested')
  const rating = pool.ratings.get(id)
  const shown = rating && rating.state !== 'record' ? rating : null
  return {
    competitor: id,
    label,
    state: competitor.retired ? 'retired' : (rating?.state ?? 'record'),
    points: patchPoints + reviewPoints,
    patchPoints,
    reviewPoints,
    rating: shown?.rating ?? null,
    se: shown?.se ?? null,
    low: shown?.low ?? null,
    high: shown?.high ?? null,
    patchRating: shown?.patch ?? null,
    reviewRating: shown?.review ?? null,
    bounded: shown?.bounded ?? null,
    rankBest: shown?.rank?.best ?? null,
    rankWorst: shown?.rank?.worst ?? null,
    battles: new Set(own.map(({ battle }) => battle)).size,
    ...recordOf(id, sorted),
    rounds: own.length,
    voids: sorted.voided.filter((round) => isOwn(round) && round.verdict.kind === 'void').length,
    forfeits: own.filter((round) => hasForfeited(id, round)).length,
    resolvedShare: resolvedShareOf(id, request.rounds),
    escapeRate: shareOf(wrong.survived, wrong.faced),
    falseKillRate: shareOf(right.faced - right.survived, right.faced),
    contestedShare: shareOf(contested.length, kills.length),
    tasks: new Set(own.map(({ taskId }) => taskId)).size,
    opponents: new Set(own.map(({ submitter, reviewer }) => (submitter === id ? reviewer : submitter))).size,
  }
}

/** Ranked ones first, by strength; the others by points, since their ratings are not firm enough to order them. */
function byPlace(strength: ReadonlyMap<string, number>, a: StandingRow, b: StandingRow): number {
  const strengthOf = ({ competitor }: StandingRow): number => strength.get(competitor) ?? 0
  const firm = (row: StandingRow): number => (row.state === 'rated' ? 0 : 1)
  const byName = a.competitor < b.competitor ? -1 : 1
  return (
    firm(a) - firm(b) ||
    (a.state === 'rated' ? strengthOf(b) - strengthOf(a) : 0) ||
    b.points - a.points ||
    byName
  )
}

const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`

function remarksOn(
  request: StandingsRequest,
  rows: readonly StandingRow[],
  sorted: SortedRounds,
  pool: RatedPool,
): string[] {
  const remarks: string[] = []
  const tasks = request.tasks.length
  const ranked = rows.filter((row) => row.state === 'rated').length
  const records = rows.filter((row) => row.state === 'record').length
  const provisional = rows.length - ranked - records
  if (rows.length > 0 && ranked === 0)
    remarks.push(
      `Nobody is ranked: this season has ${counted(tasks, 'task')}, and ${RANK_RULE}. The order is by points${provisional > 0 ? '; ratings are provisional' : ''}.`,
    )
  else if (ranked < rows.length)
    remarks.push(
      `${rows.length - ranked} of ${rows.length} are not ranked: ${RANK_RULE}. They stand below, by points.`,
    )
  if (records > 0)
    remarks.push(
      `${counted(records, 'competitor')} with under ${LIMITS.battles} battles, or whom the others never met: the record only, no rating.`,
    )
  if (records < rows.length) {
    const centre = {
      anchors: `1500 is the mean of the anchors (${pool.centre.join(', ')}).`,
      rated: 'The season names no anchors that played: 1500 is the mean of its ranked competitors.',
      everybody: 'The season names no anchors that played: 1500 is the mean of its competitors.',
    }
    remarks.push(
      pool.centreIsPart
        ? `1500 is the mean of ${pool.centre.join(', ')}: among them decisive battles went both ways, so that distances are known.`
        : centre[pool.centredOn],
    )
  }
  const oneSided = rows.filter((row) => row.bounded !== null && row.bounded !== 'both')
  if (oneSided.length > 0)
    remarks.push(
      `A limit and no rating where decisive battles went one way only, or where there were none: ${oneSided.map((row) => row.competitor).join(', ')}.`,
    )
  if (pool.auditAlarms.length > 0)
    remarks.push(
      `The audit model says something else of ${pool.auditAlarms.join(', ')} (|z| above ${AUDIT_LIMIT}): a snapshot of this is not published.`,
    )
  if (pool.alike) remarks.push('Every rated round ended alike: nobody can be told from anybody by rating.')
  if (pool.apart.length > 0)
    remarks.push(
      `Not comparable, since they never met the others even through third ones: ${pool.apart.join(', ')}.`,
    )
  if (sorted.voided.length > 0)
    remarks.push(
      `${counted(new Set(sorted.voided.map(({ battle }) => battle)).size, 'battle')} with a void round left out whole: the environment broke, and nobody is to blame.`,
    )
  if (sorted.sameTeam.length > 0)
    remarks.push(
      `${counted(sorted.sameTeam.length, 'round')} between competitors of one team shown and not counted.`,
    )
  if (sorted.unguarded.length > 0)
    remarks.push(
      `${counted(sorted.unguarded.length, 'round')} played without hard limits or without an armed test process: points count, ratings do not.`,
    )
  return remarks
}

/** What the court did, for people; nothing where no test was found over-specified. */
function courtRemarks({ overSpecified }: CourtFinding, changed: number): readonly string[] {
  if (overSpecified.length === 0) return []
  return [
    `Kill court: ${counted(overSpecified.length, 'test')} found over-specified, ${counted(changed, 'verdict')} changed; the table is after the court, and the one as judged stands beside it.`,
  ]
}

function checkNames({ competitors, rounds }: StandingsRequest): ReadonlyMap<string, StandingCompetitor> {
  const byId = new Map(competitors.map((competitor) => [competitor.id, competitor]))
  for (const round of rounds)
    for (const id of [round.submitter, round.reviewer])
      if (!byId.has(id))
        throw new InputError(`a round names ${id}, who is not among the competitors`, {
          place: `round ${round.id}`,
        })
  return byId
}

interface Table {
  readonly sorted: SortedRounds
  readonly pool: RatedPool
  readonly rows: readonly StandingRow[]
}

function tableOf(
  request: StandingsRequest,
  byId: ReadonlyMap<string, StandingCompetitor>,
  court: CourtFinding,
): Table {
  const sorted = sortRounds(request.rounds, byId)
  const pool = ratePool(sorted.rated, basesOf(sorted.rated), {
    anchors: request.anchors,
    retired: request.competitors.filter(({ retired }) => retired).map(({ id }) => id),
  })
  const rows = request.competitors
    .filter(({ control }) => !control)
    .map((competitor) => rowOf(competitor, request, sorted, pool, court))
    .sort((a, b) => byPlace(pool.fit.overall, a, b))
  return { sorted, pool, rows }
}

const reportOf = (court: CourtFinding, changed: readonly StandingRound[]): CourtReport => ({
  notHeld: court.notHeld,
  overSpecified: [...court.overSpecified],
  kills: {
    corroborated: court.kills.filter(({ kind }) => kind === 'corroborated').length,
    contested: court.kills.filter(({ kind }) => kind === 'contested').length,
  },
  changed: changed.map(({ id, taskId, submitter, reviewer }) => ({
    round: id,
    task: taskId,
    submitter,
    reviewer,
  })),
})

/** A season's table with what it was made from. */
export interface RatedSeason {
  readonly standings: Standings
  readonly court: CourtFinding
  /** The rounds after the court, in the order of the request. */
  readonly settled: readonly StandingRound[]
  readonly sorted: SortedRounds
  readonly pool: RatedPool
}

/**
 * The table of a season, from its rounds alone, as they were judged: anybody with the rounds gets the same table, whatever
 * their order. In a blind season the kill court is held first, and the rows as judged stand beside those after it. A void
 * round drops both rounds of its battle, a no-contest only itself (its points count, the models never see it); rounds of
 * one team count for nothing; controls stand apart. Throws InputError when a round names somebody unknown.
 */
export function computeSeason(request: StandingsRequest): RatedSeason {
  const byId = checkNames(request)
  const court = holdCourt({
    protocol: request.protocol,
    teamOf: (id) => byId.get(id)?.team ?? id,
    rounds: request.rounds,
  })
  const settled = request.rounds.map((round) => {
    const verdict = afterCourt(round.verdict, overSpecifiedFor(court, round))
    return verdict === round.verdict ? round : { ...round, verdict }
  })
  const changed = request.rounds
    .filter((round, index) => settled[index]?.verdict.kind !== round.verdict.kind)
    .sort((a, b) => (a.id < b.id ? -1 : 1))
  const after = { ...request, rounds: settled }
  const { sorted, pool, rows } = tableOf(after, byId, court)
  const between = settled.filter((round) => !round.control)
  const standings: Standings = {
    season: request.season,
    title: request.title,
    protocol: request.protocol,
    tasks: request.tasks.map(({ id, language }) => ({ id, language })),
    rows: [...rows],
    court: reportOf(court, changed),
    asJudged: changed.length > 0 ? [...tableOf(request, byId, court).rows] : null,
    controls: [...controlRows(settled, request.competitors)],
    rounds: between.length,
    battles: new Set(between.map(({ battle }) => battle)).size,
    voidRounds: between.filter(({ verdict }) => verdict.kind === 'void').length,
    remarks: [...remarksOn(after, rows, sorted, pool), ...courtRemarks(court, changed.length)],
  }
  return { standings, court, settled, sorted, pool }
}

export const computeStandings = (request: StandingsRequest): Standings => computeSeason(request).standings
