import type { CaseOutcome, TestResult } from '../schema/test-result.ts'

/** What the kernel and the report say about one case's process. */
export interface CaseEvidence {
  readonly timedOut: boolean
  readonly outOfMemory: boolean
  readonly sentinelFailed: boolean
  readonly parts: readonly Pick<TestResult, 'status'>[]
}

/**
 * How a case ended. The kernel's word goes first; without a failing sentinel the report is worth nothing; a case passes only
 * if it has a part and every part passed.
 */
export function caseOutcome(evidence: CaseEvidence): CaseOutcome {
  if (evidence.timedOut) return 'timed_out'
  if (evidence.outOfMemory) return 'out_of_memory'
  if (!evidence.sentinelFailed || evidence.parts.length === 0) return 'absent'
  const statuses = evidence.parts.map((part) => part.status)
  if (statuses.includes('failed')) return 'failed'
  if (statuses.includes('errored')) return 'errored'
  return statuses.includes('skipped') ? 'skipped' : 'passed'
}
