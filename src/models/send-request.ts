import { type Dispatcher, request } from 'undici'
import type { Deadlines } from './deadlines.ts'
import { errorMessage } from './error-message.ts'
import { type Fault, FaultError, faultOf, toFault } from './fault.ts'
import { parseRetryAfter } from './retry-delay.ts'

/** Server-sent events, or one JSON document. */
export type Format = 'events' | 'json'

/** Reads one answer as it comes. It throws FaultError for what is wrong in it. */
export interface AnswerReader {
  push(bytes: Uint8Array): void
  /** The server ended its answer. `raw`: all of it. */
  end(raw: () => Buffer): void
  /** Something of an answer has come: sending again would ask for another one. */
  begun(): boolean
}

export interface RequestToSend {
  readonly url: URL
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  readonly dispatcher: Dispatcher
  readonly deadlines: Deadlines
  /** The caller's own wish to stop. */
  readonly signal: AbortSignal | undefined
  /** Bytes of one answer, everything counted. */
  readonly answerBytes: number
  readonly now: () => number
  /** Throws FaultError for a format that it cannot read. */
  readonly open: (format: Format) => AnswerReader
}

export interface Sent {
  /** The bytes that came, up to the cap. */
  readonly raw: Buffer
  /** Null when the answer is whole. */
  readonly fault: Fault | null
  /** When its first text came, by the caller's clock; null when none did. */
  readonly begunAt: number | null
}

/** Bytes of an error page that are read for its message. */
const ERROR_BYTES = 16 * 1024

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
const BUSY = new Set([429, 529])

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
    busy: BUSY.has(statusCode) || (statusCode === 503 && retryAfterMs !== undefined),
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
  })
}

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

/**
 * Sends one request and reads its answer to the end. Everything that the endpoint does wrong is in `fault`; only the
 * caller's own signal throws its reason.
 */
export async function sendRequest(call: RequestToSend): Promise<Sent> {
  const { deadlines, answerBytes } = call
  const kept: Uint8Array[] = []
  let bytes = 0
  let reader: AnswerReader | undefined
  let begunAt: number | null = null
  const signal = call.signal ? AbortSignal.any([deadlines.signal, call.signal]) : deadlines.signal
  let body: Dispatcher.ResponseData['body'] | undefined
  const sent = (fault: Fault | null): Sent => ({ raw: Buffer.concat(kept), fault, begunAt })
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
    reader = call.open(formatOf(response.headers))
    deadlines.moved()
    for await (const part of body as AsyncIterable<Uint8Array>) {
      deadlines.moved()
      bytes += part.length
      if (bytes > answerBytes) {
        kept.push(part.subarray(0, answerBytes - (bytes - part.length)))
        throw faultOf('too-many-bytes', `the answer has more than ${answerBytes} bytes`)
      }
      kept.push(part)
      reader.push(part)
      if (begunAt === null && reader.begun()) {
        deadlines.begun()
        begunAt = call.now()
      }
    }
    reader.end(() => Buffer.concat(kept))
    return sent(null)
  } catch (error) {
    call.signal?.throwIfAborted()
    const cause = deadlines.signal.aborted ? deadlines.signal.reason : error
    const fault = toFault(cause, bytes > 0)
    return sent(reader?.begun() ? { ...fault, retry: false } : fault)
  } finally {
    deadlines.stop()
    body?.destroy()
  }
}
