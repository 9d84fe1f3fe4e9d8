import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { measureVerifier } from '../../src/arena/measure-verifier.ts'
import { rateClarity } from '../../src/arena/rate-clarity.ts'
import { readConfig } from '../../src/config.ts'
import { AssessorSpec } from '../../src/schema/scorer.ts'
import { openStore } from '../../src/store/open-store.ts'
import { messagesOf } from '../helpers/answer-server.ts'
import { type OpenAiServer, refusing, startOpenAiServer } from '../helpers/openai-server.ts'
import { temporaryFolder } from '../helpers/repository.ts'
import { answeringToken } from '../helpers/word-server.ts'

const FOLDER = fileURLToPath(new URL('../../examples/tasks/python-cron-weekday', import.meta.url))

async function withStore<T>(
  server: OpenAiServer,
  work: (parts: {
    readonly spec: AssessorSpec
    readonly store: Awaited<ReturnType<typeof openStore>>
    readonly config: ReturnType<typeof readConfig>
    readonly templates: string
    readonly addresses: { readonly allowLoopback: true; readonly allow: readonly string[] }
    readonly now: () => number
    readonly onEvent: () => void
  }) => Promise<T>,
): Promise<T> {
  using folder = temporaryFolder('arena-assessors')
  const store = await openStore({ dataDir: join(folder.path, 'data'), now: () => new Date() })
  try {
    return await work({
      spec: AssessorSpec.parse({ endpoint: { baseUrl: server.baseUrl, model: 'judge' }, samples: 1 }),
      store,
      config: readConfig({}, folder.path, { data: 'data' }),
      templates: join(folder.path, 'templates'),
      addresses: { allowLoopback: true, allow: [] },
      now: () => 0,
      onEvent: () => undefined,
    })
  } finally {
    await store.close()
    await server.close()
  }
}

const mutant = (name: string, diff: string) => ({
  id: name as never,
  operator: 'off-by-one' as const,
  path: 'cron.py' as never,
  line: 3,
  before: 'a',
  after: 'b',
  diff,
})

it('a verifier is measured by how often the golden patch scores above a mutant of it, and is asked once', {
  timeout: 60_000,
}, async () => {
  const server = await startOpenAiServer((response, request) => {
    const text = messagesOf(request)[1]?.content ?? ''
    const yes = text.includes('low-mark') ? 0.1 : text.includes('high-mark') ? 0.9 : 0.6
    return answeringToken('Yes', { Yes: yes, No: 1 - yes })(response, request)
  })
  await withStore(server, async (parts) => {
    const mutants = ['low-mark 1', 'low-mark 2', 'high-mark'].map((text) => mutant(text, `+${text}\n`))
    const measure = () =>
      measureVerifier({ ...parts, tasks: [{ folder: FOLDER, mutants }], contextTokens: 0 })
    const report = await measure()
    expect(report.auc).toBeCloseTo(2 / 3, 10)
    expect(report).toMatchObject({ model: 'judge', unscored: 0 })
    expect(report.tasks[0]?.patches.map(({ patch, how }) => `${patch} ${how}`)).toEqual([
      'golden first-token',
      ...Array(3).fill('off-by-one cron.py:3 first-token'),
    ])
    expect(server.requests).toHaveLength(4)
    expect(await measure()).toEqual(report)
    expect(server.requests).toHaveLength(4)
  })
})

it('a verifier that does not answer has no measure, and is asked again the next time', {
  timeout: 60_000,
}, async () => {
  const server = await startOpenAiServer(refusing(403))
  await withStore(server, async (parts) => {
    const tasks = [{ folder: FOLDER, mutants: [mutant('one', '+one\n')] }]
    const report = await measureVerifier({ ...parts, tasks, contextTokens: 0 })
    expect(report).toMatchObject({ auc: null, unscored: 2 })
    expect(report.tasks[0]?.patches[0]?.reason).toMatch(/^http-status: .*403/)
    const asked = server.requests.length
    await measureVerifier({ ...parts, tasks, contextTokens: 0 })
    expect(server.requests.length).toBe(2 * asked)
  })
})

it('an issue is rated from 0 to 3 by the mean of its digits, once', { timeout: 60_000 }, async () => {
  const server = await startOpenAiServer(answeringToken('2', { '2': 0.5, '3': 0.25, '0': 0.25 }))
  await withStore(server, async (parts) => {
    const rate = () => rateClarity({ ...parts, paths: [FOLDER] })
    const [rated] = await rate()
    expect(rated).toMatchObject({ task: 'python-cron-weekday', how: 'first-token', reason: null })
    expect(rated?.clarity).toBeCloseTo(1.75, 10)
    expect(await rate()).toEqual([rated])
    expect(server.requests).toHaveLength(1)
  })
})
