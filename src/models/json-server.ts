import type { z } from 'zod'
import { type ConnectionPorts, checkedUrl, createConnections, waitFor } from './connection.ts'
import { DEFAULT_TIMEOUTS, startDeadlines } from './deadlines.ts'
import { errorMessage } from './error-message.ts'
import { type Fault, faultOf } from './fault.ts'
import { createRedactor } from './redact.ts'
import { sendRequest } from './send-request.ts'
import { withRetries } from './with-retries.ts'

export type Posted<T> =
  | { readonly kind: 'answered'; readonly value: T }
  | { readonly kind: 'failed'; readonly reason: string }

/** A server that is sent JSON and answers JSON. */
export interface JsonServer {
  /** What the server does wrong is a value; only the caller's own signal throws its reason. `timeoutMs`: of this posting. */
  post<S extends z.ZodType>(
    body: unknown,
    answer: S,
    options: { readonly timeoutMs: number; readonly signal: AbortSignal | undefined },
  ): Promise<Posted<z.output<S>>>
  close(): Promise<void>
}

const ANSWER_BYTES = 64 * 1024 * 1024
const TRIES = 3

function parseAnswer<S extends z.ZodType>(text: string, schema: S): z.output<S> {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw faultOf('invalid-json', `not JSON: ${text.slice(0, 80)}`)
  }
  if (typeof value === 'object' && value !== null && 'error' in value && value.error != null)
    throw faultOf('endpoint-error', errorMessage(value.error).slice(0, 300))
  const parsed = schema.safeParse(value)
  if (parsed.success) return parsed.data
  const first = parsed.error.issues[0]
  throw faultOf('invalid-json', `${first?.path.join('.') || 'the answer'}: ${first?.message ?? 'wrong form'}`)
}

/** Throws InputError that names `field` for an address that may not be called. */
export function createJsonServer(address: string, field: string, ports: ConnectionPorts): JsonServer {
  const url = checkedUrl(address, field, ports.addresses)
  const { now, random, key } = ports
  const redactor = createRedactor(key === undefined ? [] : [key])
  const { connectMs } = DEFAULT_TIMEOUTS
  const dispatcher = createConnections(ports, connectMs)
  const headers = {
    'content-type': 'application/json',
    accept: 'application/json',
    'accept-encoding': 'identity',
    ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
  }
  return {
    async post(body, answer, { timeoutMs, signal }) {
      const text = JSON.stringify(body)
      const send = async (leftMs: number) => {
        let value: z.output<typeof answer> | undefined
        const timeouts = { connectMs, firstTokenMs: timeoutMs, idleMs: timeoutMs, totalMs: timeoutMs }
        const { fault } = await sendRequest({
          url,
          headers,
          body: text,
          dispatcher,
          deadlines: startDeadlines(timeouts, leftMs),
          signal,
          answerBytes: ANSWER_BYTES,
          now,
          open: (format) => {
            if (format !== 'json') throw faultOf('wrong-content-type', 'a stream, which was not asked for')
            return {
              push: () => undefined,
              end: (raw) => {
                value = parseAnswer(raw().toString('utf8'), answer)
              },
              begun: () => false,
            }
          },
        })
        return { fault, value }
      }
      const { result, tries } = await withRetries(send, {
        tries: ports.tries ?? TRIES,
        busyTries: ports.busyTries ?? ports.tries ?? TRIES,
        totalMs: timeoutMs,
        signal,
        now,
        random,
        wait: ports.wait ?? waitFor,
      })
      if (result.fault === null && result.value !== undefined)
        return { kind: 'answered', value: result.value }
      return { kind: 'failed', reason: redactor.text(reasonOf(result.fault, tries)) }
    },
    close: () => dispatcher.destroy(),
  }
}

const reasonOf = (fault: Fault | null, tries: number): string =>
  `${fault?.kind ?? 'invalid-json'}: ${fault?.detail ?? 'no answer'}${tries > 1 ? ` (after ${tries} tries)` : ''}`
