import type { LanguageAdapter, PathClass } from '../../languages/adapter.ts'
import { toAppliedChanges } from '../schema/applied.ts'
import type { AppliedChanges, FileChange, PatchNote, RepoView } from '../schema/tree.ts'
import { readText, toBase64 } from './read-text.ts'

export interface SubmitterPolicyRequest {
  readonly changes: AppliedChanges
  readonly base: RepoView
  readonly adapter: Pick<LanguageAdapter, 'classify' | 'withTestsOfBase'>
}

const OF_BASE: Readonly<Partial<Record<PathClass, string>>> = {
  workflow: 'workflow files are taken from the base commit',
  test: 'test files are taken from the base commit',
  'runner-control': 'files that steer the test runner are taken from the base commit',
}

const stripped = (path: string, reason: string): PatchNote => ({ action: 'stripped', path, reason })

/** A source file with its inline tests taken from base; undefined when nothing else was changed in it. */
function withBaseTests(
  change: FileChange,
  { base, adapter }: SubmitterPolicyRequest,
  notes: PatchNote[],
): FileChange | undefined {
  if (change.change === 'delete' || change.mode === '120000') return change
  const patched = readText(Buffer.from(change.contentBase64, 'base64'))
  if (patched === undefined) return change
  const before = base.read(change.path)
  const baseText = before && readText(before)
  const kept = adapter.withTestsOfBase(change.path, patched, baseText)
  if (kept === patched) return change
  notes.push(stripped(change.path, 'tests inside the source file are taken from the base commit'))
  return kept === baseText ? undefined : { ...change, contentBase64: toBase64(kept) }
}

/** Folders above a path. */
const foldersOf = (path: string): string[] =>
  path
    .split('/')
    .slice(0, -1)
    .map((_, index, parts) => parts.slice(0, index + 1).join('/'))

/** Drops writes that would need a name both as file and as folder, once other changes were taken back. */
function withoutClashes(changes: readonly FileChange[], base: RepoView, notes: PatchNote[]): FileChange[] {
  const deleted = new Set(changes.filter((change) => change.change === 'delete').map((change) => change.path))
  const files = new Set([
    ...base.list().filter((path) => !deleted.has(path)),
    ...changes.filter((change) => change.change === 'write').map((change) => change.path),
  ])
  const folders = new Set([...files].flatMap(foldersOf))
  return changes.filter((change) => {
    if (change.change === 'delete') return true
    if (!folders.has(change.path) && !foldersOf(change.path).some((folder) => files.has(folder))) return true
    notes.push(stripped(change.path, 'its name clashes with a file that is taken from the base commit'))
    return false
  })
}

/**
 * What of a patch is graded: tests, workflows and runner control come from base, also where they stand inside a source
 * file. What was taken back is noted; the result may be empty.
 */
export function applySubmitterPolicy(request: SubmitterPolicyRequest): {
  readonly changes: AppliedChanges
  readonly notes: PatchNote[]
} {
  const notes: PatchNote[] = []
  const kept = request.changes.changes.flatMap((change): FileChange[] => {
    const reason = OF_BASE[request.adapter.classify(change.path)]
    if (reason !== undefined) {
      notes.push(stripped(change.path, reason))
      return []
    }
    const cleaned = withBaseTests(change, request, notes)
    return cleaned === undefined ? [] : [cleaned]
  })
  return { changes: toAppliedChanges(withoutClashes(kept, request.base, notes)), notes }
}
