/** Lets cells run side by side, or one of them with nothing else beside it. */
export interface CellGate {
  shared<T>(body: () => Promise<T>): Promise<T>
  /** Waits until all that run have ended; nothing starts before the body has. */
  alone<T>(body: () => Promise<T>): Promise<T>
}

export function createCellGate(): CellGate {
  // Whoever comes later waits for `closed`; whoever wants to be alone also waits for all of `running`.
  let closed: Promise<unknown> = Promise.resolve()
  const running = new Set<Promise<unknown>>()
  return {
    async shared(body) {
      const before = closed
      const run = before.then(body)
      const settled = run.catch(() => undefined)
      running.add(settled)
      settled.finally(() => running.delete(settled))
      return run
    },
    async alone(body) {
      const others = [...running]
      const run = closed.then(() => Promise.all(others)).then(body)
      closed = run.catch(() => undefined)
      return run
    },
  }
}
