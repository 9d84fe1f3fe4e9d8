import { join } from 'node:path'
import { type PlayedSeason, playSeasonFile } from '../../src/arena/play-season.ts'
import type { Ci } from '../../src/ci/port.ts'
import { readConfig } from '../../src/config.ts'
import { createCells } from '../../src/match/cells.ts'
import { readSeason } from '../../src/match/read-season.ts'
import type { ArenaEvent } from '../../src/schema/event.ts'
import { type Generation, generationIdsOf, type Round } from '../../src/schema/match.ts'
import { openStore } from '../../src/store/open-store.ts'
import type { Store } from '../../src/store/store.ts'
import { fakeCi, GOOD_RUN } from '../match/fakes.ts'
import { testsRun } from './worlds.ts'

/** CI without a sandbox: what depends on the trees does so in a fixed way. */
export const treeCi: Ci = fakeCi({
  runWorkflow: async () => GOOD_RUN,
  runTests: async ({ task, changes, cases }) => {
    const isBase = changes === null || changes.digest === task.commentedBase.digest
    const outcome = isBase ? 'failed' : 'passed'
    return testsRun({ test: Object.fromEntries(cases.map((one) => [`${one.file} ${one.case}`, outcome])) })
  },
})

export interface FakeSeason {
  /** Holds the data folders. */
  readonly folder: string
  readonly seasonFile: string
  /** Name of the data folder. */
  readonly data: string
  readonly ci?: Ci | undefined
  readonly replay?: string | undefined
  readonly env?: Readonly<Record<string, string>> | undefined
  readonly signal?: AbortSignal | undefined
  readonly onEvent?: ((event: ArenaEvent) => void) | undefined
}

export interface FakePlayed extends PlayedSeason {
  readonly generations: readonly Generation[]
  readonly events: readonly ArenaEvent[]
}

async function generationsOf(rounds: readonly Round[], store: Store): Promise<readonly Generation[]> {
  const ids = [...new Set(rounds.flatMap(generationIdsOf))].sort()
  const found = await Promise.all(ids.map((id) => store.generations.find(id)))
  return found.filter((generation) => generation !== undefined)
}

/** Plays a season file with real players and store, and CI that is none. */
export async function playFakeSeason(season: FakeSeason): Promise<FakePlayed> {
  const { folder, data, ci = treeCi, replay, env = {}, signal } = season
  const store = await openStore({ dataDir: join(folder, data), now: () => new Date() })
  const events: ArenaEvent[] = []
  const onEvent = (event: ArenaEvent): void => {
    events.push(event)
    season.onEvent?.(event)
  }
  try {
    const played = await playSeasonFile({
      file: await readSeason(season.seasonFile),
      config: readConfig(env, folder, { data }),
      store,
      workplace: {
        templates: join(folder, data, 'templates'),
        toolchains: {
          binds: [],
          path: [],
          env: {},
          tools: { python: { path: 'python3', version: '3' }, pytest: { path: 'pytest', version: '8' } },
          digest: '',
        },
      },
      cells: createCells({ ci, store: store.cells, now: () => 0, onEvent, signal }),
      environment: ci.environmentDigest,
      now: () => Date.now(),
      onEvent,
      allowLoopback: replay === undefined,
      replay,
      signal,
    })
    return { ...played, generations: await generationsOf(played.rounds, store), events }
  } finally {
    await store.close()
  }
}
