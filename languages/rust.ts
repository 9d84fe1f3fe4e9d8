import type { RepoView } from '../src/schema/tree.ts'
import type { LanguageAdapter, PathClass } from './adapter.ts'
import { armCargo } from './rust/arm.ts'
import { rustCases } from './rust/cases.ts'
import { findCargoTest } from './rust/options.ts'
import { planCargoFile } from './rust/plan-test-file.ts'
import { readCargoReports } from './rust/read-reports.ts'
import { withTestItemsOfBase } from './rust/tests-of-base.ts'
import { withCommentAtEnd } from './shared/comment.ts'
import { folderOf, hasFolder, joinPath, textOf } from './shared/paths.ts'
import { isRunnerControl, isWorkflow } from './shared/runner-control.ts'
import { splitCommands } from './shared/shell.ts'
import { REPORTS_VARIABLE, TOOLS } from './shared/tools-folder.ts'

/** Cargo reads a runner for each target by its own variable. */
const TARGETS = ['X86_64', 'AARCH64'].flatMap((machine) => [
  `${machine}_UNKNOWN_LINUX_GNU`,
  `${machine}_UNKNOWN_LINUX_MUSL`,
])

/** Where `#[cfg(test)] mod tests;` has its file. */
const IS_TEST_MODULE = /(^|\/)src\/(.*\/)?(tests?|[^/]*_tests)\.rs$/

function classify(path: string): PathClass {
  if (isWorkflow(path)) return 'workflow'
  if (isRunnerControl(path)) return 'runner-control'
  if (hasFolder(path, ['tests']) || IS_TEST_MODULE.test(path)) return 'test'
  return /\.(rs|c|h|cc|cpp|hpp)$/.test(path) ? 'source' : 'other'
}

function refusesTestFile(path: string, existsAtBase: boolean): string | undefined {
  if (/(^|\/)tests\/[^/]+\.rs$/.test(path)) return undefined
  if (existsAtBase && /(^|\/)tests\/.+\.rs$/.test(path)) return undefined
  return 'Rust test files stand directly in tests/ of a package (tests/NAME.rs); #[cfg(test)] items in sources are not taken'
}

function alwaysFailTest(tree: RepoView): { path: string; text: string; name: string } {
  const manifests = tree.list().filter((path) => /(^|\/)Cargo\.toml$/.test(path))
  const isPackage = (path: string): boolean => /^\s*\[package\]/m.test(textOf(tree.read(path)) ?? '')
  const manifest = manifests.filter(isPackage).sort((a, b) => a.length - b.length)[0]
  const folder = manifest ? folderOf(manifest) : '.'
  const name = 'always_fails'
  const text = `#[test]\nfn ${name}() {\n    assert_eq!(1 + 1, 3);\n}\n`
  return { path: joinPath(folder, 'tests/always_fails.rs'), text, name }
}

export const rust: LanguageAdapter = {
  id: 'rust',
  label: 'Rust',
  tools: [
    { tool: 'cargo', debian: 'cargo' },
    { tool: 'rustc', debian: 'rustc' },
  ],
  conventions: [
    'Tests are integration tests: functions under #[test] in files directly in tests/ of the package (tests/NAME.rs). They see',
    'the crate from outside, by its public items. Add a new file there or extend an existing one; #[cfg(test)] modules inside',
    'sources are not taken. Each function is run by itself, by its name, in a process of its own. No network, no new',
    'dependencies, only test files.',
  ].join('\n'),
  classify,
  withComment: withCommentAtEnd,
  casesIn: (path, text) =>
    path.endsWith('.rs')
      ? rustCases(text).map(({ name, startLine, endLine, text }) => ({ name, startLine, endLine, text }))
      : [],
  refusesTestFile,
  withTestsOfBase: (path, patched, base) =>
    path.endsWith('.rs') && classify(path) === 'source' ? withTestItemsOfBase(patched, base) : patched,
  isTestCommand: (script) =>
    splitCommands(script).some((command) => findCargoTest(command.words) !== undefined),
  reporting: (reports) => ({
    env: {
      [REPORTS_VARIABLE]: reports,
      RUSTDOC: `${TOOLS}/rust/rustdoc`,
      ...Object.fromEntries(
        TARGETS.map((target) => [`CARGO_TARGET_${target}_RUNNER`, `${TOOLS}/rust/run-test`]),
      ),
    },
    joined: [],
    path: [],
  }),
  readReports: readCargoReports,
  arm: armCargo,
  planTestFile: planCargoFile,
  alwaysFailTest,
}
