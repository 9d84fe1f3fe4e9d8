import type { LoadedTask } from './task.ts'
import type { AppliedChanges, RepoView } from './tree.ts'

/** A task whose history-free base tree stands ready on disk, with the human changes applied to it. */
export interface PreparedTask {
  readonly loaded: LoadedTask
  /** A layer folder (see ci/runners/port.ts) whose only content is the repository; never written after it was made. */
  readonly layer: string
  /** The git repository in it: one root commit that holds the base tree and nothing else. */
  readonly template: string
  /** Last part of the repository's name: the folder's name inside the sandbox. */
  readonly repoName: string
  readonly base: RepoView
  /** The fix without tests, workflows and runner control; null for a live issue. */
  readonly golden: AppliedChanges | null
  readonly upstreamTests: AppliedChanges | null
  /** Base and golden with a comment added to each file that golden changes. */
  readonly commentedBase: AppliedChanges
  readonly commentedGolden: AppliedChanges | null
}
