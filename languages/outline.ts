/** How a language's files are cut and where they define names. Plain data: one file a language, listed in outlines.ts. */
export interface Outline {
  /** Part of the keys of stored indexes: a short word that never changes. */
  readonly id: string
  /** Ends of its files' names, with the dot. */
  readonly endings: readonly string[]
  readonly definitions: {
    /** The identifier after one of these, when the word is among the first of its line, is defined there. */
    readonly keywords: readonly string[]
    /** Whether a parenthesis may stand between the keyword and the name: Go's receivers. */
    readonly receiver?: boolean
    /** Whether the name before the first parenthesis of a line that is not indented is defined there: C's functions. */
    readonly callAtLineStart?: boolean
  }
}
