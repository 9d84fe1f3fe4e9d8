import type { Grammar } from './shared/syntax.ts'

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
  /** Left out where no grammar is at hand: such files are cut by lines. */
  readonly tree?: {
    readonly grammar: Grammar
    /** Nodes whose head says where their lines are: `class Queue:`, `impl Iterator for Span {`. */
    readonly scopes: readonly string[]
    /** Nodes that belong to what follows them: comments, attributes, decorators. */
    readonly leading: readonly string[]
  }
}
