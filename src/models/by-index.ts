/**
 * Puts what a server answered into the order of what it was sent: each entry names its place by `index`. Servers that
 * name no place at all answer in order. Undefined when places are missing, named twice or out of range.
 */
export function byIndex<E extends { readonly index?: number | null | undefined }>(
  entries: readonly E[],
  expected: number,
): readonly E[] | undefined {
  if (entries.length !== expected) return undefined
  if (entries.every(({ index }) => index == null)) return entries
  const placed = new Map(entries.map((entry) => [entry.index, entry]))
  const ordered: E[] = []
  for (let index = 0; index < expected; index++) {
    const entry = placed.get(index)
    if (!entry) return undefined
    ordered.push(entry)
  }
  return ordered
}
