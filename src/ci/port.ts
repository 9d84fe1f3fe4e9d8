import type { CiRun, TestsRun } from '../schema/ci-run.ts'
import type { PreparedTask } from '../schema/prepared.ts'
import type { AppliedChanges } from '../schema/tree.ts'

export interface RunWorkflowRequest {
  readonly task: PreparedTask
  /** On top of the base tree; null for the base tree itself. */
  readonly changes: AppliedChanges | null
  /** `all` selected legs, plain and armed; `lint`: only the legs without a test step, plain; `plain`: all of them, plain. */
  readonly legs: 'all' | 'lint' | 'plain'
  readonly signal?: AbortSignal
}

export interface RunTestsRequest {
  readonly task: PreparedTask
  readonly changes: AppliedChanges | null
  /** The reviewer's or upstream test files, whole. */
  readonly tests: AppliedChanges
  readonly cases: readonly { readonly file: string; readonly case: string }[]
  /** Milliseconds that a case may take at least; the operator's own limit holds where it is longer. */
  readonly leastCaseMs?: number
  readonly signal?: AbortSignal
}

/** What a match asks of CI. Both answers are values, also when legs fail; a broken world is in `infra` of a leg. */
export interface Ci {
  /** SHA-256 over sandbox, toolchains, limits and the executor's version: part of every cell's key. */
  readonly environmentDigest: string
  readonly environment: Readonly<Record<string, unknown>>
  runWorkflow(request: RunWorkflowRequest): Promise<CiRun>
  runTests(request: RunTestsRequest): Promise<TestsRun>
}
