/**
 * The values of all, in order, once every one has ended. When one throws, the first error is thrown after the others have
 * ended too: nothing of a failed run still works in a sandbox when its caller goes on.
 */
export async function settleAll<T>(promises: readonly Promise<T>[]): Promise<T[]> {
  const settled = await Promise.allSettled(promises)
  const broken = settled.find((result) => result.status === 'rejected')
  if (broken) throw broken.reason
  return settled.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []))
}
