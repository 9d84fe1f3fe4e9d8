import type { ProcessReport } from '../../src/schema/test-result.ts'

/** Gives the second process of the same id in a run `#2`, and so on: the order is the order in which they started. */
export function numberRepeats(processes: readonly ProcessReport[]): readonly ProcessReport[] {
  const seen = new Map<string, number>()
  return processes.map((report) => {
    const count = (seen.get(report.process) ?? 0) + 1
    seen.set(report.process, count)
    return count === 1 ? report : { ...report, process: `${report.process}#${count}` }
  })
}
