import { digestOfValue } from '../schema/canonical.ts'
import type { Digest } from '../schema/ids.ts'
import type { PreparedTask } from '../schema/prepared.ts'
import type { AppliedChanges, FileChange, RepoView } from '../schema/tree.ts'

/** A tree to run CI on: a task's base and what is changed on top of it. */
export interface Tree {
  readonly task: PreparedTask
  readonly changes: readonly FileChange[]
  /** Equal for equal bytes: no changes are the base tree. */
  readonly digest: Digest
  readonly view: RepoView
}

export function treeOf(task: PreparedTask, changes: AppliedChanges | null): Tree {
  const list = changes?.changes ?? []
  return {
    task,
    changes: list,
    digest: digestOfValue({ base: task.loaded.digest, changes: list.length > 0 ? changes?.digest : null }),
    view: overlayView(task.base, list),
  }
}

/** The base's files with the changes on top; nothing is read from a folder that a candidate can write. */
export function overlayView(base: RepoView, changes: readonly FileChange[]): RepoView {
  const byPath = new Map(changes.map((change) => [change.path, change]))
  return {
    list() {
      const kept = base.list().filter((path) => !byPath.has(path))
      const written = changes.filter((change) => change.change === 'write').map((change) => change.path)
      return [...kept, ...new Set(written)].sort(byCodeUnits)
    },
    read(path) {
      const change = byPath.get(path)
      if (!change) return base.read(path)
      return change.change === 'write' ? Buffer.from(change.contentBase64, 'base64') : undefined
    },
  }
}

const byCodeUnits = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)
