import { randomUUID } from 'node:crypto'
import { cpus } from 'node:os'
import { join } from 'node:path'
import { languages } from '../languages/index.ts'
import { buildApp } from './api/app.ts'
import { type Listening, listen } from './api/server.ts'
import { LIMITS, MUTANT_TIMEOUTS, OUTPUT_BYTES, TIMEOUTS } from './arena/ci-limits.ts'
import { closeAll } from './arena/close-all.ts'
import { measureVerifier, type VerifierReport } from './arena/measure-verifier.ts'
import { type MutantReport, type MutantsPorts, type MutantsRequest, measureMutants } from './arena/mutants.ts'
import { type PlayedSeason, playSeasonFile } from './arena/play-season.ts'
import { type RatedClarity, rateClarity } from './arena/rate-clarity.ts'
import { recordSeason } from './arena/record-season.ts'
import { type Rejudged, rejudgeSeason } from './arena/rejudge.ts'
import { findRound, loadStandings, queriesOn } from './arena/show-season.ts'
import { exportSnapshot, type TakenSnapshot, takeSnapshot } from './arena/snapshots.ts'
import { type VerifiedTask, verifyTasks } from './arena/verify-tasks.ts'
import { warmOptions } from './arena/warm-options.ts'
import { openWorkplace, type Workplace } from './arena/workplace.ts'
import { createCi } from './ci/ci.ts'
import { readSecret } from './ci/secret.ts'
import type { SandboxUsage } from './ci/session.ts'
import type { Config } from './config.ts'
import { messageOf } from './errors.ts'
import { createCells } from './match/cells.ts'
import { readPrices } from './match/read-prices.ts'
import { readSeason, type SeasonFile } from './match/read-season.ts'
import type { AddressPolicy } from './models/address-guard.ts'
import type { OnEvent } from './schema/event.ts'
import type { LanguageId } from './schema/language.ts'
import type { Standings } from './schema/rating.ts'
import type { Recording } from './schema/recording.ts'
import type { AssessorSpec } from './schema/scorer.ts'
import type { RoundView } from './schema/view.ts'
import { openStore } from './store/open-store.ts'
import type { Store } from './store/store.ts'
import { findTaskFolders } from './task/load.ts'

const LAYER_BYTES = 4 * 2 ** 30

export interface ArenaOptions {
  readonly config: Config
  /** The arena's own folder. */
  readonly home: string
  /** Said to another process that finds the data folder in use: `arena demo`. */
  readonly owner: string
  readonly onEvent: OnEvent
}

export interface PlayOptions {
  readonly language?: LanguageId | undefined
  readonly allowLoopback: boolean
  /** Private addresses that endpoints, and registries in a warm phase, may have. */
  readonly allowAddresses?: readonly string[] | undefined
  /** A recording's folder: no endpoint is called. */
  readonly replay?: string | undefined
  /** A price list's file, in place of the season's own. */
  readonly prices?: string | undefined
  readonly signal?: AbortSignal | undefined
}

export interface AssessOptions {
  readonly addresses: AddressPolicy
  readonly signal: AbortSignal
}

/** What a command or a server works with. Close it: it holds a database, a lock and sandboxes. */
export interface Arena {
  readonly store: Store
  /** `season`: a season file's path, or one that was put together. */
  playSeason(
    season: string | SeasonFile,
    options: PlayOptions,
  ): Promise<PlayedSeason & { readonly usage: SandboxUsage }>
  /** Verifies task folders by their real CI: three executors, the last of which keeps nothing of the others. */
  verifyTasks(
    paths: readonly string[],
    options: {
      readonly again: boolean
      readonly allowAddresses: readonly string[]
      readonly signal?: AbortSignal | undefined
    },
  ): Promise<readonly VerifiedTask[]>
  standings(seasonId?: string): Promise<Standings | undefined>
  /** By its id, or by the first 12 or more characters of it. Throws InputError when several rounds begin so. */
  round(id: string): Promise<RoundView | undefined>
  rejudge(seasonId: string): Promise<Rejudged>
  /** Keeps a snapshot of a season's ratings as they are now, and writes it to a new folder where one is given. */
  snapshot(seasonId: string, folder?: string): Promise<TakenSnapshot>
  /** Wrong patches made of a task's golden one, and which tests kill which. */
  mutants(
    request: MutantsRequest,
    options: { readonly allowAddresses: readonly string[]; readonly signal: AbortSignal },
  ): Promise<MutantReport>
  /** How well a model tells golden patches of tasks from mutants of them; the mutants are found as `mutants` does. */
  measureVerifier(
    request: {
      readonly spec: AssessorSpec
      /** Task folders; absolute. */
      readonly paths: readonly string[]
      readonly most: number
      readonly contextTokens: number
    },
    options: AssessOptions,
  ): Promise<VerifierReport>
  /** How clearly the issues of tasks say what is to be done, as a model rates them. */
  rateClarity(
    request: { readonly spec: AssessorSpec; readonly paths: readonly string[] },
    options: AssessOptions,
  ): Promise<readonly RatedClarity[]>
  /** Writes what models answered in a season to a new folder. */
  record(seasonId: string, folder: string): Promise<Recording>
  serve(options: { readonly port: number; readonly host: string }): Promise<Listening>
  close(): Promise<void>
}

const now = (): number => Date.now()

