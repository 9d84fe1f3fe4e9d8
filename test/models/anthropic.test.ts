import { describe, expect, it } from 'vitest'
import { createEndpointModel } from '../../src/models/endpoint-model.ts'
import { EndpointSpec } from '../../src/schema/competitor.ts'
import type { AskRequest, ChatMessage, ModelReply } from '../../src/schema/model.ts'
import {
  block,
  failing,
  messageEnd,
  messageStart,
  overloaded,
  PING,
  streaming,
  text,
} from '../helpers/anthropic-server.ts'
import { answeringJson, LOOPBACK_PORTS, withServer } from '../helpers/json-server.ts'
import { type Behaviour, faults, type ServerRequest, startEvents } from '../helpers/openai-server.ts'

const KEY = 'sk-ant-0123456789'
const MESSAGES: readonly ChatMessage[] = [
  { role: 'system', content: 'You fix issues.' },
  { role: 'user', content: 'Fix it.' },
  { role: 'assistant', content: 'So?' },
  { role: 'user', content: 'Again.' },
]

interface Asked {
  readonly reply: ModelReply
  readonly requests: readonly ServerRequest[]
  readonly waits: readonly number[]
}

const ask = (
  behaviours: Behaviour | readonly Behaviour[],
  spec: Partial<EndpointSpec> = {},
  request: Partial<AskRequest> = {},
): Promise<Asked> =>
  withServer([behaviours].flat(), async (server) => {
    const waits: number[] = []
    let ahead = 0
    const model = createEndpointModel(
      EndpointSpec.parse({ api: 'anthropic', baseUrl: server.baseUrl, model: 'claude', ...spec }),
      {
        ...LOOPBACK_PORTS,
        key: KEY,
        now: () => performance.now() + ahead,
        wait: async (ms) => {
          waits.push(ms)
          ahead += ms
        },
        timeouts: { firstTokenMs: 300, idleMs: 300 },
      },
    )
    try {
      const reply = await model.ask({
        messages: MESSAGES,
        attempt: 1,
        taskId: 't',
        kind: 'patch',
        ...request,
      })
      return { reply, requests: [...server.requests], waits }
    } finally {
      await model.close()
    }
  })

describe("Anthropic's Messages API", () => {
  it('is asked in its own form: system apart, its headers, its limit', async () => {
    const { requests } = await ask(streaming(messageStart(), text(0, 'ok'), messageEnd()), {
      maxOutputTokens: 99,
    })
    expect(requests[0]).toMatchObject({
      path: '/v1/messages',
      headers: { 'x-api-key': KEY, 'anthropic-version': '2023-06-01' },
    })
    expect(requests[0]?.headers.authorization).toBeUndefined()
    expect(requests[0]?.body).toEqual({
      model: 'claude',
      system: 'You fix issues.',
      messages: MESSAGES.slice(1),
      max_tokens: 99,
      temperature: 0,
      stream: true,
    })
  })
  it('gives text, thoughts apart, usage with its cache, and the stop reason', async () => {
    const thinking = block(0, { type: 'thinking', thinking: '', signature: '' }, [
      { type: 'thinking_delta', thinking: 'seven is ' },
      { type: 'thinking_delta', thinking: 'zero' },
      { type: 'signature_delta', signature: 'EqQB' },
    ])
    const hidden = block(1, { type: 'redacted_thinking', data: 'EmwKAhgB' }, [])
    const usage = {
      input_tokens: 20,
      cache_creation_input_tokens: 3,
      cache_read_input_tokens: 2,
      output_tokens: 1,
    }
    const { reply } = await ask(
      streaming(messageStart(usage), PING, thinking, hidden, text(2, 'a ', 'fix'), messageEnd()),
    )
    expect(reply).toMatchObject({
      text: 'a fix',
      reasoning: 'seven is zero',
      stopReason: 'stop',
      promptTokens: 25,
      cachedTokens: 2,
      completionTokens: 15,
      tokenLogProbs: null,
      error: null,
    })
    expect(reply.raw?.toString('utf8')).toContain('signature_delta')
  })
  it('may call tools', async () => {
    const tool = block(1, { type: 'tool_use', id: 'toolu_1', name: 'read', input: {} }, [
      { type: 'input_json_delta', partial_json: '' },
      { type: 'input_json_delta', partial_json: '{"path": "x' },
      { type: 'input_json_delta', partial_json: '.py"}' },
    ])
    const { reply } = await ask(
      streaming(messageStart(), text(0, 'Let me see.'), tool, messageEnd('tool_use')),
    )
    expect(reply).toMatchObject({
      text: 'Let me see.',
      stopReason: 'tool_calls',
      toolCalls: [{ id: 'toolu_1', name: 'read', arguments: '{"path": "x.py"}' }],
      error: null,
    })
  })
  it('may answer without a stream', async () => {
    const { reply } = await ask(
      answeringJson(() => ({
        type: 'message',
        role: 'assistant',
        content: [
          { type: 'thinking', thinking: 'hm', signature: 'x' },
          { type: 'text', text: 'whole' },
          { type: 'tool_use', id: 'a', name: 'f', input: { n: 1 } },
        ],
        stop_reason: 'max_tokens',
        usage: { input_tokens: 3, output_tokens: 4 },
      })),
    )
    expect(reply).toMatchObject({
      text: 'whole',
      reasoning: 'hm',
      stopReason: 'length',
      promptTokens: 3,
      completionTokens: 4,
      toolCalls: [{ id: 'a', name: 'f', arguments: '{"n":1}' }],
      error: null,
    })
  })
  it.each([
    ['end_turn', 'stop'],
    ['stop_sequence', 'stop'],
    ['max_tokens', 'length'],
    ['model_context_window_exceeded', 'length'],
    ['refusal', 'refusal'],
    ['pause_turn', 'pause_turn'],
  ])('ends with %s, which is %s', async (theirs, ours) => {
    const { reply } = await ask(streaming(messageStart(), text(0, 'x'), messageEnd(theirs)))
    expect(reply).toMatchObject({ stopReason: ours, error: null })
  })
  it('is asked what the settings add, without what they take away', async () => {
    const { requests } = await ask(streaming(messageStart(), text(0, 'x'), messageEnd()), {
      extra: { thinking: { type: 'enabled', budget_tokens: 1024 }, temperature: null },
    })
    expect(requests[0]?.body).toMatchObject({ thinking: { type: 'enabled', budget_tokens: 1024 } })
    expect(requests[0]?.body).not.toHaveProperty('temperature')
  })
  it('reads events that it does not know as nothing', async () => {
    const other = block(0, { type: 'server_thing', payload: 1 }, [{ type: 'citations_delta', citation: {} }])
    const { reply } = await ask(streaming(messageStart(), other, text(1, 'ok'), messageEnd()))
    expect(reply).toMatchObject({ text: 'ok', error: null })
  })
})

