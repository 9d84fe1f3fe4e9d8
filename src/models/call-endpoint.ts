import { type Dispatcher, request } from 'undici'
import { ChatChunk, type Collected, collect, emptyCollected, errorMessage } from './chat-chunk.ts'
import type { Deadlines } from './deadlines.ts'
import { type Fault, FaultError, faultOf, toFault } from './fault.ts'
import { parseRetryAfter } from './retry-delay.ts'
import { createEventSplitter } from './server-sent-events.ts'

export interface EndpointCaps {
  /** Bytes of one answer, everything counted. */
  readonly answerBytes: number
  /** Pieces of text in one answer; a server that ignores max_tokens is stopped here. */
  readonly pieces: number
}

export interface EndpointCall {
  readonly url: URL
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  readonly dispatcher: Dispatcher
  readonly deadlines: Deadlines
  /** The caller's own wish to stop. */
  readonly signal: AbortSignal | undefined
  readonly caps: EndpointCaps
  readonly now: () => number
}

export interface EndpointResult {
  readonly collected: Collected
  /** The bytes that came, up to the cap. */
  readonly raw: Buffer
  /** Null when the answer is whole. */
  readonly fault: Fault | null
}

/** Bytes of an error page that are read for its message. */
const ERROR_BYTES = 16 * 1024

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

/** The server's own words in an error answer, one line. */
async function readErrorText(body: AsyncIterable<Uint8Array>): Promise<string> {
  const parts: Uint8Array[] = []
  let bytes = 0
  for await (const part of body) {
    parts.push(part)
    bytes += part.length
    if (bytes > ERROR_BYTES) break
  }
  const text = Buffer.concat(parts).toString('utf8')
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value === 'object' && value !== null && 'error' in value)
      return errorMessage(value.error).slice(0, 300)
  } catch {
    // Not JSON: the first words of whatever it is.
  }
  return text.trim().replace(/\s+/g, ' ').slice(0, 200)
}

const RETRIED = new Set([408, 425, 429, 500, 502, 503, 504, 529])

const headerOf = (headers: Dispatcher.ResponseData['headers'], name: string): string | undefined => {
  const value = headers[name]
  return Array.isArray(value) ? value[0] : value
}

async function refuseStatus(response: Dispatcher.ResponseData, now: number): Promise<never> {
  const { statusCode, headers, body } = response
  if (statusCode >= 300 && statusCode < 400) {
    throw faultOf('redirect', `the endpoint redirects (HTTP ${statusCode}); redirects are not followed`)
  }
  const words = await readErrorText(body)
  const retryAfterMs = parseRetryAfter(headerOf(headers, 'retry-after'), now)
  throw new FaultError({
    kind: 'http-status',
    detail: `HTTP ${statusCode}${words === '' ? '' : `: ${words}`}`,
    retry: RETRIED.has(statusCode),
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
  })
}

type Format = 'events' | 'json'

function formatOf(headers: Dispatcher.ResponseData['headers']): Format {
  const encoding = headerOf(headers, 'content-encoding')
  if (encoding !== undefined && encoding !== 'identity')
    throw faultOf(
      'wrong-content-type',
      `the answer is encoded (${encoding.slice(0, 40)}), which was not asked for`,
    )
  const type = headerOf(headers, 'content-type')?.split(';')[0]?.trim().toLowerCase() ?? 'none'
  if (type === 'text/event-stream') return 'events'
  if (type === 'application/json') return 'json'
  throw faultOf('wrong-content-type', `the answer's content type is ${type.slice(0, 80)}`)
}

/** Reads the pieces of an answer into `collected`; returns whether the answer was ended by the server. */
function createReader(format: Format, collected: Collected, caps: EndpointCaps, begun: () => void) {
  const splitter = createEventSplitter()
  const whole: Uint8Array[] = []
  let done = false
  const take = (events: readonly string[]): void => {
    for (const data of events) {
      if (data.trim() === '[DONE]') done = true
      else if (data.trim() !== '' && !done) collect(collected, parseChunk(data))
    }
    if (collected.pieces > 0) begun()
    if (collected.pieces > caps.pieces)
      throw faultOf(
        'too-many-tokens',
        `more than ${caps.pieces} pieces of text came; the limit was asked for`,
      )
  }
  return {
    push: (bytes: Uint8Array): void => {
      if (format === 'events') take(splitter.push(bytes))
      else whole.push(bytes)
    },
    end: (): void => {
      if (format === 'events') take(splitter.end())
      else {
        const chunk = parseChunk(Buffer.concat(whole).toString('utf8'))
        if (!chunk.choices?.length) throw faultOf('invalid-json', 'an answer without choices')
        collect(collected, chunk)
        done = true
      }
      if (!done && collected.finish === null)
        throw faultOf('cut-stream', 'the stream ended before the answer was complete')
    },
  }
}

/** Sends one request and reads its answer to the end. Everything that the endpoint does wrong is in `fault`. */
export async function callEndpoint(call: EndpointCall): Promise<EndpointResult> {
  const { deadlines, caps } = call
  const collected = emptyCollected()
  const kept: Uint8Array[] = []
  let bytes = 0
  const signal = call.signal ? AbortSignal.any([deadlines.signal, call.signal]) : deadlines.signal
  let body: Dispatcher.ResponseData['body'] | undefined
  const result = (fault: Fault | null): EndpointResult => ({ collected, raw: Buffer.concat(kept), fault })
  try {
    const response = await request(call.url, {
      method: 'POST',
      headers: call.headers,
      body: call.body,
      dispatcher: call.dispatcher,
      signal,
      headersTimeout: 0,
      bodyTimeout: 0,
    })
    body = response.body
    // A body that is dropped unread ends with an error of its own, which says nothing new.
    body.on('error', () => undefined)
    if (response.statusCode !== 200) await refuseStatus(response, call.now())
    const reader = createReader(formatOf(response.headers), collected, caps, deadlines.begun)
    deadlines.moved()
    for await (const part of body as AsyncIterable<Uint8Array>) {
      deadlines.moved()
      bytes += part.length
      if (bytes > caps.answerBytes) {
        kept.push(part.subarray(0, caps.answerBytes - (bytes - part.length)))
        throw faultOf('too-many-bytes', `the answer has more than ${caps.answerBytes} bytes`)
      }
      kept.push(part)
      reader.push(part)
    }
    reader.end()
    return result(null)
  } catch (error) {
    call.signal?.throwIfAborted()
    const cause = deadlines.signal.aborted ? deadlines.signal.reason : error
    const fault = toFault(cause, bytes > 0)
    return result(bytes > 0 ? { ...fault, retry: false } : fault)
  } finally {
    deadlines.stop()
    body?.destroy()
  }
}
