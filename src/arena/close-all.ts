/** Calls every closer, one after the other in this order, whatever the others do; then throws the first error. */
export async function closeAll(closers: readonly (() => Promise<unknown>)[]): Promise<void> {
  const errors: unknown[] = []
  for (const close of closers)
    try {
      await close()
    } catch (error) {
      errors.push(error)
    }
  if (errors.length > 0) throw errors[0]
}

/**
 * What the work gives, after closing. When the work throws, its error is the one that is thrown: `onSecondError` is told
 * of what closing throws then.
 */
export async function thenClose<T>(
  work: () => Promise<T>,
  close: () => Promise<unknown>,
  onSecondError: (error: unknown) => void,
): Promise<T> {
  let made: T
  try {
    made = await work()
  } catch (error) {
    await close().catch(onSecondError)
    throw error
  }
  await close()
  return made
}
