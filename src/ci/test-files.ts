import type { RunTestsRequest } from './port.ts'
import type { TestFile } from './run-test-file.ts'

/** The files of a test set that hold the cases asked for, by path; what holds none goes along with each of them. */
export function testFilesOf(
  request: Pick<RunTestsRequest, 'tests' | 'cases' | 'leastCaseMs'>,
): readonly TestFile[] {
  const paths = [...new Set(request.cases.map(({ file }) => file))].sort()
  const all = request.tests.changes
  const helpers = all.filter(({ path }) => !paths.includes(path))
  return paths.map((path) => ({
    path,
    cases: request.cases.filter(({ file }) => file === path).map((test) => test.case),
    all,
    helpers,
    leastCaseMs: request.leastCaseMs ?? 0,
  }))
}
