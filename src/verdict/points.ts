import type { Verdict, VerdictKind } from '../schema/verdict.ts'

/**
 * The points of the SwingArena paper. Submitter: +1 when the patch passes every check including the reviewer's tests,
 * else −1. Reviewer: +1 when a test of its passes on golden and not on the patch; −1 when nothing of its counts and a
 * test failed on golden; else 0. A void scores nothing.
 */
export function paperPoints(kind: VerdictKind, failedOnGolden: boolean): Verdict['points'] {
  const invalid = failedOnGolden ? -1 : 0
  switch (kind) {
    case 'submitter-win':
      return { submitter: 1, reviewer: 0 }
    case 'reviewer-win':
      return { submitter: -1, reviewer: 1 }
    case 'submitter-forfeit':
      return { submitter: -1, reviewer: 0 }
    case 'reviewer-forfeit':
      return { submitter: 1, reviewer: invalid }
    case 'no-contest':
      return { submitter: -1, reviewer: invalid }
    case 'void':
      return { submitter: 0, reviewer: 0 }
  }
}

/** The counters of the code that was released with the paper, by its own names. */
export interface ReleasedCounters {
  readonly patch_agent_score: number
  readonly test_agent_score: number
  readonly verified_patch_agent_score: number
  readonly verified_test_agent_score: number
}

/**
 * What one round adds to the released code's counters: −1 for an invalid patch and for invalid tests, and where both
 * are valid +1 to exactly one side, by whether the candidate's CI equals golden's. Computed from our verdict, not by
 * repeating that code's faults (its validity check never rejects). Sighted and paper rounds that end with the patch say
 * nothing about the tests.
 */
export function releasedCounters({ kind }: Pick<Verdict, 'kind'>): ReleasedCounters {
  const counters = (patch: number, test: number, verifiedPatch: number, verifiedTest: number) => ({
    patch_agent_score: patch,
    test_agent_score: test,
    verified_patch_agent_score: verifiedPatch,
    verified_test_agent_score: verifiedTest,
  })
  switch (kind) {
    case 'submitter-win':
      return counters(0, 0, 1, 0)
    case 'reviewer-win':
      return counters(0, 0, 0, 1)
    case 'submitter-forfeit':
      return counters(-1, 0, 0, 0)
    case 'reviewer-forfeit':
      return counters(0, -1, 0, 0)
    case 'no-contest':
      return counters(-1, -1, 0, 0)
    case 'void':
      return counters(0, 0, 0, 0)
  }
}
