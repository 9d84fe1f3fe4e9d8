import { z } from 'zod'
import { Digest } from './ids.ts'
import { CaseKey } from './task.ts'

/** The stages of a task's verification, in order: each holds the ones before it. */
export const VerificationStage = z.enum([
  'found',
  'read',
  'built',
  'failing',
  'passing',
  'stable',
  'accepted',
])
export type VerificationStage = z.infer<typeof VerificationStage>

/** Why a task went no further, or what is to be known of one that is accepted. */
export const VerificationCode = z.enum([
  /** The task cannot be read, or its patches do not apply. */
  'unreadable',
  /** A live issue: there is no fix to verify it with. */
  'live',
  /** The language's tools are not on this machine. */
  'tools-missing',
  /** The machine broke: nothing is said of the task. */
  'infrastructure',
  /** No leg of the chosen jobs can run here. */
  'unsupported',
  /** No test of the repository was reported on golden. */
  'no-tests-reported',
  /** The upstream tests pass without the fix. */
  'passes-on-base',
  /** None of the tests that fail without the fix passes with it. */
  'golden-fails',
  /** Every test that the fix repairs ends now so, now so. */
  'flaky',
  /** The judge could not run a case of the upstream test files by itself. */
  'no-test-command',
  /** The judge's own rules admit none of the upstream cases. */
  'upstream-not-admitted',
  /** Forged results could not be told in the processes that decide: such a task is unrated. */
  'unarmed',
  /** The lists of task.json name tests that did not end so here. */
  'lists-differ',
  /** Tests that are left out of the lists, since they end now so, now so. */
  'quarantined',
  /** Tests that pass at base and not with the human fix. */
  'broken-by-golden',
])
export type VerificationCode = z.infer<typeof VerificationCode>

export const VerificationFinding = z.object({
  code: VerificationCode,
  severity: z.enum(['loss', 'note']),
  message: z.string(),
})
export type VerificationFinding = z.infer<typeof VerificationFinding>

/** What the slowest of several runs of one tree took. Null where the sandbox cannot tell. */
export const RunCost = z.object({
  durationMs: z.number().nonnegative(),
  cpuMs: z.number().nonnegative().nullable(),
  peakMemoryMiB: z.number().nonnegative().nullable(),
})
export type RunCost = z.infer<typeof RunCost>

/** What three runs each of base and golden, with and without the upstream tests, say of a task. */
export const Verification = z.object({
  /** The last stage that the task reached. */
  stage: VerificationStage,
  /** Whether rounds on it may count: accepted, and forged results can be told. */
  rated: z.boolean(),
  findings: z.array(VerificationFinding),
  FAIL_TO_PASS: z.array(CaseKey),
  PASS_TO_PASS: z.array(CaseKey),
  /** Ends now so, now so, on one of the trees. */
  flaky: z.array(CaseKey),
  /** Of the upstream cases, by leg. */
  admitted: z.object({ of: z.number().int().nonnegative(), keys: z.number().int().nonnegative() }),
  /** Test processes in which a sentinel was not reported failed on base and golden each time. */
  unarmed: z.array(z.string()),
  base: RunCost,
  golden: RunCost,
})
export type Verification = z.infer<typeof Verification>

/** `verification.json`: kept beside task.json, for that task alone. */
export const VerificationRecord = z.strictObject({
  schemaVersion: z.literal(1),
  /** Digest of the task with its files. */
  task: Digest,
  /** Digest of sandbox, toolchains and limits. */
  environment: Digest,
  verifiedAt: z.iso.datetime(),
  verification: Verification,
})
export type VerificationRecord = z.infer<typeof VerificationRecord>
