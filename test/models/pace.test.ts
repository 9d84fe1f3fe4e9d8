import { describe, expect, it } from 'vitest'
import { waitFor } from '../../src/models/connection.ts'
import { createEndpointModel } from '../../src/models/endpoint-model.ts'
import type { Fault } from '../../src/models/fault.ts'
import { createPace, createPaces, type PaceOptions, type Place } from '../../src/models/pace.ts'
import { EndpointSpec } from '../../src/schema/competitor.ts'
import { answering, refusing, startOpenAiServer } from '../helpers/openai-server.ts'

const BUSY: Fault = { kind: 'http-status', detail: 'HTTP 429', retry: true, busy: true }

/** A pace on a clock that a test moves. */
function paceOn(options: Partial<PaceOptions> = {}) {
  let time = 0
  const sleepers: { readonly until: number; readonly wake: () => void }[] = []
  const pace = createPace({
    concurrency: 4,
    requestsPerMinute: undefined,
    now: () => time,
    wait: (ms, signal) =>
      new Promise((resolve, reject) => {
        sleepers.push({ until: time + ms, wake: resolve })
        signal?.addEventListener('abort', () => reject(signal.reason))
      }),
    ...options,
  })
  const settle = async (): Promise<void> => {
    for (let turn = 0; turn < 20; turn++) await Promise.resolve()
  }
  return {
    pace,
    settle,
    now: () => time,
    async advance(ms: number) {
      time += ms
      for (const sleeper of sleepers.filter(({ until }) => until <= time)) sleeper.wake()
      await settle()
    },
  }
}

/** Requests that say when they were let in. */
function askers({ pace, settle, now }: ReturnType<typeof paceOn>) {
  const inside: { readonly name: string; readonly at: number; readonly place: Place }[] = []
  return {
    inside,
    async come(name: string, signal?: AbortSignal, ticket = pace.ticket(), again = false) {
      const entering = pace.enter(ticket, again, signal).then((place) => {
        inside.push({ name, at: now(), place })
      })
      entering.catch(() => undefined)
      await settle()
      return { ticket, entering }
    },
    async leave(name: string, fault: Fault | null = null) {
      const index = inside.findIndex((entry) => entry.name === name)
      inside.splice(index, 1)[0]?.place.leave(fault)
      await settle()
    },
    names: () => inside.map((entry) => entry.name),
  }
}

