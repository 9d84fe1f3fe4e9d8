import { posix } from 'node:path'
import type { FileChange, RepoView } from '../../src/schema/tree.ts'
import type { ReportFiles, TestFilePlan, TestStepContext } from '../adapter.ts'
import { folderOf, textIn, writeText } from '../shared/paths.ts'
import { withSupport } from '../shared/support-files.ts'
import { findCommand, keptOptions, quote, scriptOf } from '../shared/test-command.ts'
import { ARMED_CASE, TOOLS } from '../shared/tools-folder.ts'
import { goCases } from './cases.ts'
import { findGoTest, goRule } from './options.ts'
import { readGoReports } from './read-reports.ts'
import { addSentinelAfter } from './sentinel.ts'

/** Builds a package's test binary once and runs one case of it in the package's folder, as `go test` does. */
export function planGoFile(
  tree: RepoView,
  files: readonly FileChange[],
  path: string,
  step: TestStepContext,
  word: string,
): TestFilePlan {
  const text = textIn(tree, files, path) ?? ''
  const sentinel = addSentinelAfter(path, text, word)
  const found = findCommand(step.run, findGoTest)
  const assignments = (found?.command.assignments ?? []).map((assignment) => assignment.raw)
  const go = found?.head.find((candidate) => posix.basename(candidate.text) === 'go')?.raw ?? 'go'
  const options = found ? keptOptions(found.args, goRule) : []
  const folder = folderOf(path)
  const enter = `cd ${quote(posix.join(step.repo, folder))}`
  const binary = `"\${RUNNER_TEMP:-/tmp}/${word}.test"`
  const support = withSupport(
    files,
    path,
    (file, content) => file.endsWith('_test.go') && goCases(content).length > 0,
  )
  const changes = [...support, writeText(path, text), ...(sentinel ? [sentinel.change] : [])]
  return {
    changes,
    build: {
      script: scriptOf(
        found?.before ?? '',
        enter,
        [...assignments, go, 'test', ...options, '-c', '-o', binary, '.'].join(' '),
        // A package without tests leaves no binary behind.
        `test -x ${binary}`,
      ),
      env: {},
    },
    runCase(name) {
      const names = [name, ...(sentinel ? [sentinel.name] : [])]
      const pattern = quote(`^(${names.join('|')})$`)
      const run = [
        ...assignments,
        `${TOOLS}/go/run-test`,
        binary,
        '-test.paniconexit0',
        '-test.timeout=0',
        `-test.run=${pattern}`,
      ]
      return { script: scriptOf(found?.scene ?? '', enter, run.join(' ')), env: ARMED_CASE }
    },
    readCase: (name, reports) => readGoCase(folder, name, sentinel?.name, reports),
  }
}

function readGoCase(
  folder: string,
  name: string,
  sentinel: string | undefined,
  reports: ReportFiles,
): ReturnType<TestFilePlan['readCase']> {
  const results = readGoReports(reports)
    .flatMap((report) => report.cases)
    .filter((result) => result.suite === folder)
  const ofSentinel = results.filter((result) => result.name === sentinel)
  return {
    parts: results.filter((result) => result.name === name || result.name.startsWith(`${name}/`)),
    sentinelFailed: ofSentinel.length > 0 && ofSentinel.every((result) => result.status === 'failed'),
  }
}
