import { type Behaviour, startEvents } from './openai-server.ts'

/** The wire of Anthropic's Messages API, as startOpenAiServer serves it. */

export const event = (value: { readonly type: string; readonly [field: string]: unknown }): string =>
  `event: ${value.type}\ndata: ${JSON.stringify(value)}\n\n`

export const messageStart = (usage: object = { input_tokens: 25, output_tokens: 1 }): string =>
  event({
    type: 'message_start',
    message: {
      id: 'msg_1',
      type: 'message',
      role: 'assistant',
      content: [],
      model: 'm',
      stop_reason: null,
      usage,
    },
  })

/** One content block in pieces. */
export const block = (index: number, start: object, deltas: readonly object[]): string =>
  [
    event({ type: 'content_block_start', index, content_block: start }),
    ...deltas.map((delta) => event({ type: 'content_block_delta', index, delta })),
    event({ type: 'content_block_stop', index }),
  ].join('')

export const text = (index: number, ...pieces: readonly string[]): string =>
  block(
    index,
    { type: 'text', text: '' },
    pieces.map((piece) => ({ type: 'text_delta', text: piece })),
  )

export const messageEnd = (reason = 'end_turn', usage: object = { output_tokens: 15 }): string =>
  `${event({ type: 'message_delta', delta: { stop_reason: reason, stop_sequence: null }, usage })}${event({ type: 'message_stop' })}`

export const PING = event({ type: 'ping' })

export const overloaded = event({ type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } })

/** Sends these events and ends. */
export const streaming =
  (...events: readonly string[]): Behaviour =>
  (response) => {
    startEvents(response)
    response.end(events.join(''))
  }

/** An error answer in Anthropic's form. */
export const failing =
  (
    status: number,
    type: string,
    message: string,
    headers: Readonly<Record<string, string>> = {},
  ): Behaviour =>
  (response) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers })
    response.end(JSON.stringify({ type: 'error', error: { type, message } }))
  }
