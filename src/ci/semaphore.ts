/** At most `slots` bodies run at once; the others wait in order. */
export interface Semaphore {
  run<T>(body: () => Promise<T>): Promise<T>
}

export function createSemaphore(slots: number): Semaphore {
  let free = Math.max(1, slots)
  const waiting: (() => void)[] = []
  const acquire = (): Promise<void> => {
    if (free > 0) {
      free -= 1
      return Promise.resolve()
    }
    return new Promise((resolve) => waiting.push(resolve))
  }
  // A freed slot goes straight to the next in line, so that nobody can slip in between.
  const release = (): void => {
    const next = waiting.shift()
    if (next) next()
    else free += 1
  }
  return {
    async run(body) {
      await acquire()
      try {
        return await body()
      } finally {
        release()
      }
    },
  }
}
