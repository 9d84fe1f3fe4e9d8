/** At most `width` calls of `work` at once, results in the order of `items`; the first error stops new ones and is thrown. */
export async function mapLimited<T, R>(
  items: readonly T[],
  width: number,
  work: (item: T, index: number) => Promise<R>,
): Promise<R[]> {
  const results: R[] = new Array(items.length)
  let next = 0
  let failed = false
  const lane = async (): Promise<void> => {
    while (!failed && next < items.length) {
      const index = next++
      try {
        results[index] = await work(items[index] as T, index)
      } catch (error) {
        failed = true
        throw error
      }
    }
  }
  const lanes = await Promise.allSettled(Array.from({ length: Math.min(width, items.length) }, lane))
  for (const outcome of lanes) if (outcome.status === 'rejected') throw outcome.reason
  return results
}

/** Calls with the same key share one run; the promise is dropped when it fails, so that the next call tries again. */
export function singleFlight<R>(): (key: string, work: () => Promise<R>) => Promise<R> {
  const running = new Map<string, Promise<R>>()
  return (key, work) => {
    const known = running.get(key)
    if (known) return known
    const started = work().catch((error: unknown) => {
      running.delete(key)
      throw error
    })
    running.set(key, started)
    return started
  }
}
