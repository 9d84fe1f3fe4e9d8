import { afterEach, describe, expect, it } from 'vitest'
import type { EndpointPorts } from '../../src/models/endpoint-model.ts'
import { createEndpointModel } from '../../src/models/endpoint-model.ts'
import { EndpointSpec } from '../../src/schema/competitor.ts'
import type { AskRequest, ModelReply } from '../../src/schema/model.ts'
import {
  answering,
  type Behaviour,
  DONE,
  delta,
  faults,
  type OpenAiServer,
  refusing,
  startEvents,
  startOpenAiServer,
} from '../helpers/openai-server.ts'

const KEY = 'sk-test-0123456789'
const servers: OpenAiServer[] = []
afterEach(async () => {
  for (const server of servers.splice(0)) await server.close()
})

interface Asked {
  readonly reply: ModelReply
  readonly server: OpenAiServer
  /** Milliseconds that the client wanted to wait between tries. */
  readonly waits: readonly number[]
}

async function ask(
  behaviours: readonly Behaviour[],
  ports: Partial<EndpointPorts> = {},
  spec: Partial<EndpointSpec> = {},
  request: Partial<AskRequest> = {},
): Promise<Asked> {
  const server = await startOpenAiServer(...behaviours)
  servers.push(server)
  const waits: number[] = []
  // Waiting takes no time, and the clock shows that it did.
  let ahead = 0
  const model = createEndpointModel(
    EndpointSpec.parse({ baseUrl: server.baseUrl, model: 'small', ...spec }),
    {
      key: KEY,
      addresses: { allowLoopback: true, allow: [] },
      now: () => performance.now() + ahead,
      random: () => 0.5,
      wait: async (ms) => {
        waits.push(ms)
        ahead += ms
      },
      ...ports,
    },
  )
  try {
    const messages = [{ role: 'user' as const, content: 'fix it' }]
    const reply = await model.ask({ messages, attempt: 1, taskId: 'task', kind: 'patch', ...request })
    return { reply, server, waits }
  } finally {
    await model.close()
  }
}

