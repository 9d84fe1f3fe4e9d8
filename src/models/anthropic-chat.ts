import { AnthropicEvent, AnthropicMessage, collectEvent, collectMessage } from './anthropic-event.ts'
import { type ChatApi, createReader, parsePart } from './chat-api.ts'
import { errorMessage } from './error-message.ts'
import { faultOf } from './fault.ts'

/** Errors that pass: the same request may be sent again when nothing of an answer has come. */
const PASSING = new Set(['overloaded_error', 'rate_limit_error', 'api_error', 'timeout_error'])
const BUSY = new Set(['overloaded_error', 'rate_limit_error'])

function refuse(error: NonNullable<AnthropicEvent['error']>): never {
  const kind = error.type ?? 'error'
  throw faultOf(
    'endpoint-error',
    `${kind}: ${errorMessage(error).slice(0, 500)}`,
    PASSING.has(kind),
    BUSY.has(kind),
  )
}

function parseEvent(data: string): AnthropicEvent {
  const event = parsePart(data, AnthropicEvent, 'a message event')
  if (event.error) refuse(event.error)
  return event
}

/** Anthropic's Messages API. It has no log probabilities: who asks for them gets none. */
export const anthropicChat: ChatApi = {
  path: '/messages',
  headers: (key) => ({
    'anthropic-version': '2023-06-01',
    ...(key === undefined ? {} : { 'x-api-key': key }),
  }),
  body: (spec, { messages, temperature, maxOutputTokens }) => {
    const system = messages.filter(({ role }) => role === 'system').map(({ content }) => content)
    return {
      model: spec.model,
      ...(system.length === 0 ? {} : { system: system.join('\n\n') }),
      messages: messages.filter(({ role }) => role !== 'system'),
      max_tokens: maxOutputTokens,
      temperature,
      stream: true,
    }
  },
  reader: (format, collected, pieces) =>
    createReader(format, collected, pieces, {
      event(data) {
        const event = parseEvent(data)
        collectEvent(collected, event)
        return event.type === 'message_stop'
      },
      whole(text) {
        const event = parseEvent(text)
        if (event.type !== 'message') throw faultOf('invalid-json', 'an answer that is no message')
        collectMessage(collected, parsePart(text, AnthropicMessage, 'a message'))
      },
    }),
}
