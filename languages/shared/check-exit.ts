import type { ProcessReport, TestResult } from '../../src/schema/test-result.ts'
import { cutMessage, type Exit } from './json-lines.ts'

/** What a report says of its process, apart from how the process ended. */
type Reported = Pick<ProcessReport, 'process' | 'cases' | 'complete'>

/** A report with the end of its process, checked against it. */
export function withExit(reported: Reported, exit: Exit): ProcessReport {
  const report = checkAgainstExit({ ...reported, exitCode: exit.code, signal: exit.signal })
  if (!exit.isBroken) return report
  // Who could spoil the record could write the cases too.
  return {
    ...report,
    cases: report.cases.map((test) =>
      errored(test, `reported ${test.status}, but the record of its process's end is broken`),
    ),
    complete: false,
  }
}

/**
 * A test tool with a failed case never ends with 0. Where the kernel says 0 all the same, what was reported failed before
 * the end is errored: so a process that leaves from inside a case does not count as one whose sentinel failed.
 */
export function checkAgainstExit(report: ProcessReport): ProcessReport {
  if (report.exitCode !== 0) return report
  return {
    ...report,
    cases: report.cases.map((test) =>
      test.status === 'failed' ? errored(test, 'reported failed, but its process ended with 0') : test,
    ),
  }
}

const errored = (test: TestResult, why: string): TestResult => ({
  ...test,
  status: 'errored',
  message: cutMessage(`${why}\n${test.message ?? ''}`),
})
