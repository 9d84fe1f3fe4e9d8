/**
 * The values of all, in order, once every one has ended. When one throws, the first error in the order of the list is
 * thrown after the others have ended too: nothing of a failed run still works in a sandbox when its caller goes on.
 */
export async function settleAll<const T extends readonly unknown[]>(
  values: T,
): Promise<{ -readonly [K in keyof T]: Awaited<T[K]> }> {
  await Promise.allSettled(values)
  return Promise.all(values)
}
