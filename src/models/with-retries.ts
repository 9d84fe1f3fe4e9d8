import type { Fault } from './fault.ts'
import { retryDelayMs } from './retry-delay.ts'

export interface RetryOptions {
  /** Sendings, the first one counted. */
  readonly tries: number
  /** The same for a server that only asks to be asked later. */
  readonly busyTries: number
  /** Milliseconds for all tries and the waiting between them. */
  readonly totalMs: number
  readonly signal: AbortSignal | undefined
  readonly now: () => number
  readonly random: () => number
  readonly wait: (ms: number, signal: AbortSignal | undefined) => Promise<void>
}

/**
 * Sends until an answer has come, the fault is for good, or tries or time are used up. `send` is given the milliseconds
 * that are left and how often it was sent before, and tells its fault; the last result is returned with the number of tries.
 */
export async function withRetries<R extends { readonly fault: Fault | null }>(
  send: (leftMs: number, tried: number) => Promise<R>,
  options: RetryOptions,
): Promise<{ readonly result: R; readonly tries: number }> {
  const { now, totalMs } = options
  const startedAt = now()
  for (let tries = 1; ; tries++) {
    const result = await send(startedAt + totalMs - now(), tries - 1)
    const { fault } = result
    const most = fault?.busy ? options.busyTries : options.tries
    if (fault === null || !fault.retry || tries >= most) return { result, tries }
    const delayMs = retryDelayMs(tries, fault.retryAfterMs, options.random())
    if (now() - startedAt + delayMs >= totalMs) return { result, tries }
    await options.wait(delayMs, options.signal).catch((error: unknown) => {
      options.signal?.throwIfAborted()
      throw error
    })
  }
}