describe('the pace of an endpoint', () => {
  it('lets in as many at once as it may, in the order in which they came', async () => {
    const asked = askers(paceOn({ concurrency: 2 }))
    for (const name of ['a', 'b', 'c', 'd']) await asked.come(name)
    expect(asked.names()).toEqual(['a', 'b'])
    await asked.leave('b')
    expect(asked.names()).toEqual(['a', 'c'])
  })
  it('lets a retry in before those that came after it', async () => {
    const clock = paceOn({ concurrency: 1 })
    const asked = askers(clock)
    const first = await asked.come('a')
    await asked.come('b')
    await asked.come('c')
    await asked.leave('a', { ...BUSY, busy: false })
    expect(asked.names()).toEqual(['b'])
    await asked.come('a again', undefined, first.ticket, true)
    await asked.leave('b')
    expect(asked.names()).toEqual(['a again'])
  })
  it('halves the number at once when it is told to come later, once for all that were under way', async () => {
    const clock = paceOn({ concurrency: 8 })
    const asked = askers(clock)
    for (let index = 0; index < 12; index++) await asked.come(`${index}`)
    expect(asked.inside).toHaveLength(8)
    await clock.advance(10)
    for (const name of asked.names()) await asked.leave(name, BUSY)
    await clock.advance(250)
    expect(asked.inside).toHaveLength(4)
  })
  it('comes back to the full number by answers', async () => {
    const clock = paceOn({ concurrency: 4 })
    const asked = askers(clock)
    for (let index = 0; index < 4; index++) await asked.come(`${index}`)
    await clock.advance(10)
    await asked.leave('0', BUSY)
    for (let index = 4; index < 40; index++) await asked.come(`${index}`)
    await clock.advance(250)
    for (let round = 0; round < 12; round++) await asked.leave(asked.names()[0] ?? '')
    expect(asked.inside).toHaveLength(4)
  })
  it('sends nobody new before the time that Retry-After names', async () => {
    const clock = paceOn()
    const asked = askers(clock)
    await asked.come('a')
    await asked.leave('a', { ...BUSY, retryAfterMs: 7000 })
    await asked.come('b')
    await clock.advance(6999)
    expect(asked.names()).toEqual([])
    await clock.advance(1)
    expect(asked.names()).toEqual(['b'])
  })
  it('keeps the stated distance between two requests, and a longer one when even one at once is too much', async () => {
    const clock = paceOn({ concurrency: 1, requestsPerMinute: 60 })
    const asked = askers(clock)
    await asked.come('a')
    await asked.come('b')
    await asked.leave('a')
    await clock.advance(999)
    expect(asked.names()).toEqual([])
    await clock.advance(1)
    expect(asked.names()).toEqual(['b'])
    await asked.leave('b', BUSY)
    await asked.come('c')
    await clock.advance(1000)
    expect(asked.names()).toEqual(['c'])
    await asked.leave('c')
    await asked.come('d')
    await clock.advance(1000)
    expect(asked.names()).toEqual([])
    await clock.advance(1000)
    expect(asked.names()).toEqual(['d'])
  })
  it('lets who gives up go, and gives its place to the next', async () => {
    const clock = paceOn({ concurrency: 1 })
    const asked = askers(clock)
    await asked.come('a')
    const queueing = new AbortController()
    const { entering } = await asked.come('b', queueing.signal)
    queueing.abort(new Error('stopped'))
    await expect(entering).rejects.toThrow('stopped')
    await asked.leave('a', { ...BUSY, retryAfterMs: 5000 })
    const pausing = new AbortController()
    const paused = await asked.come('c', pausing.signal)
    await asked.come('d')
    pausing.abort(new Error('stopped too'))
    await expect(paused.entering).rejects.toThrow('stopped too')
    await clock.advance(5000)
    expect(asked.names()).toEqual(['d'])
  })
  it('is one for all competitors of an endpoint and model, by the most careful of their settings', async () => {
    const spec = (more: object): EndpointSpec =>
      EndpointSpec.parse({ baseUrl: 'http://127.0.0.1:1/v1', model: 'm', ...more })
    const specs = [spec({ concurrency: 5 }), spec({ concurrency: 2, temperature: 1 }), spec({ model: 'n' })]
    const clock = paceOn()
    const paceOf = createPaces(specs, { now: clock.now, wait: async () => {} })
    const [first, second, other] = specs.map(paceOf)
    expect(second).toBe(first)
    expect(other).not.toBe(first)
    if (!first) throw new Error('no pace')
    const asked = askers({ ...clock, pace: first })
    for (const name of ['a', 'b', 'c']) await asked.come(name)
    expect(asked.names()).toEqual(['a', 'b'])
  })
})

it('a server that takes three at once and refuses the others answers twenty-four in the end', async () => {
  let atOnce = 0
  let refused = 0
  const server = await startOpenAiServer(async (response, request) => {
    if (atOnce === 3) {
      refused++
      await refusing(429)(response, request)
      return
    }
    atOnce++
    await waitFor(5, undefined)
    atOnce--
    await answering('ok')(response, request)
  })
  // Fifty times as fast as the clock on the wall.
  const now = (): number => performance.now() * 50
  const wait = (ms: number, signal: AbortSignal | undefined): Promise<void> => waitFor(ms / 50, signal)
  const spec = EndpointSpec.parse({ baseUrl: server.baseUrl, model: 'm', requestTimeoutMs: 3_600_000 })
  const model = createEndpointModel(spec, {
    key: undefined,
    addresses: { allowLoopback: true, allow: [] },
    now,
    random: Math.random,
    wait,
  })
  try {
    const replies = await Promise.all(
      Array.from({ length: 24 }, (_, index) =>
        model.ask({
          messages: [{ role: 'user', content: `${index}` }],
          attempt: 1,
          taskId: 't',
          kind: 'patch',
        }),
      ),
    )
    expect(replies.map(({ error, text }) => error ?? text)).toEqual(replies.map(() => 'ok'))
    // Without adapting, each of eight tries would have been refused to most of them.
    expect(refused).toBeGreaterThan(0)
    expect(refused).toBeLessThan(24 * 2)
    expect(replies.some(({ waitedMs = 0 }) => waitedMs > 0)).toBe(true)
  } finally {
    await model.close()
    await server.close()
  }
})
