import type { RepoView } from '../src/schema/tree.ts'
import type { LanguageAdapter, PathClass } from './adapter.ts'
import { armPytest } from './python/arm.ts'
import { pythonCases } from './python/cases.ts'
import { findPytest } from './python/options.ts'
import { planPytestFile } from './python/plan-test-file.ts'
import { readPytestReports } from './python/read-reports.ts'
import { shadowsRunner } from './python/shadows.ts'
import { withCommentAtEnd } from './shared/comment.ts'
import { baseName, folderOf, hasFolder, joinPath } from './shared/paths.ts'
import { isRunnerControl, isWorkflow } from './shared/runner-control.ts'
import { splitCommands } from './shared/shell.ts'
import { REPORTS_VARIABLE, TOOLS } from './shared/tools-folder.ts'

const TEST_FOLDERS = ['test', 'tests', 'testing', 'unittests', 'unit_tests']

const hasTestName = (path: string): boolean => /^(test_.*|.*_test)\.py$/.test(baseName(path))

function classify(path: string): PathClass {
  if (isWorkflow(path)) return 'workflow'
  if (isRunnerControl(path) || shadowsRunner(path)) return 'runner-control'
  if (hasTestName(path) || hasFolder(path, TEST_FOLDERS)) return 'test'
  return /\.(py|pyi|pyx|pxd|c|h|cpp|rs)$/.test(path) ? 'source' : 'other'
}

function refusesTestFile(path: string, existsAtBase: boolean): string | undefined {
  if (classify(path) !== 'test' || !path.endsWith('.py')) return 'not a Python test file'
  if (!hasTestName(path)) return 'pytest collects only files named test_*.py or *_test.py'
  if (existsAtBase || hasFolder(path, TEST_FOLDERS)) return undefined
  return 'a new test file must stand in the folder where the tests are, such as tests/'
}

function alwaysFailTest(tree: RepoView): { path: string; text: string; name: string } {
  const known = tree.list().find((path) => hasTestName(path) && hasFolder(path, TEST_FOLDERS))
  const name = 'test_always_fails'
  const text = `def ${name}():\n    assert 1 + 1 == 3\n`
  return { path: joinPath(known ? folderOf(known) : 'tests', 'test_always_fails.py'), text, name }
}

/** tox hides the environment from what it runs; its kinds of configuration name the same setting otherwise. */
const TOX_OVERRIDE = ['testenv', 'env_run_base', 'tool.tox.env_run_base']
  .map((section) => `${section}.pass_env+=${REPORTS_VARIABLE},ARENA_ARMED,PYTHONPATH,PYTEST_ADDOPTS`)
  .join(';')

export const python: LanguageAdapter = {
  id: 'python',
  label: 'Python',
  tools: [
    { tool: 'python', debian: 'python3' },
    { tool: 'pytest', debian: 'python3-pytest' },
  ],
  conventions: [
    'Tests are pytest functions named test_* (or methods of classes named Test*) in files named test_*.py in the tests folder.',
    'Add a new file there or extend an existing one. Each function is run by itself, by its name, in a process of its own;',
    'its parameters count as one case that must pass in all of them. No network, no new dependencies, no conftest.py,',
    'and only test files: product code, configuration and fixtures of other files stay as they are.',
  ].join('\n'),
  classify,
  withComment: withCommentAtEnd,
  casesIn: (path, text) =>
    path.endsWith('.py')
      ? pythonCases(text).map(({ name, startLine, endLine, text }) => ({ name, startLine, endLine, text }))
      : [],
  refusesTestFile,
  withTestsOfBase: (_path, patched) => patched,
  isTestCommand: (script) => splitCommands(script).some((command) => findPytest(command.words) !== undefined),
  reporting: (reports) => ({
    env: { [REPORTS_VARIABLE]: reports },
    joined: [
      { name: 'PYTHONPATH', value: `${TOOLS}/pytest`, separator: ':' },
      { name: 'PYTEST_ADDOPTS', value: '-parena_pytest', separator: ' ' },
      { name: 'TOX_OVERRIDE', value: TOX_OVERRIDE, separator: ';' },
    ],
    path: [`${TOOLS}/python-path`],
  }),
  readReports: readPytestReports,
  arm: armPytest,
  planTestFile: planPytestFile,
  alwaysFailTest,
}
