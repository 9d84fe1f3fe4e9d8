import type { Config } from '../config.ts'
import { EnvironmentError, messageOf } from '../errors.ts'
import type { Cells } from '../match/cells.ts'
import { CONTROLS, type SeasonFile, VERIFIER } from '../match/read-season.ts'
import type { TaskInPlay } from '../match/round.ts'
import { type ChangedVerdict, playSeason, seasonDigestOf } from '../match/season.ts'
import { type DrawSummary, summariseDraws } from '../match/verifier-quality.ts'
import { openReplay } from '../models/replay.ts'
import { createReranker } from '../models/rerank.ts'
import { priceOf } from '../players/spending.ts'
import type { OnEvent } from '../schema/event.ts'
import type { LanguageId } from '../schema/language.ts'
import type { Round } from '../schema/match.ts'
import type { Standings } from '../schema/rating.ts'
import type { Store } from '../store/store.ts'
import { thenClose } from './close-all.ts'
import { createContextPacks } from './context-packs.ts'
import { createPlayers } from './players.ts'
import { loadStandings } from './show-season.ts'
import { takeSnapshot } from './snapshots.ts'
import { loadSpending, type SeasonSpending } from './spending.ts'
import { loadTasksInPlay, statementOf, type TasksInPlay, type TasksRequest } from './tasks-in-play.ts'
import { choosePatch, createVerifier } from './verifier.ts'

export interface PlaySeasonRequest {
  readonly file: SeasonFile
  readonly language?: LanguageId | undefined
  readonly config: Config
  readonly store: Store
  readonly workplace: TasksRequest['workplace']
  readonly cells: Cells
  readonly environment: string
  readonly now: () => number
  readonly onEvent: OnEvent
  readonly allowLoopback: boolean
  readonly allowAddresses?: readonly string[] | undefined
  /** A folder that arena record has written: endpoints are not called, their recorded answers are taken. */
  readonly replay?: string | undefined
  readonly signal?: AbortSignal | undefined
}

export interface PlayedSeason {
  /** Its id. */
  readonly season: string
  readonly rounds: readonly Round[]
  readonly changed: readonly ChangedVerdict[]
  readonly interrupted: boolean
  readonly leftOut: TasksInPlay['leftOut']
  readonly standings: Standings | undefined
  readonly cells: { readonly hit: number; readonly miss: number }
  readonly spending: SeasonSpending
  /** Under best of k: what drawing several patches was worth; empty otherwise. */
  readonly draws: readonly DrawSummary[]
}

/** Battles in flight: CI is bounded by its sandboxes, models by their endpoints; this keeps both busy. */
const WIDTH = 16

/** A snapshot of every season that was played to its end, unless the audit model contradicts it. */
async function keepSnapshot(
  store: Store,
  season: string,
  now: () => number,
  onEvent: OnEvent,
): Promise<void> {
  const { auditAlarms } = await takeSnapshot(store, season, now)
  if (auditAlarms.length > 0)
    onEvent({
      kind: 'warning',
      message: `no snapshot was kept: the audit model says something else of ${auditAlarms.join(', ')}`,
    })
}

/** Plays a season file from start to end, or goes on where it was. */
export async function playSeasonFile(request: PlaySeasonRequest): Promise<PlayedSeason> {
  const { file, store, now, onEvent } = request
  const { season, competitors } = file
  const replay = request.replay === undefined ? undefined : await openReplay(request.replay)
  const addresses = { allowLoopback: request.allowLoopback, allow: request.allowAddresses ?? [] }
  const { rerank } = season.retrieval
  const reranker =
    rerank &&
    createReranker(rerank, {
      key: rerank.keyEnv === undefined ? undefined : request.config.secret(rerank.keyEnv),
      addresses,
      now,
      random: Math.random,
    })
  const packs = createContextPacks({
    season,
    dataDir: request.config.dataDir,
    reranker: rerank && reranker && { model: rerank.model, reranker },
    now,
    onEvent,
    signal: request.signal,
  })
  const players = createPlayers({
    replay,
    packs,
    season,
    settings: file.settings,
    repeat: file.repeat,
    config: request.config,
    store,
    now,
    onEvent,
    signal: request.signal,
    addresses,
  })
  const spec = season.bestOf?.verifier
  const verifier =
    spec &&
    createVerifier({
      spec,
      config: request.config,
      store,
      addresses,
      replay,
      keepFailures: true,
      budget: { limits: {}, price: priceOf(season.prices, VERIFIER, spec.endpoint.model) },
      now,
      onEvent,
      signal: request.signal,
    })
  const play = async (): Promise<PlayedSeason> => {
    players.open(competitors)
    const { tasks, leftOut } = await loadTasksInPlay({
      paths: file.taskPaths,
      language: request.language,
      statement: season.statement,
      workplace: request.workplace,
      store,
      onEvent,
    })
    if (tasks.length === 0)
      throw new EnvironmentError('none of the tasks can be played here', {
        remedy: `install ${[...new Set(leftOut.flatMap(({ packages }) => packages))].join(' ') || 'a toolchain'}`,
      })
    const taskDigests = tasks.map((task: TaskInPlay) => task.prepared.loaded.digest)
    const seasonDigest = seasonDigestOf(season, taskDigests, file.settings)
    await store.seasons.put({
      digest: seasonDigest,
      document: season,
      createdAt: new Date(now()).toISOString(),
    })
    for (const competitor of [...competitors, ...CONTROLS]) await store.competitors.put(competitor)
    await packs.prepare(tasks.map((task) => task.prepared))
    const estimates = players.estimate(
      tasks.map((task) => task.prepared),
      competitors,
    )
    if (replay)
      onEvent({ kind: 'warning', message: `endpoints are not called: answers come from ${request.replay}` })
    else for (const estimate of estimates) onEvent({ kind: 'estimate', ...estimate })
    const played = await playSeason(
      { season, seasonDigest, tasks, competitors, controls: CONTROLS, repeat: file.repeat },
      {
        generate: players.generate,
        choose: (task, patches) =>
          choosePatch(verifier, season.bestOf?.verifier?.endpoint.model ?? '', patches, {
            task,
            issue: statementOf(task.loaded, season.statement),
            pack: packs.packFor('patch', task),
          }),
        readLog: (digest) => store.blobs.get(digest),
        cells: request.cells,
        environment: request.environment,
        now,
        onEvent,
        width: WIDTH,
        signal: request.signal,
        store: {
          addBattles: async (battles) => {
            await store.battles.add(battles.map((battle) => ({ ...battle, state: 'queued', tries: 0 })))
          },
          findRound: (id) => store.rounds.find(id),
          saveRound: async (round) => {
            await store.rounds.save(round)
          },
          replaceVoid: async (round) => {
            await store.rounds.replaceVoid(round)
          },
          markBattle: async (id, state, tries) => {
            await store.battles.mark(id, state, tries)
          },
        },
      },
    )
    if (!played.interrupted) await keepSnapshot(store, season.id, now, onEvent)
    return {
      ...played,
      season: season.id,
      leftOut,
      standings: await loadStandings(store, season.id),
      cells: request.cells.counts(),
      spending: await loadSpending(store, played.rounds),
      draws: summariseDraws(played.rounds),
    }
  }
  const close = async (): Promise<void> => {
    await reranker?.close()
    await verifier?.close()
    await players.close()
  }
  return thenClose(play, close, (error) =>
    onEvent({ kind: 'warning', message: `closing the models failed too: ${messageOf(error)}` }),
  )
}
