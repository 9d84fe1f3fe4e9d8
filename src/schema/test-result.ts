import { z } from 'zod'

/** What a test tool reported for one case. A case that is not in the report is absent, and absent is never passed. */
export const TestStatus = z.enum(['passed', 'failed', 'skipped', 'errored'])
export type TestStatus = z.infer<typeof TestStatus>

/**
 * One case as its tool reported it.
 * `suite`: the test process's own grouping, relative to the repository root and equal on every machine:
 * the test file for pytest (`tests/test_a.py`), the package folder for Go (`.` or `internal/parse`),
 * the test binary for Cargo (`unit:NAME`, `test:NAME`, `bin:NAME`, `doc:NAME`), the executable for GoogleTest (`parser_test`),
 * `ctest` for a whole ctest test. `name`: the case with its parameters (`test_x[1]`, `TestX/sub`, `Suite.Name`).
 */
export const TestResult = z.object({
  suite: z.string(),
  name: z.string(),
  status: TestStatus,
  durationMs: z.number().nonnegative().optional(),
  /** The failure's text, cut to 4,096 characters. */
  message: z.string().max(4096).optional(),
})
export type TestResult = z.infer<typeof TestResult>

/**
 * One operating-system process (or one sequence that shares fate, as a pytest session) that ran cases.
 * `process`: stable id, equal over trees: `pytest:1` (the n-th pytest call of the step), `go:internal/parse`,
 * `cargo:test:NAME`, `gtest:parser_test`, `ctest:NAME` for a ctest test without a case report.
 */
export const ProcessReport = z.object({
  process: z.string(),
  /** The kernel's exit code as its parent saw it; null when it was ended by a signal or never ended. */
  exitCode: z.number().int().nullable(),
  signal: z.string().nullable(),
  cases: z.array(TestResult),
  /** Whether the report ended as its tool ends it; a cut report keeps the cases that were read. */
  complete: z.boolean(),
})
export type ProcessReport = z.infer<typeof ProcessReport>

export const SentinelOutcome = z.enum(['failed', 'passed', 'absent'])
export type SentinelOutcome = z.infer<typeof SentinelOutcome>

/** A process of the armed run: its sentinel must be reported failed. The sentinel's own case is not in `cases`. */
export const ArmedProcess = ProcessReport.extend({ sentinel: SentinelOutcome })
export type ArmedProcess = z.infer<typeof ArmedProcess>

/** How one reviewer's or upstream case ended on one tree. Only `passed` is passed. */
export const CaseOutcome = z.enum([
  'passed',
  'failed',
  'skipped',
  'errored',
  'absent',
  'timed_out',
  'out_of_memory',
  'not_built',
  'infra',
])
export type CaseOutcome = z.infer<typeof CaseOutcome>
