import { posix } from 'node:path'
import type { ProcessReport, TestResult } from '../../src/schema/test-result.ts'
import type { ReportFiles } from '../adapter.ts'
import { checkAgainstExit } from '../shared/check-exit.ts'
import { reportFolders } from '../shared/json-lines.ts'
import { numberRepeats } from '../shared/number-repeats.ts'
import {
  type CtestResult,
  type CtestTest,
  executablesOf,
  parseCtestJunit,
  parseListing,
  singleCase,
} from './ctest-report.ts'
import { type GtestReport, parseGtestXml } from './gtest-xml.ts'

/** What the stand-in for ctest kept, and what executables that were run without it reported. */
export function readCppReports(files: ReportFiles): readonly ProcessReport[] {
  const ctest = reportFolders(files, 'ctest').flatMap(({ name, file }) =>
    readCtestRun(
      parseListing(file('tests.json')?.toString('utf8') ?? ''),
      parseCtestJunit(file('junit.xml')?.toString('utf8') ?? ''),
      gtestReports(files, `ctest/${name}/gtest/`),
    ),
  )
  const direct = [...gtestReports(files, 'gtest/')]
    .filter(([, report]) => report.cases.length > 0)
    .map(([executable, report]) => ({
      process: `gtest:${executable}`,
      // Nobody of ours is the parent of an executable that a step starts itself.
      exitCode: null,
      signal: null,
      cases: report.cases.map((result) => ({ suite: executable, ...result })),
      complete: report.complete,
    }))
  return numberRepeats([...ctest, ...direct].map(checkAgainstExit))
}

/** GoogleTest's reports below a folder, by the stem of their file: the executable's name, with `_1` and so on for more. */
function gtestReports(files: ReportFiles, folder: string): ReadonlyMap<string, GtestReport> {
  const found = new Map<string, GtestReport>()
  for (const [path, bytes] of files) {
    if (path.startsWith(folder) && path.endsWith('.xml')) {
      found.set(posix.basename(path, '.xml'), parseGtestXml(bytes.toString('utf8')))
    }
  }
  return found
}

/** A process as it is put together: one executable may be run by many tests of ctest. */
interface Gathered {
  readonly cases: TestResult[]
  readonly ends: { readonly exitCode: number | null; readonly signal: string | null }[]
  complete: boolean
}

function readCtestRun(
  tests: readonly CtestTest[],
  results: ReadonlyMap<string, CtestResult>,
  reports: ReadonlyMap<string, GtestReport>,
): readonly ProcessReport[] {
  const processes = new Map<string, Gathered>()
  const gather = (process: string): Gathered => {
    const known = processes.get(process) ?? { cases: [], ends: [], complete: true }
    processes.set(process, known)
    return known
  }
  const names = new Set(tests.flatMap(executablesOf))
  const byExecutable = groupByExecutable(reports, names)
  const read = new Set<string>()
  for (const test of tests) {
    const result = results.get(test.name)
    // A test that ctest did not run, by a filter or since it ended early, is absent.
    if (result === undefined) continue
    const end = test.hidesExit ? { exitCode: null, signal: null } : result
    const single = singleCase(test)
    const executable = executablesOf(test).find((name) => byExecutable.has(name))
    if (single !== undefined) {
      const suite = executable ?? executablesOf(test).at(-1) ?? test.name
      const process = gather(`gtest:${suite}`)
      process.ends.push(end)
      process.cases.push(caseOfTest(suite, single, result, byExecutable.get(suite) ?? []))
    } else if (executable !== undefined) {
      const process = gather(`gtest:${executable}`)
      process.ends.push(end)
      if (!read.has(executable)) gatherReports(process, executable, byExecutable.get(executable) ?? [])
      read.add(executable)
    } else {
      const process = gather(`ctest:${test.name}`)
      process.ends.push(end)
      process.cases.push(caseOfTest('ctest', test.name, result, []))
      // An executable that reports elsewhere and not here has ended without a report: that its process ran must be seen.
      const silent = gather(`gtest:${executablesOf(test).at(-1) ?? test.name}`)
      silent.ends.push(end)
      silent.complete = false
    }
  }
  return [...processes].map(([process, gathered]) => ({
    process,
    ...jointEnd(gathered.ends),
    cases: gathered.cases,
    complete: gathered.complete,
  }))
}

/** A second report of `parser_test` is named `parser_test_1`, unless there is an executable of that name. */
function groupByExecutable(
  reports: ReadonlyMap<string, GtestReport>,
  names: ReadonlySet<string>,
): ReadonlyMap<string, readonly GtestReport[]> {
  const groups = new Map<string, GtestReport[]>()
  for (const [stem, report] of reports) {
    if (report.cases.length === 0) continue
    const executable = names.has(stem) ? stem : stem.replace(/_\d+$/, '')
    groups.set(executable, [...(groups.get(executable) ?? []), report])
  }
  return groups
}

function gatherReports(process: Gathered, executable: string, reports: readonly GtestReport[]): void {
  for (const report of reports) {
    process.cases.push(...report.cases.map((result) => ({ suite: executable, ...result })))
    process.complete &&= report.complete
  }
}

/** ctest's own word on a test that is one case; only that it was skipped may be known to the executable alone. */
function caseOfTest(
  suite: string,
  name: string,
  result: CtestResult,
  reports: readonly GtestReport[],
): TestResult {
  const own = reports.flatMap((report) => report.cases).find((found) => found.name === name)
  const status = result.status === 'passed' && own ? own.status : result.status
  const message = own?.message ?? result.message
  return {
    suite,
    name,
    status,
    durationMs: result.durationMs,
    ...(status === 'passed' || message === '' ? {} : { message }),
  }
}

/** The first end that is not 0; 0 when all are; unknown when one is unknown and none is bad. */
function jointEnd(ends: Gathered['ends']): { exitCode: number | null; signal: string | null } {
  const bad = ends.find((end) => end.signal !== null || (end.exitCode !== null && end.exitCode !== 0))
  const known = bad ?? ends.find((end) => end.exitCode === null) ?? ends[0]
  return { exitCode: known?.exitCode ?? null, signal: known?.signal ?? null }
}