describe('an endpoint that works', () => {
  it('gives text, thoughts apart, usage and stop reason', async () => {
    const { reply, server } = await ask([answering('a small fix', { reasoning: 'hm' })])
    expect(reply).toMatchObject({
      text: 'a small fix',
      reasoning: 'hm',
      stopReason: 'stop',
      promptTokens: 11,
      completionTokens: 7,
      error: null,
    })
    expect(server.requests[0]).toMatchObject({
      path: '/v1/chat/completions',
      headers: { authorization: `Bearer ${KEY}` },
      body: { model: 'small', stream: true, max_tokens: 8192, temperature: 0 },
    })
  })
  it('may answer without a stream', async () => {
    const body = {
      choices: [{ index: 0, message: { role: 'assistant', content: 'whole' }, finish_reason: 'length' }],
      usage: { prompt_tokens: 3, completion_tokens: 1 },
    }
    const { reply } = await ask([
      (response) => {
        response.writeHead(200, { 'content-type': 'application/json' })
        response.end(JSON.stringify(body))
      },
    ])
    expect(reply).toMatchObject({ text: 'whole', stopReason: 'length', completionTokens: 1, error: null })
  })
  it('may say nothing: content null is an empty text', async () => {
    const { reply } = await ask([
      (response) => {
        startEvents(response)
        response.end(`${delta({ content: null })}${delta({}, 'stop')}${DONE}`)
      },
    ])
    expect(reply).toMatchObject({ text: '', error: null, stopReason: 'stop' })
  })
  it('may cut characters anywhere', async () => {
    expect((await ask([faults.bytewise('größer → 𝒳')])).reply.text).toBe('größer → 𝒳')
  })
  it('may give log probabilities', async () => {
    const content = [{ token: 'yes', logprob: -0.1, bytes: [121] }]
    const choice = { index: 0, delta: { content: 'yes' }, logprobs: { content }, finish_reason: 'stop' }
    const { reply } = await ask([
      (response) => {
        startEvents(response)
        response.end(`data: ${JSON.stringify({ choices: [choice] })}\n\n${DONE}`)
      },
    ])
    expect(reply.tokenLogProbs).toEqual([{ token: 'yes', logprob: -0.1 }])
  })
  it('is asked for log probabilities with alternatives, fewer tokens and another temperature', async () => {
    const top = [
      { token: 'Yes', logprob: -0.1 },
      { token: 'No', logprob: -2.4 },
    ]
    const content = [{ ...top[0], bytes: null, top_logprobs: top }]
    const choice = { index: 0, delta: { content: 'Yes' }, logprobs: { content }, finish_reason: 'length' }
    const { reply, server } = await ask(
      [
        (response) => {
          startEvents(response)
          response.end(`data: ${JSON.stringify({ choices: [choice] })}\n\n${DONE}`)
        },
      ],
      {},
      { maxOutputTokens: 100 },
      { kind: 'verify', logProbs: 2, maxOutputTokens: 1, temperature: 0.7 },
    )
    expect(server.requests[0]?.body).toMatchObject({
      logprobs: true,
      top_logprobs: 2,
      max_tokens: 1,
      temperature: 0.7,
    })
    expect(reply.tokenLogProbs).toEqual([{ token: 'Yes', logprob: -0.1, top }])
  })
  it('is never asked for more tokens than its settings say, nor for log probabilities that nobody wants', async () => {
    const { server } = await ask([answering('ok')], {}, { maxOutputTokens: 100 }, { maxOutputTokens: 5000 })
    expect(server.requests[0]?.body).toMatchObject({ max_tokens: 100 })
    expect(server.requests[0]?.body).not.toHaveProperty('logprobs')
  })
  it('may call tools: the pieces of each call are joined', async () => {
    const piece = (index: number, more: object, part: string): string =>
      delta({ tool_calls: [{ index, ...more, function: { arguments: part, ...more } }] })
    const { reply } = await ask([
      (response) => {
        startEvents(response)
        response.write(piece(0, { id: 'a', name: 'read' }, '{"path"'))
        response.write(piece(1, { id: 'b', name: 'list' }, '{}'))
        response.write(piece(0, {}, ':"x.py"}'))
        response.end(`${delta({}, 'tool_calls')}${DONE}`)
      },
    ])
    expect(reply).toMatchObject({
      text: '',
      stopReason: 'tool_calls',
      toolCalls: [
        { id: 'a', name: 'read', arguments: '{"path":"x.py"}' },
        { id: 'b', name: 'list', arguments: '{}' },
      ],
    })
  })
})

describe('a fault is a value, named by its kind', () => {
  const quick = { timeouts: { firstTokenMs: 150, idleMs: 150 }, tries: 1 }
  it.each<[string, Behaviour, string]>([
    ['no headers', faults.mute, 'first-token-timeout'],
    ['headers and no text', faults.silent, 'first-token-timeout'],
    ['a stall', faults.stalling, 'idle-timeout'],
    ['a cut connection', faults.cut, 'cut-stream'],
    ['an end without a finish', faults.ended, 'cut-stream'],
    ['a dropped connection', faults.dropped, 'not-reachable'],
    ['invalid JSON', faults.invalidJson, 'invalid-json'],
    ['a page of HTML', faults.html, 'wrong-content-type'],
    ['a redirect', faults.redirect, 'redirect'],
    ['an error in the stream', faults.failing, 'endpoint-error: out of memory'],
    ['a refusal', refusing(401), 'http-status: HTTP 401: no'],
    ['a broken server', refusing(500, {}, 'oops'), 'http-status: HTTP 500: oops'],
  ])('%s', async (_name, behaviour, expected) => {
    const { reply, server } = await ask([behaviour], quick)
    expect(reply.error).toContain(expected)
    expect(server.requests).toHaveLength(1)
  })
  it('keeps what came before the fault', async () => {
    const { reply } = await ask([faults.cut], quick)
    expect(reply.text).toBe('half')
    expect(reply.raw?.toString('utf8')).toContain('half')
  })
  it('ends an answer that goes on for longer than the total time', async () => {
    const trickling: Behaviour = (response) => {
      startEvents(response)
      const timer = setInterval(() => response.write(delta({ content: 'x' })), 20)
      response.once('close', () => clearInterval(timer))
    }
    const { reply } = await ask([trickling], { tries: 1 }, { requestTimeoutMs: 300 })
    expect(reply.error).toContain('total-timeout')
  })
  it('does not read a hundred megabytes', async () => {
    const { reply } = await ask([faults.endless(100 * 1024 * 1024)], { caps: { answerBytes: 1024 * 1024 } })
    expect(reply.error).toContain('too-many-bytes')
    expect(reply.raw?.length).toBe(1024 * 1024)
  })
  it('stops a server that ignores the token limit', async () => {
    const { reply } = await ask([answering('word '.repeat(500))], {}, { maxOutputTokens: 100 })
    expect(reply.error).toContain('too-many-tokens')
  })
  it('says when nobody listens', async () => {
    const server = await startOpenAiServer(refusing(500))
    await server.close()
    const { reply } = await ask([refusing(500)], { tries: 1 }, { baseUrl: server.baseUrl })
    expect(reply.error).toMatch(/^not-reachable: .*ECONNREFUSED/)
  })
})

