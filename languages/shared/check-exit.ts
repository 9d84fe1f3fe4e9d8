import type { ProcessReport } from '../../src/schema/test-result.ts'
import { cutMessage } from './json-lines.ts'

/**
 * A test tool with a failed case never ends with 0. Where the kernel says 0 all the same, what was reported failed before
 * the end is errored: so a process that leaves from inside a case does not count as one whose sentinel failed.
 */
export function checkAgainstExit(report: ProcessReport): ProcessReport {
  if (report.exitCode !== 0) return report
  return {
    ...report,
    cases: report.cases.map((test) =>
      test.status === 'failed'
        ? {
            ...test,
            status: 'errored',
            message: cutMessage(`reported failed, but its process ended with 0\n${test.message ?? ''}`),
          }
        : test,
    ),
  }
}
