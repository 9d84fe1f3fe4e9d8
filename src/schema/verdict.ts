import { z } from 'zod'

export const VerdictKind = z.enum([
  'submitter-win',
  'reviewer-win',
  'submitter-forfeit',
  'reviewer-forfeit',
  'no-contest',
  'void',
])
export type VerdictKind = z.infer<typeof VerdictKind>

/** A reviewer's or upstream case in one leg. */
export const TestKey = z.object({ leg: z.string(), file: z.string(), case: z.string() })
export type TestKey = z.infer<typeof TestKey>

export const RejectedKey = TestKey.extend({
  /** Why it does not count, in the order in which it is asked. */
  why: z.enum([
    'passes-on-base',
    'passes-on-commented-base',
    'skipped-on-base',
    'fails-on-golden',
    'fails-on-commented-golden',
    'flaky-on-golden',
    'lint',
    'over-the-cap',
    'unknown',
  ]),
  detail: z.string(),
})
export type RejectedKey = z.infer<typeof RejectedKey>

/** A case or leg of the repository that passed at base and does not with the patch. */
export const BrokenKey = z.object({
  leg: z.string(),
  /** `suite::name`; null when the whole leg no longer succeeds. */
  case: z.string().nullable(),
  found: z.string(),
})
export type BrokenKey = z.infer<typeof BrokenKey>

/** Why a role did not bring anything that counts. */
export const ForfeitReason = z.enum([
  'does-not-apply',
  'empty',
  'malformed',
  'refusal',
  'truncated',
  'unusable',
  'endpoint',
  'forged',
  'breaks-tests',
  'breaks-leg',
  'not-admitted',
  'no-cases',
])
export type ForfeitReason = z.infer<typeof ForfeitReason>

export const Verdict = z.object({
  kind: VerdictKind,
  /** 1 the patch survives, 0 it is killed, null when the round does not enter the ratings. */
  y: z.union([z.literal(0), z.literal(1)]).nullable(),
  /** The paper's points. */
  points: z.object({ submitter: z.number().int(), reviewer: z.number().int() }),
  playable: z.enum(['yes', 'no', 'unknown']),
  submitterReason: ForfeitReason.nullable(),
  reviewerReason: ForfeitReason.nullable(),
  /** What broke in an unplayable patch, at most 50. */
  broken: z.array(BrokenKey),
  /** Armed processes in which the patch forged its result. */
  forged: z.array(z.string()),
  admitted: z.array(TestKey),
  rejected: z.array(RejectedKey),
  /** The admitted tests that the candidate does not pass. */
  killedBy: z.array(TestKey.extend({ outcome: z.string() })),
  /** Admitted tests of which infrastructure broke the result on the patch, where that changed nothing. */
  undecided: z.array(TestKey).optional(),
  /** `flaky`, `does-not-build`, `unarmed`, `limits-not-enforced`, … : shown, never deciding. */
  flags: z.array(z.string()),
  /** Why it is void; empty otherwise. */
  voidBecause: z.array(z.string()),
  /** Whether the patch passes FAIL_TO_PASS and keeps PASS_TO_PASS, by the upstream tests. */
  resolved: z.enum(['yes', 'no', 'unknown']),
  judgeVersion: z.string(),
})
export type Verdict = z.infer<typeof Verdict>
