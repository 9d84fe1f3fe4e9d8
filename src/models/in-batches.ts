import type { ScorerFailure } from '../schema/scorer.ts'
import type { Posted } from './json-server.ts'

export interface BatchOptions {
  readonly batchSize: number
  /** Batches at once. */
  readonly parallel: number
  readonly signal: AbortSignal | undefined
}

/**
 * Works through `items` batch by batch; what comes of each, in their order. The first batch that fails ends the others,
 * since a part of the answers is of no use. Throws only what the caller's own signal says.
 */
export async function inBatches<T, R>(
  items: readonly T[],
  options: BatchOptions,
  work: (batch: readonly T[], signal: AbortSignal) => Promise<Posted<readonly R[]>>,
): Promise<Posted<readonly R[]>> {
  const stop = new AbortController()
  const signal = options.signal ? AbortSignal.any([options.signal, stop.signal]) : stop.signal
  const done = new Map<number, readonly R[]>()
  let next = 0
  let failure: ScorerFailure | undefined
  const lane = async (): Promise<void> => {
    while (failure === undefined && next < items.length) {
      const start = next
      next += options.batchSize
      const posted = await work(items.slice(start, start + options.batchSize), signal)
      if (posted.kind === 'answered') done.set(start, posted.value)
      else {
        failure ??= posted
        stop.abort()
      }
    }
  }
  const lanes = Math.min(options.parallel, Math.ceil(items.length / options.batchSize))
  const ends = await Promise.allSettled(Array.from({ length: lanes }, lane))
  options.signal?.throwIfAborted()
  if (failure !== undefined) return failure
  for (const end of ends) if (end.status === 'rejected') throw end.reason
  const starts = [...done.keys()].sort((a, b) => a - b)
  return { kind: 'answered', value: starts.flatMap((start) => done.get(start) ?? []) }
}
