/**
 * Tells everybody who waits for the embedded database that it has ended. A panic (no space for its log) stops the engine
 * inside this process for good, and the driver above it would wait for an answer without end.
 */
export interface EngineWatch {
  /** The work, or the failure of the engine if that comes first. Nothing is begun after a failure. */
  guard<Result>(work: () => Promise<Result>): Promise<Result>
  /** The first failure stays. */
  fail(failure: unknown): void
  hasFailed(): boolean
}

export function createEngineWatch(): EngineWatch {
  const waiting = new Set<(failure: unknown) => void>()
  let ended: { readonly failure: unknown } | undefined
  return {
    guard: (work) => {
      if (ended) return Promise.reject(ended.failure)
      return new Promise((resolve, reject) => {
        waiting.add(reject)
        work()
          .then(resolve, reject)
          .finally(() => waiting.delete(reject))
      })
    },
    fail: (failure) => {
      ended ??= { failure }
      for (const reject of waiting) reject(failure)
      waiting.clear()
    },
    hasFailed: () => ended !== undefined,
  }
}
