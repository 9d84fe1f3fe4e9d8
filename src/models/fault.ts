/** What an endpoint can do wrong. Each is an outcome of a call, never an exception of ours. */
export type FaultKind =
  | 'blocked-address'
  | 'not-reachable'
  | 'connect-timeout'
  | 'first-token-timeout'
  | 'idle-timeout'
  | 'total-timeout'
  | 'http-status'
  | 'redirect'
  | 'wrong-content-type'
  | 'invalid-json'
  | 'endpoint-error'
  | 'cut-stream'
  | 'too-many-bytes'
  | 'too-many-tokens'

export interface Fault {
  readonly kind: FaultKind
  readonly detail: string
  /** Whether the same request may be sent again: nothing of an answer had come yet. */
  readonly retry: boolean
  /** It answers, but asks to be asked later: too many requests, overloaded. */
  readonly busy?: boolean
  readonly retryAfterMs?: number
}

/** Carries a fault out of callbacks; it never leaves src/models. */
export class FaultError extends Error {
  readonly fault: Fault
  constructor(fault: Fault) {
    super(fault.detail)
    this.fault = fault
  }
}

export const faultOf = (kind: FaultKind, detail: string, retry = false, busy = false): FaultError =>
  new FaultError({ kind, detail, retry, ...(busy ? { busy } : {}) })

const codesOf = (error: unknown): readonly string[] => {
  const codes: string[] = []
  for (let at: unknown = error, depth = 0; at instanceof Error && depth < 5; at = at.cause, depth++) {
    if ('code' in at && typeof at.code === 'string') codes.push(at.code)
    if (at instanceof AggregateError) codes.push(...at.errors.flatMap(codesOf))
  }
  return codes
}

/** A fault from whatever the connection threw. `started`: something of the answer had come. */
export function toFault(error: unknown, started: boolean): Fault {
  if (error instanceof FaultError) return error.fault
  const codes = codesOf(error)
  const detail = error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error)
  if (codes.includes('EBLOCKED')) return { kind: 'blocked-address', detail, retry: false }
  if (codes.includes('UND_ERR_CONNECT_TIMEOUT')) return { kind: 'connect-timeout', detail, retry: true }
  if (started) return { kind: 'cut-stream', detail: `the connection ended: ${detail}`, retry: false }
  const named = codes[0] === undefined || detail.includes(codes[0]) ? detail : `${detail} (${codes[0]})`
  return { kind: 'not-reachable', detail: named, retry: true }
}
