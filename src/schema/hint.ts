/** A place that a patch changed, as it is with the patch. */
export interface Hint {
  readonly path: string
  /** From 1, inclusive. */
  readonly startLine: number
  readonly endLine: number
  /** Lines added and removed there. */
  readonly changedLines: number
  /** The lines of the place. */
  readonly text: string
}
