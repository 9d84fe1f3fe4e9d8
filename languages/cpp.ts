import type { RepoView } from '../src/schema/tree.ts'
import type { LanguageAdapter, PathClass } from './adapter.ts'
import { armCpp } from './cpp/arm.ts'
import { cppCases } from './cpp/cases.ts'
import { findCtest } from './cpp/options.ts'
import { planCppFile } from './cpp/plan-test-file.ts'
import { readCppReports } from './cpp/read-reports.ts'
import { isCppSource, stemOf, testSources } from './cpp/targets.ts'
import { withCommentAtEnd } from './shared/comment.ts'
import { baseName, folderOf, hasFolder, joinPath, textOf } from './shared/paths.ts'
import { isRunnerControl, isWorkflow } from './shared/runner-control.ts'
import { splitCommands } from './shared/shell.ts'
import { REPORTS_VARIABLE, TOOLS } from './shared/tools-folder.ts'

const TEST_FOLDERS = ['test', 'tests', 'testing', 'unittest', 'unittests', 'unit_tests', 'unit-tests']

const hasTestName = (path: string): boolean =>
  isCppSource(path) && /^(test[_-].*|.*[_-](unit)?tests?|.*Tests?)$/.test(stemOf(path))

function classify(path: string): PathClass {
  if (isWorkflow(path)) return 'workflow'
  if (isRunnerControl(path)) return 'runner-control'
  // They say what is built, also for the product.
  if (baseName(path) === 'CMakeLists.txt' || path.endsWith('.cmake')) return 'other'
  if (hasTestName(path) || hasFolder(path, TEST_FOLDERS)) return 'test'
  return /\.(c|cc|cpp|cxx|h|hh|hpp|hxx|inl|ipp|tpp|S|s)$/.test(path) ? 'source' : 'other'
}

function refusesTestFile(path: string, existsAtBase: boolean): string | undefined {
  if (classify(path) !== 'test' || !isCppSource(path)) return 'not a C++ test source'
  if (existsAtBase) return undefined
  if (!hasTestName(path)) return 'a new C++ test source is named NAME_test.cpp or test_NAME.cpp'
  return hasFolder(path, TEST_FOLDERS)
    ? undefined
    : 'a new test source must stand in the folder where the tests are, such as tests/'
}

function alwaysFailTest(tree: RepoView): { path: string; text: string; name: string } {
  const sibling = testSources(tree)[0]
  const extension = /\.[^.]+$/.exec(sibling ?? '')?.[0] ?? '.cpp'
  // What brings the macros: the framework's header, or the project's own.
  const includes = (textOf(sibling === undefined ? undefined : tree.read(sibling)) ?? '')
    .split('\n')
    .filter((line) => /^\s*#\s*include\b/.test(line))
  const lines = [...includes, '', 'TEST(Always, Fails) {', '  EXPECT_EQ(1 + 1, 3);', '}', '']
  return {
    path: joinPath(sibling ? folderOf(sibling) : 'tests', `always_fails_test${extension}`),
    text: lines.join('\n'),
    name: 'Always.Fails',
  }
}

export const cpp: LanguageAdapter = {
  id: 'cpp',
  label: 'C++',
  tools: [
    { tool: 'c++', debian: 'g++' },
    { tool: 'cmake', debian: 'cmake' },
    { tool: 'ctest', debian: 'cmake' },
  ],
  conventions: [
    'Tests are GoogleTest-like cases, TEST(Suite, Name) { … }, in sources of the tests folder that CMake builds and ctest runs.',
    'Extend an existing test source, or add a new one named NAME_test.cpp beside it with the same includes: it is compiled and',
    'linked as its neighbours are, so CMakeLists.txt need not (and must not) be changed, and it has no main of its own unless',
    'they have. Each case is run by itself, by Suite.Name, in a process of its own. No network, no new dependencies.',
  ].join('\n'),
  classify,
  withComment: withCommentAtEnd,
  casesIn: (path, text) =>
    isCppSource(path)
      ? cppCases(text).map(({ name, startLine, endLine, text }) => ({ name, startLine, endLine, text }))
      : [],
  refusesTestFile,
  withTestsOfBase: (_path, patched) => patched,
  isTestCommand: (script) => splitCommands(script).some((command) => findCtest(command.words) !== undefined),
  reporting: (reports) => ({
    env: { [REPORTS_VARIABLE]: reports, GTEST_OUTPUT: `xml:${reports}/gtest/` },
    joined: [],
    path: [`${TOOLS}/cpp/bin`],
  }),
  readReports: readCppReports,
  arm: armCpp,
  planTestFile: planCppFile,
  alwaysFailTest,
}