describe('what goes wrong is a value', () => {
  it.each<[string, Behaviour, RegExp]>([
    [
      'a bad request',
      failing(400, 'invalid_request_error', 'max_tokens: too large'),
      /^http-status: HTTP 400: max_tokens: too large$/,
    ],
    [
      'a bad key',
      failing(401, 'authentication_error', `invalid x-api-key ${KEY}`),
      /HTTP 401: invalid x-api-key \[secret\]$/,
    ],
    [
      'an overloaded server',
      failing(529, 'overloaded_error', 'Overloaded'),
      /HTTP 529: Overloaded \(after 8 tries\)$/,
    ],
    [
      'an error in an answer that is whole',
      answeringJson(() => ({ type: 'error', error: { type: 'not_found_error', message: 'model: claude' } })),
      /^endpoint-error: not_found_error: model: claude$/,
    ],
    [
      'an error before any text, again and again',
      streaming(messageStart(), overloaded),
      /^endpoint-error: overloaded_error: Overloaded \(after 8 tries\)$/,
    ],
    [
      'an error after some text',
      streaming(messageStart(), text(0, 'half'), overloaded),
      /^endpoint-error: overloaded_error: Overloaded$/,
    ],
    ['an end without a stop', streaming(messageStart(), text(0, 'half')), /^cut-stream/],
    ['something else', answeringJson(() => ({ choices: [] })), /^invalid-json/],
    ['broken JSON', streaming(messageStart(), 'data: {"type": "content_block_delta", \n\n'), /^invalid-json/],
    [
      'pings and nothing more',
      (response) => {
        startEvents(response)
        response.write(messageStart() + PING)
      },
      /^(idle|first-token)-timeout/,
    ],
    ['a page of HTML', faults.html, /^wrong-content-type/],
  ])('%s', async (_name, behaviour, error) => {
    const { reply } = await ask(behaviour)
    expect(reply.error).toMatch(error)
    expect(JSON.stringify(reply)).not.toContain(KEY)
  })
  it('an overloaded server is asked again, as its Retry-After says', async () => {
    const { reply, waits } = await ask([
      failing(529, 'overloaded_error', 'Overloaded', { 'retry-after': '3' }),
      streaming(messageStart(), overloaded),
      streaming(messageStart(), text(0, 'ok'), messageEnd()),
    ])
    expect(reply).toMatchObject({ text: 'ok', error: null })
    expect(waits).toHaveLength(2)
    expect(waits[0]).toBeGreaterThanOrEqual(3000)
  })
  it('keeps what came before the fault, and never asks again once text has come', async () => {
    const { reply, requests } = await ask([
      streaming(messageStart(), text(0, 'half'), overloaded),
      streaming(),
    ])
    expect(reply).toMatchObject({ text: 'half', promptTokens: 25 })
    expect(requests).toHaveLength(1)
  })
  it('log probabilities that are asked for are not there', async () => {
    const { reply, requests } = await ask(
      streaming(messageStart(), text(0, 'Yes'), messageEnd()),
      {},
      { logProbs: 5 },
    )
    expect(reply).toMatchObject({ text: 'Yes', tokenLogProbs: null, error: null })
    expect(requests[0]?.body).not.toHaveProperty('top_logprobs')
  })
})

it('settings may not name the fields that the arena fills', () => {
  const spec = { baseUrl: 'https://api.example.com/v1', model: 'm', extra: { messages: [] } }
  expect(EndpointSpec.safeParse(spec).error?.message).toContain('may not name model, messages')
})
