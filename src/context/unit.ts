import type { IndexedFile } from './tree-index.ts'
import type { LineRange } from './windows.ts'

/** Some lines of a file that may go into a pack. */
export interface Unit extends LineRange {
  readonly file: IndexedFile
  readonly bytes: Buffer
  readonly score: number
}
