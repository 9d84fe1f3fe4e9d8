import type { CiRun, TestsRun } from '../schema/ci-run.ts'
import type { Protocol } from '../schema/match.ts'
import type { ForfeitReason, TestKey } from '../schema/verdict.ts'

/** A test function by the file that it stands in; the judge asks for it in every leg. */
export interface CaseName {
  readonly file: string
  readonly case: string
}

/** A role that brought nothing that could be run: by its own doing, never by the machine's. */
export interface RoleForfeit {
  readonly kind: 'forfeit'
  readonly reason: ForfeitReason
  readonly detail: string
}

export type Submission = { readonly kind: 'applied' } | RoleForfeit

export type Review =
  | {
      readonly kind: 'tests'
      /** What runs. */
      readonly cases: readonly CaseName[]
      /** What the season's caps cut, whole cases. */
      readonly overCap: readonly CaseName[]
    }
  | RoleForfeit
  /** The protocol ended the round before the reviewer was asked. */
  | { readonly kind: 'not-asked' }

/** Runs of the reviewer's test files. A run that is null or missing counts as unknown, like one that infrastructure broke. */
export interface TestsEvidence {
  readonly base: TestsRun | null
  /** Base with a comment added to each file that golden changes. */
  readonly commentedBase: TestsRun | null
  /** Golden three times, the third with such comments. */
  readonly golden: readonly TestsRun[]
  /** Null where there is no tree to run on, since the patch was forfeited. */
  readonly patch: TestsRun | null
  /** The legs without a test step on golden, and on golden with the test files; null when there are none. `plain` may be the whole run. */
  readonly lintOnGolden: { readonly plain: CiRun; readonly withTests: CiRun } | null
}

/**
 * Everything that the judge sees of a round. Outcomes `infra`, legs with status `infra_error` and legs with `infra`
 * evidence are unknown values: whether infrastructure is to blame was decided before, by evidence from outside the
 * sandbox and by a control run beside it. Everything else is taken as it stands, and absent is never passed.
 */
export interface Evidence {
  readonly protocol: Protocol
  readonly submission: Submission
  readonly review: Review
  readonly base: CiRun
  /** Null for a live issue: then only base is compared with. */
  readonly golden: CiRun | null
  /** Null where the patch was forfeited. */
  readonly patch: CiRun | null
  /** Null where the reviewer brought no tests. */
  readonly tests: TestsEvidence | null
  /** The upstream tests on the patch: for `resolved` only. */
  readonly oracle: TestsRun | null
  readonly oracleCases: readonly CaseName[]
  /** The task's lists, `suite::name`. */
  readonly failToPass: readonly string[]
  readonly passToPass: readonly string[]
  /** The reference run of our own beside the round. */
  readonly probe: 'ok' | 'failed'
  /** The operator's budget, not a competitor's own quota. */
  readonly budget: 'ok' | 'ended'
  /** The kill court's list: such a key counts as passed when the patch resolves the task. Empty without a court. */
  readonly overSpecified: readonly TestKey[]
}
