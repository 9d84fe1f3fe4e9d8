export type Turns = <T>(work: () => Promise<T>) => Promise<T>

/** Calls wait for each other, in the order in which they came; one that fails does not stop the next. */
export function oneAtATime(): Turns {
  let last: Promise<unknown> = Promise.resolve()
  return (work) => {
    const turn = last.then(work, work)
    last = turn
    return turn
  }
}
