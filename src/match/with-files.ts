import { toAppliedChanges } from '../schema/applied.ts'
import type { AppliedChanges } from '../schema/tree.ts'

/** Test files stand on top of the tree's own. */
export const withFiles = (tree: AppliedChanges | null, files: AppliedChanges): AppliedChanges => {
  const byPath = new Map((tree?.changes ?? []).map((change) => [change.path, change]))
  for (const change of files.changes) byPath.set(change.path, change)
  return toAppliedChanges([...byPath.values()])
}
