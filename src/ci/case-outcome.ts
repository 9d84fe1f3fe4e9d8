import type { CaseOutcome, TestResult } from '../schema/test-result.ts'

/** What the kernel and the report say about one case's process. */
export interface CaseEvidence {
  /** Of the case's command, as the sandbox saw it; null when a signal ended it. */
  readonly exitCode: number | null
  readonly timedOut: boolean
  readonly outOfMemory: boolean
  readonly sentinelFailed: boolean
  readonly parts: readonly Pick<TestResult, 'status'>[]
}

/**
 * How a case ended. The kernel's word goes first: with a sentinel that must fail beside the case no honest process ends
 * with 0. Without a failing sentinel the report is worth nothing; a case passes only if it has a part and every part passed.
 */
export function caseOutcome(evidence: CaseEvidence): CaseOutcome {
  if (evidence.timedOut) return 'timed_out'
  if (evidence.outOfMemory) return 'out_of_memory'
  if (evidence.exitCode === 0 || !evidence.sentinelFailed || evidence.parts.length === 0) return 'absent'
  const statuses = evidence.parts.map((part) => part.status)
  if (statuses.includes('failed')) return 'failed'
  if (statuses.includes('errored')) return 'errored'
  return statuses.includes('skipped') ? 'skipped' : 'passed'
}
