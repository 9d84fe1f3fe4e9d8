import type { RepoView } from '../src/schema/tree.ts'
import type { LanguageAdapter, PathClass } from './adapter.ts'
import { armGo } from './go/arm.ts'
import { goCases, packageOf } from './go/cases.ts'
import { findGoTest } from './go/options.ts'
import { planGoFile } from './go/plan-test-file.ts'
import { readGoReports } from './go/read-reports.ts'
import { withCommentAtEnd } from './shared/comment.ts'
import { folderOf, hasFolder, joinPath, textOf } from './shared/paths.ts'
import { isRunnerControl, isWorkflow } from './shared/runner-control.ts'
import { splitCommands } from './shared/shell.ts'
import { REPORTS_VARIABLE, TOOLS } from './shared/tools-folder.ts'

function classify(path: string): PathClass {
  if (isWorkflow(path)) return 'workflow'
  if (isRunnerControl(path)) return 'runner-control'
  if (path.endsWith('_test.go') || hasFolder(path, ['testdata'])) return 'test'
  return /\.(go|s|c|h|cc|cpp|hpp)$/.test(path) ? 'source' : 'other'
}

function refusesTestFile(path: string): string | undefined {
  if (!path.endsWith('_test.go')) return 'Go tests stand in files named *_test.go'
  if (hasFolder(path, ['vendor', 'testdata'])) return 'go test does not look into vendor and testdata'
  return undefined
}

function alwaysFailTest(tree: RepoView): { path: string; text: string; name: string } {
  const files = tree.list().filter((path) => path.endsWith('.go') && !hasFolder(path, ['vendor', 'testdata']))
  const sibling = files.find((path) => path.endsWith('_test.go')) ?? files[0]
  const clause = (sibling && packageOf(textOf(tree.read(sibling)) ?? '')) ?? 'main'
  const name = 'TestAlwaysFails'
  const lines = [
    `package ${clause}`,
    '',
    'import "testing"',
    '',
    `func ${name}(t *testing.T) {`,
    '\tif got := 1 + 1; got != 3 {',
    '\t\tt.Errorf("got %d, want 3", got)',
    '\t}',
    '}',
    '',
  ]
  const folder = sibling ? folderOf(sibling) : '.'
  return { path: joinPath(folder, 'always_fails_test.go'), text: lines.join('\n'), name }
}

export const go: LanguageAdapter = {
  id: 'go',
  label: 'Go',
  tools: [{ tool: 'go', debian: 'golang-go' }],
  conventions: [
    'Tests are functions `func TestName(t *testing.T)` in files named *_test.go beside the package that they test, with the',
    'same package clause (or its _test form). Add a new file there or extend an existing one. Each top-level function is run',
    'by itself, by its name, in a process of its own; all of its subtests must pass. No network, no new dependencies, only',
    'test files. A file that shares helpers with another of your new test files does not build: each is built alone.',
  ].join('\n'),
  classify,
  // Without it every sandbox compiles and vets the standard library: since Go 1.20 none of it comes compiled.
  warmUp: { script: "go test -run '^$' ./... || true\ngo vet ./... || true", env: {} },
  withComment: withCommentAtEnd,
  casesIn: (path, text) =>
    path.endsWith('_test.go')
      ? goCases(text).map(({ name, startLine, endLine, text }) => ({ name, startLine, endLine, text }))
      : [],
  refusesTestFile,
  withTestsOfBase: (_path, patched) => patched,
  isTestCommand: (script) => splitCommands(script).some((command) => findGoTest(command.words) !== undefined),
  reporting: (reports) => ({
    env: { [REPORTS_VARIABLE]: reports },
    joined: [],
    path: [`${TOOLS}/go/bin`],
  }),
  readReports: readGoReports,
  arm: armGo,
  planTestFile: planGoFile,
  alwaysFailTest,
}
