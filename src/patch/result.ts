import type { AppliedChanges, PatchNote } from '../schema/tree.ts'

export type PatchFailure = {
  readonly kind: 'empty' | 'malformed' | 'does-not-apply'
  /** One sentence: the file, the place in it and what is wrong. */
  readonly detail: string
  readonly notes: PatchNote[]
}

export type PatchResult =
  | { readonly kind: 'applied'; readonly changes: AppliedChanges; readonly notes: PatchNote[] }
  | PatchFailure