describe('retries', () => {
  it('tries again after 429 and 503, with jitter', async () => {
    const { reply, waits, server } = await ask([refusing(429), refusing(503), answering('ok')])
    expect(reply).toMatchObject({ text: 'ok', error: null })
    expect(waits).toEqual([250, 500])
    expect(server.requests).toHaveLength(3)
  })
  it('waits as long as Retry-After says', async () => {
    const { waits } = await ask([refusing(429, { 'retry-after': '7' }), answering('ok')])
    expect(waits[0]).toBeGreaterThanOrEqual(7000)
    expect(waits[0]).toBeLessThan(8000)
  })
  it('gives up after the stated number of tries and says how many', async () => {
    const { reply, server } = await ask([refusing(429)])
    expect(reply.error).toContain('HTTP 429: no (after 8 tries)')
    expect(server.requests).toHaveLength(8)
    const broken = await ask([refusing(500)])
    expect(broken.reply.error).toContain('HTTP 500: no (after 4 tries)')
    expect(broken.server.requests).toHaveLength(4)
  })
  it('does not wait beyond the total time', async () => {
    const { reply, waits } = await ask(
      [refusing(429, { 'retry-after': '50' })],
      {},
      { requestTimeoutMs: 20_000 },
    )
    expect(waits).toEqual([])
    expect(reply.error).toContain('HTTP 429')
  })
  it('never sends again once an answer has begun', async () => {
    const { reply, server } = await ask([faults.cut, answering('ok')])
    expect(reply.error).toContain('cut-stream')
    expect(server.requests).toHaveLength(1)
  })
  it('does not repeat what was refused for good', async () => {
    expect((await ask([refusing(404)])).server.requests).toHaveLength(1)
  })
})

describe('secrets', () => {
  it('are cut out of everything that is kept', async () => {
    const echo: Behaviour = (response) => {
      startEvents(response)
      response.write(delta({ content: `your key is ${KEY}`, reasoning_content: KEY }))
      response.end(`${delta({}, 'stop')}${DONE}`)
    }
    const { reply } = await ask([echo])
    expect(reply.text).toBe('your key is [secret]')
    expect(JSON.stringify(reply)).not.toContain(KEY)
    expect(reply.raw?.includes(KEY)).toBe(false)
  })
  it('are cut out of errors', async () => {
    const { reply } = await ask([refusing(401, {}, `{"error":"bad key ${KEY}"}`)])
    expect(reply.error).toBe('http-status: HTTP 401: bad key [secret]')
  })
})

describe('stopping', () => {
  it('ends a call when the caller wants it', async () => {
    const server = await startOpenAiServer(faults.silent)
    servers.push(server)
    const stop = new AbortController()
    const model = createEndpointModel(EndpointSpec.parse({ baseUrl: server.baseUrl, model: 'small' }), {
      key: undefined,
      addresses: { allowLoopback: true, allow: [] },
      now: () => performance.now(),
      random: () => 0.5,
    })
    const asked = model.ask({ messages: [], attempt: 1, taskId: 't', kind: 'patch', signal: stop.signal })
    stop.abort(new Error('season stopped'))
    await expect(asked).rejects.toThrow('season stopped')
    await model.close()
  })
})
