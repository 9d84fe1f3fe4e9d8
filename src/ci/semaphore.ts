/** At most `slots` bodies run at once; of those that wait, the lowest turn goes first, and whoever came first of one turn. */
export interface Semaphore {
  run<T>(turn: number, body: () => Promise<T>): Promise<T>
}

export function createSemaphore(slots: number): Semaphore {
  let free = Math.max(1, slots)
  const waiting: { readonly turn: number; readonly start: () => void }[] = []
  const acquire = (turn: number): Promise<void> => {
    if (free > 0) {
      free -= 1
      return Promise.resolve()
    }
    return new Promise((start) => {
      const later = waiting.findIndex((other) => other.turn > turn)
      waiting.splice(later < 0 ? waiting.length : later, 0, { turn, start })
    })
  }
  // A freed slot goes straight to the next in line, so that nobody can slip in between.
  const release = (): void => {
    const next = waiting.shift()
    if (next) next.start()
    else free += 1
  }
  return {
    async run(turn, body) {
      await acquire(turn)
      try {
        return await body()
      } finally {
        release()
      }
    },
  }
}
