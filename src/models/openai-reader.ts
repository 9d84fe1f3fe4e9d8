import { ChatChunk, type Collected, collect } from './chat-chunk.ts'
import { errorMessage } from './error-message.ts'
import { faultOf } from './fault.ts'
import type { AnswerReader, Format } from './send-request.ts'
import { createEventSplitter } from './server-sent-events.ts'

function parseChunk(data: string): ChatChunk {
  let value: unknown
  try {
    value = JSON.parse(data)
  } catch {
    throw faultOf('invalid-json', `not JSON: ${data.slice(0, 80)}`)
  }
  const chunk = ChatChunk.safeParse(value)
  if (!chunk.success) throw faultOf('invalid-json', 'not in the form of a chat completion')
  if (chunk.data.error != null) throw faultOf('endpoint-error', errorMessage(chunk.data.error).slice(0, 500))
  return chunk.data
}

/**
 * Reads an OpenAI-compatible answer into `collected`. `pieces`: pieces of text in one answer; a server that ignores
 * max_tokens is stopped there.
 */
export function createOpenAiReader(format: Format, collected: Collected, pieces: number): AnswerReader {
  const splitter = createEventSplitter()
  let done = false
  const take = (events: readonly string[]): void => {
    for (const data of events) {
      if (data.trim() === '[DONE]') done = true
      else if (data.trim() !== '' && !done) collect(collected, parseChunk(data))
      if (collected.pieces > pieces)
        throw faultOf('too-many-tokens', `more than ${pieces} pieces of text came; the limit was asked for`)
    }
  }
  return {
    push(bytes) {
      if (format === 'events') take(splitter.push(bytes))
    },
    end(raw) {
      if (format === 'events') take(splitter.end())
      else {
        const chunk = parseChunk(raw().toString('utf8'))
        if (!chunk.choices?.length) throw faultOf('invalid-json', 'an answer without choices')
        collect(collected, chunk)
        done = true
      }
      if (!done && collected.finish === null)
        throw faultOf('cut-stream', 'the stream ended before the answer was complete')
    },
    begun: () => collected.pieces > 0,
  }
}
