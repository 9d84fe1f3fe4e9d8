/** A test or step that did not pass, as a role is told of it. */
export interface Failure {
  readonly leg: string
  /** `CASE in FILE`, or the step's name. */
  readonly what: string
  /** What came out, or why it does not count. */
  readonly outcome: string
  /** The end of its log, cleaned of what differs from run to run; '' where there is none, or it is not shown. */
  readonly log: string
}

/** What a role is told of an earlier round of the same battle, in which it had the same role. */
export interface Feedback {
  readonly turn: number
  readonly kind: 'patch' | 'tests'
  /** A sentence: how the round ended for this role. */
  readonly ended: string
  /** What it brought, as a diff; '' where nothing of it could be applied. */
  readonly brought: string
  readonly failures: readonly Failure[]
}
