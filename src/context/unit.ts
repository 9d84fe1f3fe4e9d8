import type { Chunk } from './cut.ts'
import type { IndexedFile } from './tree-index.ts'

/** Some lines of a file that may go into a pack. */
export interface Unit extends Chunk {
  readonly file: IndexedFile
  readonly bytes: Buffer
  readonly score: number
}
