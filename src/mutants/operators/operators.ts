import type { Grammar, Node } from '../../../languages/shared/syntax.ts'

/** What of a language's syntax trees can be made wrong, by the names that its grammar gives. */
export interface Operators {
  readonly grammar: Grammar
  /** Definitions whose body is looked at when a line of it was changed. */
  readonly functions: readonly string[]
  /** Nodes that may have a condition, and where it is; null when this one has none that can be negated. */
  readonly conditional: readonly string[]
  readonly conditionOf: (node: Node) => Node | null
  readonly negated: (condition: string) => string
  /** Nodes that hold an operator of `shifted` as a child. */
  readonly comparing: readonly string[]
  /** An operator → the one that is off by one. */
  readonly shifted: Readonly<Record<string, string>>
  readonly integers: readonly string[]
  readonly argumentLists: readonly string[]
  /** Arguments that have a name or stand for several: they are not swapped. */
  readonly namedArguments: readonly string[]
  readonly statements: readonly string[]
  readonly isRemovable: (statement: Node) => boolean
  /** What stands in a removed statement's place. */
  readonly nothing: string
}

/** In most languages: less or greater, with and without equal. */
export const SHIFTED: Readonly<Record<string, string>> = { '<': '<=', '<=': '<', '>': '>=', '>=': '>' }
