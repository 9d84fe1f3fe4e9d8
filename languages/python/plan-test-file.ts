import { posix } from 'node:path'
import type { FileChange, RepoView } from '../../src/schema/tree.ts'
import type { ReportFiles, TestFilePlan, TestStepContext } from '../adapter.ts'
import { insideRepo, textIn, writeText } from '../shared/paths.ts'
import { withSupport } from '../shared/support-files.ts'
import { findCommand, headText, keptOptions, quote, scriptOf } from '../shared/test-command.ts'
import { ARMED_CASE } from '../shared/tools-folder.ts'
import { pythonCases } from './cases.ts'
import { findPytest, pytestRule } from './options.ts'
import { readPytestReports } from './read-reports.ts'
import { addSentinel, chooseBeside } from './sentinel.ts'

/** Runs one case of one pytest file, with the step's own pytest, environment and plugins. */
export function planPytestFile(
  tree: RepoView,
  files: readonly FileChange[],
  path: string,
  step: TestStepContext,
  word: string,
): TestFilePlan {
  const text = textIn(tree, files, path) ?? ''
  const beside = chooseBeside(text, () => true)
  const armed = beside ? addSentinel(text, beside, word) : { text, name: undefined }
  const found = findCommand(step.run, findPytest)
  const folder = insideRepo(step.repo, step.cwd)
  const head = found ? headText(found) : 'python -m pytest'
  const options = found ? keptOptions(found.args, pytestRule(tree, folder)) : []
  const before = found?.before ?? ''
  const scene = found?.scene ?? ''
  // From the repository's root, wherever the script has changed to.
  const file = posix.join(step.repo, path)
  return {
    changes: [
      ...withSupport(files, path, (candidate, content) => isCaseFile(candidate, content)),
      writeText(path, armed.text),
    ],
    build: before === '' ? null : { script: before, env: {} },
    runCase(name) {
      const ids = [name, ...(armed.name === undefined ? [] : [armed.name])].map((id) =>
        quote(`${file}::${id}`),
      )
      return {
        script: scriptOf(scene, [head, ...options, ...ids].join(' ')),
        env: ARMED_CASE,
      }
    },
    readCase(name, reports) {
      return readPytestCase(path, name, armed.name, reports)
    },
  }
}

const isCaseFile = (path: string, text: string): boolean =>
  path.endsWith('.py') && pythonCases(text).length > 0

function readPytestCase(
  path: string,
  name: string,
  sentinel: string | undefined,
  reports: ReportFiles,
): ReturnType<TestFilePlan['readCase']> {
  const results = readPytestReports(reports)
    .flatMap((report) => report.cases)
    .filter((result) => result.suite === path)
  const ofSentinel = results.filter((result) => result.name === sentinel)
  return {
    parts: results.filter((result) => result.name === name || result.name.startsWith(`${name}[`)),
    sentinelFailed: ofSentinel.length > 0 && ofSentinel.every((result) => result.status === 'failed'),
  }
}
