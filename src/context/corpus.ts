/** A file as the tree of a commit, or of a folder, names it. */
export interface CorpusFile {
  /** Relative to the root, with slashes. */
  readonly path: string
  /** git's own name of the content. */
  readonly blob: string
}

/** What is no plain file, and so is never read. */
export interface LeftOutEntry {
  readonly path: string
  readonly reason: 'symlink' | 'submodule' | 'unreadable' | 'odd-name'
}

/** Called with one file's bytes, which are the callee's; undefined for a blob that is larger than was asked for. */
export type OnBlob = (blob: string, bytes: Buffer | undefined) => void

/** The files of one tree: of a commit in a git object store, or of a plain folder. Close it: it may hold a process. */
export interface Corpus {
  /** The commit; for a folder, a digest of its paths and contents. */
  readonly id: string
  readonly kind: 'commit' | 'folder'
  /** Sorted by path, by code units. */
  readonly files: readonly CorpusFile[]
  readonly leftOut: readonly LeftOutEntry[]
  /** Reads blobs in the order given, few at a time in memory. A blob over `maxBytes` is told as undefined. */
  read(blobs: readonly string[], maxBytes: number, onBlob: OnBlob): Promise<void>
  close(): Promise<void>
}

export const byPath = (a: { readonly path: string }, b: { readonly path: string }): number =>
  a.path < b.path ? -1 : a.path > b.path ? 1 : 0
