import { digestOfValue } from '../schema/canonical.ts'
import type { Competitor } from '../schema/competitor.ts'
import type { OnEvent } from '../schema/event.ts'
import type { Digest } from '../schema/ids.ts'
import type { Round, Season } from '../schema/match.ts'
import { askAhead } from './ask-ahead.ts'
import { type BattlePorts, playBattle } from './battle.ts'
import { drawsOf } from './choose.ts'
import { mapLimited } from './limit.ts'
import { controlOf, planSeason } from './plan.ts'
import { patchAsks } from './protocols/blind.ts'
import { protocols } from './protocols/index.ts'
import { blindAsk, NOTHING_YET } from './protocols/step.ts'
import type { TaskInPlay } from './round.ts'

export interface SeasonRequest {
  readonly season: Season
  readonly seasonDigest: Digest
  readonly tasks: readonly TaskInPlay[]
  readonly competitors: readonly Competitor[]
  readonly controls: readonly Competitor[]
  readonly repeat: number
}

/** What a season keeps while it is played; ids are stable, so that a killed one goes on where it was. */
export interface SeasonStore {
  addBattles(
    battles: readonly {
      id: Digest
      seasonDigest: Digest
      task: string
      taskId: string
      a: string
      b: string
    }[],
  ): Promise<void>
  findRound(id: string): Promise<Round | undefined>
  saveRound(round: Round): Promise<void>
  /** Keeps a real verdict and its cells beside the void that was stored for the round: from now on it stands. */
  replaceVoid(round: Round): Promise<void>
  markBattle(id: string, state: 'settled' | 'void-closed', tries: number): Promise<void>
}

export interface SeasonPorts extends BattlePorts {
  readonly store: SeasonStore
  readonly onEvent: OnEvent
  /** Battles in flight: enough that CI never waits for a model. */
  readonly width: number
  /** Ends the season: no battle is begun, and one that is being played ends when its ports, which have it too, give up. */
  readonly signal?: AbortSignal | undefined
}

/** A stored verdict that the same cells no longer give: another judge version, listed and never edited here. */
export interface ChangedVerdict {
  readonly round: string
  readonly stored: string
  readonly now: string
}

export interface SeasonResult {
  readonly rounds: readonly Round[]
  readonly changed: readonly ChangedVerdict[]
  /** Ended by the signal before every battle was settled. */
  readonly interrupted: boolean
}

/** The digest that stands in every round: the season's rules, its tasks and what each competitor answers with. */
export function seasonDigestOf(
  season: Season,
  taskDigests: readonly string[],
  settings: ReadonlyMap<string, string>,
): Digest {
  const { tasks: _tasks, competitors: _competitors, prices, ...played } = season
  // Prices change what is played only where money is a limit.
  const rules = season.limits?.money === undefined ? played : { ...played, prices }
  return digestOfValue({ rules, tasks: [...taskDigests].sort(), settings: Object.fromEntries(settings) })
}

/** The round that stands after it was played. */
async function keep(round: Round, stored: Round | undefined, store: SeasonStore): Promise<Round> {
  if (!stored) {
    await store.saveRound(round)
    return round
  }
  if (stored.verdict.kind !== 'void' || round.verdict.kind === 'void') return stored
  await store.replaceVoid(round)
  return round
}

/** A void of today says nothing about a stored verdict. */
const isOtherVerdict = (stored: Round, round: Round): boolean =>
  round.verdict.kind !== 'void' && stored.verdict.kind !== round.verdict.kind

const isAbort = (error: unknown, signal: AbortSignal): boolean =>
  error === signal.reason || (error instanceof Error && error.name === 'AbortError')

/**
 * Plays every battle of a season. Battles that were settled before are decided again from their cells, which is cheap
 * and shows whether the stored verdict still stands; nothing stored is ever overwritten. A stored void is no verdict: a real
 * one, when it comes, stands in its place. When the signal ends a battle, nothing of it is kept but whole cells.
 */
export async function playSeason(request: SeasonRequest, ports: SeasonPorts): Promise<SeasonResult> {
  const { season, seasonDigest, store } = { ...request, store: ports.store }
  const byDigest = new Map(request.tasks.map((task) => [task.prepared.loaded.digest, task]))
  const battles = planSeason({
    seasonDigest,
    taskDigests: [...byDigest.keys()],
    competitors: request.competitors,
    controls: season.controls ? request.controls : [],
    repeat: request.repeat,
    protocol: season.protocol,
    selfPlay: season.selfPlay,
  })
  const total = battles.reduce((sum, battle) => sum + battle.rounds.length, 0)
  ports.onEvent({
    kind: 'season-started',
    season: season.title,
    tasks: byDigest.size,
    competitors: request.competitors.length,
    rounds: total,
  })
  await store.addBattles(
    battles.flatMap((battle) => {
      const first = battle.rounds[0]
      const task = byDigest.get(battle.taskDigest)
      if (!first || !task) return []
      const taskId = task.prepared.loaded.task.id
      return [
        {
          id: battle.id,
          seasonDigest,
          task: battle.taskDigest,
          taskId,
          a: first.submitter.id,
          b: first.reviewer.id,
        },
      ]
    }),
  )
  const changed: ChangedVerdict[] = []
  let done = 0
  const draws = drawsOf(season)
  const { ahead: aheadKinds } = protocols[season.protocol]
  const ahead = askAhead(
    battles,
    (digest) => byDigest.get(digest),
    (competitor, kind) => {
      if (!aheadKinds.includes(kind)) return []
      if (kind === 'tests') return [blindAsk(kind)]
      const drawn = controlOf(competitor) === null ? draws : undefined
      return patchAsks({ ...NOTHING_YET, draws: drawn?.k ?? 1, temperature: drawn?.temperature })
    },
    ports.generate,
  )
  const playing = mapLimited(battles, ports.width, async (battle): Promise<readonly Round[]> => {
    const task = byDigest.get(battle.taskDigest)
    if (!task || ports.signal?.aborted) return []
    const setting = { season: season.id, seasonDigest, protocol: season.protocol, draws }
    const result = await playBattle(battle, task, setting, ports).catch((error: unknown) => {
      if (ports.signal?.aborted && isAbort(error, ports.signal)) return undefined
      throw error
    })
    if (!result) return []
    const kept: Round[] = []
    for (const round of result.rounds) {
      const stored = await store.findRound(round.id)
      const standing = await keep(round, stored, store)
      if (standing === stored && isOtherVerdict(stored, round))
        changed.push({ round: round.id, stored: stored.verdict.kind, now: round.verdict.kind })
      kept.push(standing)
      ports.onEvent({
        kind: 'round',
        task: round.taskId,
        submitter: round.submitter,
        reviewer: round.reviewer,
        verdict: standing.verdict.kind,
        done: ++done,
        total,
      })
    }
    await store.markBattle(battle.id, result.state, result.tries)
    return kept
  })
  const played = await playing.finally(() => ahead.stop())
  const rounds = played.flat()
  return { rounds, changed, interrupted: rounds.length < total }
}
