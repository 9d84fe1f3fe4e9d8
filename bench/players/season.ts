import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { playSeasonFile } from '../../src/arena/play-season.ts'
import { createSemaphore } from '../../src/ci/semaphore.ts'
import { readConfig } from '../../src/config.ts'
import { createCells } from '../../src/match/cells.ts'
import { readSeason } from '../../src/match/read-season.ts'
import { openStore } from '../../src/store/open-store.ts'
import { messagesOf } from '../../test/helpers/answer-server.ts'
import { answering, startOpenAiServer } from '../../test/helpers/openai-server.ts'
import { testsRun } from '../../test/helpers/worlds.ts'
import { fakeCi, GOOD_RUN } from '../../test/match/fakes.ts'
import type { Places } from './main.ts'

export interface SeasonOptions {
  readonly latencyMs: number
  /** Answers that the endpoint works on at once; who comes above that waits there. */
  readonly atOnce: number
  readonly competitors: number
  readonly tasks: number
  /** Cells at once, and what each takes. */
  readonly cores: number
  readonly cellMs: number
}

const TASK = 'python-cron-weekday'

/** How many requests the endpoint worked on, summed over time. */
function createMeter() {
  let inside = 0
  let busyMs = 0
  let changedAt = 0
  let most = 0
  let requests = 0
  let firstAt: number | undefined
  let lastAt = 0
  const move = (by: number): void => {
    const now = performance.now()
    busyMs += inside * (now - changedAt)
    changedAt = now
    inside += by
    most = Math.max(most, inside)
    lastAt = now
  }
  return {
    enter() {
      firstAt ??= performance.now()
      requests++
      move(1)
    },
    leave: () => move(-1),
    read: () => ({ busyMs, most, requests, spanMs: lastAt - (firstAt ?? 0) }),
  }
}

/** Plays a season of copies of one task, and says how busy its endpoint was kept from the first request to the last. */
export async function season(
  { root, scratch }: Places,
  options: SeasonOptions,
): Promise<Record<string, string | number>> {
  const answers = join(root, 'examples', 'competitors', 'steady', TASK)
  const [patch, tests] = ['patch.md', 'tests.md'].map((name) => readFileSync(join(answers, name), 'utf8'))
  const meter = createMeter()
  const gate = createSemaphore(options.atOnce)
  const server = await startOpenAiServer((response, request) =>
    gate.run(0, async () => {
      meter.enter()
      await pause(options.latencyMs)
      meter.leave()
      const isPatch = messagesOf(request)[0]?.content.startsWith('You fix issues')
      await answering((isPatch ? patch : tests) ?? '')(response, request)
    }),
  )
  const cores = createSemaphore(options.cores)
  let running = 0
  let mostCells = 0
  const cell = <R>(result: () => R): Promise<R> =>
    cores.run(0, async () => {
      mostCells = Math.max(mostCells, ++running)
      await pause(options.cellMs)
      running--
      return result()
    })
  const ci = fakeCi({
    runWorkflow: () => cell(() => GOOD_RUN),
    runTests: ({ task, changes, cases }) =>
      cell(() => {
        const isBase = changes === null || changes.digest === task.commentedBase.digest
        const outcome = isBase ? 'failed' : 'passed'
        return testsRun({
          test: Object.fromEntries(cases.map((one) => [`${one.file} ${one.case}`, outcome])),
        })
      }),
  })

  const source = join(root, 'examples', 'tasks', TASK)
  const document = JSON.parse(readFileSync(join(source, 'task.json'), 'utf8'))
  mkdirSync(join(scratch, 'tasks'))
  for (let index = 0; index < options.tasks; index++) {
    const folder = join(scratch, 'tasks', `task-${index}`)
    cpSync(source, folder, { recursive: true })
    writeFileSync(join(folder, 'task.json'), JSON.stringify({ ...document, id: `task-${index}` }))
  }
  const names = Array.from({ length: options.competitors }, (_, index) => `model-${index}`)
  for (const [index, id] of names.entries()) {
    // One endpoint and model for all; the temperature makes them different competitors.
    const endpoint = {
      baseUrl: server.baseUrl,
      model: 'm',
      temperature: index / 10,
      concurrency: options.atOnce,
    }
    writeFileSync(
      join(scratch, `${id}.yml`),
      JSON.stringify({ id, label: id, team: id, player: { kind: 'endpoint', endpoint } }),
    )
  }
  const file = join(scratch, 'bench.season.yml')
  const competitors = names.map((id) => `endpoint:${id}.yml`)
  writeFileSync(
    file,
    JSON.stringify({ id: 'bench', title: 'Bench', tasks: ['tasks'], competitors, controls: false }),
  )
  const data = join(scratch, 'data')
  const store = await openStore({ dataDir: data, now: () => new Date() })
  const startedAt = performance.now()
  let most = 0
  const watch = setInterval(() => {
    most = Math.max(most, process.memoryUsage.rss())
  }, 50)
  const played = await playSeasonFile({
    file: await readSeason(file),
    config: readConfig({}, scratch, { data }),
    store,
    workplace: {
      templates: join(data, 'templates'),
      toolchains: {
        binds: [],
        path: [],
        env: {},
        tools: { python: { path: 'python3', version: '3' }, pytest: { path: 'pytest', version: '8' } },
        digest: '',
      },
    },
    cells: createCells({ ci, store: store.cells, now: () => Date.now(), onEvent: () => {} }),
    environment: ci.environmentDigest,
    now: () => Date.now(),
    onEvent: () => {},
    allowLoopback: true,
  })
  clearInterval(watch)
  const wallMs = performance.now() - startedAt
  await store.close()
  await server.close()
  const { busyMs, spanMs, requests, most: mostAtOnce } = meter.read()
  const ideal = Math.ceil(requests / options.atOnce) * options.latencyMs
  const percent = (share: number): string => `${(100 * share).toFixed(1)} %`
  return {
    competitors: options.competitors,
    tasks: options.tasks,
    rounds: played.rounds.length,
    'answers asked for': requests,
    '2K a task': 2 * options.competitors * options.tasks,
    'K(K−1) rounds, two each': 2 * played.rounds.length,
    'at the endpoint at once': `${mostAtOnce} of ${options.atOnce}`,
    'ideal, seconds': (ideal / 1000).toFixed(1),
    'first request to last answer': (spanMs / 1000).toFixed(1),
    'of the ideal': percent(ideal / spanMs),
    'endpoint busy': percent(busyMs / (options.atOnce * spanMs)),
    'cells at once': `${mostCells} of ${options.cores}`,
    'whole season, seconds': (wallMs / 1000).toFixed(1),
    'MiB of memory at most': Math.round(most / 2 ** 20),
  }
}
