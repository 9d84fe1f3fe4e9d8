import type { PatchNote } from './tree.ts'

/** A block of text that is replaced. An empty `search` adds at the end of the file, which is made when it is missing. */
export interface SearchReplace {
  readonly path: string
  readonly search: string
  readonly replace: string
}

export interface WholeFile {
  readonly path: string
  readonly content: string
}

/** What an answer asks to be changed: the three forms of docs/answers.md. Paths are as written, not yet checked. */
export type AnswerContent =
  /** Unified diffs in the order of the answer; where two of them name the same file, the later one counts. */
  | { readonly kind: 'diff'; readonly diffs: readonly Buffer[] }
  | { readonly kind: 'edits'; readonly edits: readonly SearchReplace[] }
  | { readonly kind: 'files'; readonly files: readonly WholeFile[] }

/** An answer as read: something to apply, or why there is nothing. */
export type Answer =
  | (AnswerContent & { readonly notes: readonly PatchNote[] })
  | {
      readonly kind: 'empty' | 'refusal' | 'truncated' | 'unusable'
      /** A sentence that the model is told. */
      readonly reason: string
      readonly notes: readonly PatchNote[]
    }