/** Wires the parts, the one place where that is done. Sandboxes are looked for when something is first played. */
export async function openArena(options: ArenaOptions): Promise<Arena> {
  const { config, onEvent } = options
  const store = await openStore({
    dataDir: config.dataDir,
    ...(config.databaseUrl ? { databaseUrl: config.databaseUrl } : {}),
    now: () => new Date(),
    owner: options.owner,
  })
  const closing: (() => Promise<unknown>)[] = [() => store.close()]
  const ciOn = (
    workplace: Pick<Workplace, 'runner' | 'toolchains' | 'workFolder'>,
    secret: string,
    allowAddresses: readonly string[],
    { cold = false, timeouts = TIMEOUTS } = {},
  ) =>
    createCi({
      runner: workplace.runner,
      toolchains: workplace.toolchains,
      toolsFolder: join(options.home, 'languages', 'tools'),
      workFolder: workplace.workFolder,
      limits: LIMITS,
      timeouts,
      outputBytes: OUTPUT_BYTES,
      secret,
      parallel: config.parallel ?? cpus().length,
      layerBytes: LAYER_BYTES,
      warm: {
        ...warmOptions({ config, allowAddresses, reuse: !cold }),
        folder: join(config.dataDir, 'work', 'warm'),
      },
      adapterOf: (language) => languages[language],
      putBlob: (bytes) => store.blobs.put(bytes),
      newId: () => randomUUID(),
      onEvent,
    })
  const mutantPorts = async (
    allowAddresses: readonly string[],
    signal: AbortSignal,
  ): Promise<MutantsPorts> => {
    const workplace = await openWorkplace(config, process.pid)
    closing.push(() => workplace.close())
    const secret = await readSecret(config.dataDir)
    const ci = ciOn(workplace, secret, allowAddresses)
    closing.push(() => ci.close())
    const workFolder = join(workplace.workFolder, 'mutants')
    const timeouts = MUTANT_TIMEOUTS
    const mutantCi = ciOn({ ...workplace, workFolder }, secret, allowAddresses, { timeouts })
    closing.push(() => mutantCi.close())
    const about = { store: store.cells, now, onEvent, signal }
    return {
      workplace,
      cells: createCells({ ...about, ci }),
      mutantCells: createCells({ ...about, ci: mutantCi }),
    }
  }
  return {
    store,
    async playSeason(season, play) {
      const read = typeof season === 'string' ? await readSeason(season) : season
      const prices = play.prices === undefined ? read.season.prices : await readPrices(play.prices)
      const file = { ...read, season: { ...read.season, ...(prices ? { prices } : {}) } }
      const workplace = await openWorkplace(config, process.pid)
      closing.push(() => workplace.close())
      const ci = ciOn(workplace, await readSecret(config.dataDir), play.allowAddresses ?? [])
      closing.push(() => ci.close())
      const played = await playSeasonFile({
        ...play,
        file,
        config,
        store,
        workplace,
        cells: createCells({ ci, store: store.cells, now, onEvent, signal: play.signal }),
        environment: ci.environmentDigest,
        now,
        onEvent,
      })
      return { ...played, usage: ci.usage() }
    },
    async verifyTasks(paths, { again, allowAddresses, signal }) {
      const workplace = await openWorkplace(config, process.pid)
      closing.push(() => workplace.close())
      const secret = await readSecret(config.dataDir)
      const executors = [1, 2, 3].map((run) => {
        const workFolder = join(workplace.workFolder, `verification-${run}`)
        return ciOn({ ...workplace, workFolder }, secret, allowAddresses, { cold: run === 3 })
      })
      for (const ci of executors) closing.push(() => ci.close())
      return verifyTasks({
        paths,
        workplace,
        cells: executors.map((ci) => createCells({ ci, store: store.cells, now, onEvent, signal })),
        environment: executors[0]?.environmentDigest ?? '',
        again,
        now,
        onEvent,
        signal,
      })
    },
    standings: (seasonId) => loadStandings(store, seasonId),
    round: (id) => findRound(store, id),
    rejudge: (seasonId) => rejudgeSeason(store, seasonId, now),
    snapshot: async (seasonId, folder) => {
      const taken = await takeSnapshot(store, seasonId, now)
      if (folder !== undefined && taken.auditAlarms.length === 0)
        await exportSnapshot(store, taken.digest, folder)
      return taken
    },
    async mutants(request, { allowAddresses, signal }) {
      return measureMutants(request, await mutantPorts(allowAddresses, signal))
    },
    async measureVerifier({ spec, paths, most, contextTokens }, { addresses, signal }) {
      const ports = await mutantPorts(addresses.allow, signal)
      const tasks = []
      for (const folder of (await Promise.all(paths.map(findTaskFolders))).flat()) {
        const { mutants } = await measureMutants({ taskPath: folder, tests: [], most }, ports)
        tasks.push({ folder, mutants })
      }
      const { templates } = ports.workplace
      const about = { spec, tasks, contextTokens, config, templates, store, addresses, now, onEvent, signal }
      return measureVerifier(about)
    },
    rateClarity: ({ spec, paths }, { addresses, signal }) =>
      rateClarity({ spec, paths, config, store, addresses, now, signal }),
    record: (seasonId, folder) => recordSeason(store, seasonId, folder),
    serve: async ({ port, host }) => {
      const app = buildApp({
        queries: queriesOn(store),
        log: ({ method, url, error }) =>
          onEvent({ kind: 'warning', message: `${method} ${url}: ${messageOf(error)}` }),
      })
      const listening = await listen(app, { port, host })
      closing.push(() => listening.close())
      return listening
    },
    close: () => closeAll(closing.splice(0).reverse()),
  }
}
