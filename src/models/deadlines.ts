import { type FaultKind, faultOf } from './fault.ts'

/** Milliseconds. */
export interface Timeouts {
  readonly connectMs: number
  /** From sending the request to the first piece of text. */
  readonly firstTokenMs: number
  /** Between two pieces of the answer. */
  readonly idleMs: number
  /** The whole asking, with its retries. */
  readonly totalMs: number
}

export const DEFAULT_TIMEOUTS: Omit<Timeouts, 'totalMs'> = {
  connectMs: 10_000,
  firstTokenMs: 120_000,
  idleMs: 60_000,
}

/** The clocks of one try: `signal` aborts with a fault as its reason. */
export interface Deadlines {
  readonly signal: AbortSignal
  /** Bytes came. */
  moved(): void
  /** The first text came. */
  begun(): void
  stop(): void
}

/** `leftMs`: what is left of the total. */
export function startDeadlines(timeouts: Timeouts, leftMs: number): Deadlines {
  const controller = new AbortController()
  const after = (kind: FaultKind, ms: number, words: string, retry: boolean): NodeJS.Timeout =>
    setTimeout(() => controller.abort(faultOf(kind, `${words} within ${ms} ms`, retry)), ms)
  const total = after('total-timeout', Math.max(0, leftMs), 'the answer was not complete', false)
  const first = after('first-token-timeout', timeouts.firstTokenMs, 'no text came', true)
  let idle: NodeJS.Timeout | undefined
  return {
    signal: controller.signal,
    moved() {
      if (idle) idle.refresh()
      else idle = after('idle-timeout', timeouts.idleMs, 'nothing more came', false)
    },
    begun: () => clearTimeout(first),
    stop() {
      clearTimeout(total)
      clearTimeout(first)
      clearTimeout(idle)
    },
  }
}
