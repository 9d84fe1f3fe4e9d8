import { digestOfValue } from './canonical.ts'
import type { AppliedChanges, FileChange } from './tree.ts'

/** Sorts changes by path and names them by content: equal effects give equal digests, whoever made them. */
export function toAppliedChanges(changes: readonly FileChange[]): AppliedChanges {
  const sorted = [...changes].sort((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : 0))
  return { digest: digestOfValue(sorted), changes: sorted }
}
