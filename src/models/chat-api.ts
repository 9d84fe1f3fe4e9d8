import type { z } from 'zod'
import type { EndpointSpec } from '../schema/competitor.ts'
import type { ChatMessage } from '../schema/model.ts'
import type { Collected } from './collected.ts'
import { faultOf } from './fault.ts'
import type { AnswerReader, Format } from './send-request.ts'
import { createEventSplitter } from './server-sent-events.ts'

/** One asking, before it takes the form of an API. */
export interface ChatRequest {
  readonly messages: readonly ChatMessage[]
  readonly temperature: number
  readonly maxOutputTokens: number
  /** Alternatives of each token. */
  readonly logProbs: number | undefined
}

/** How a kind of server is asked, and how its answers are read. */
export interface ChatApi {
  /** Below the base URL. */
  readonly path: string
  headers(key: string | undefined): Readonly<Record<string, string>>
  body(spec: EndpointSpec, request: ChatRequest): Readonly<Record<string, unknown>>
  /** `pieces`: of one answer; a server that ignores its token limit is stopped there. */
  reader(format: Format, collected: Collected, pieces: number): AnswerReader
}

/** A part of an answer as the API's schema has it. Throws FaultError for anything else. */
export function parsePart<S extends z.ZodType>(data: string, schema: S, what: string): z.output<S> {
  let value: unknown
  try {
    value = JSON.parse(data)
  } catch {
    throw faultOf('invalid-json', `not JSON: ${data.slice(0, 80)}`)
  }
  const part = schema.safeParse(value)
  if (!part.success) throw faultOf('invalid-json', `not in the form of ${what}`)
  return part.data
}

/** What an API makes of the events of a stream and of a whole answer. */
export interface AnswerParts {
  /** Takes the data of one event; true when the answer is complete with it. */
  event(data: string): boolean
  /** Takes an answer that came as one document. */
  whole(text: string): void
}

/** Reads an answer by its parts, under a limit of pieces. */
export function createReader(
  format: Format,
  collected: Collected,
  pieces: number,
  parts: AnswerParts,
): AnswerReader {
  const splitter = createEventSplitter()
  let done = false
  const take = (events: readonly string[]): void => {
    for (const data of events) {
      if (!done && data.trim() !== '') done = parts.event(data)
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
        parts.whole(raw().toString('utf8'))
        done = true
      }
      if (!done && collected.finish === null)
        throw faultOf('cut-stream', 'the stream ended before the answer was complete')
    },
    begun: () => collected.pieces > 0,
  }
}
