import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { cpp } from '../../languages/cpp.ts'
import { gitIn, temporaryFolder } from '../helpers/repository.ts'
import { needs } from '../helpers/require.ts'
import {
  armedOutcomes,
  changesOf,
  hasTool,
  runCase,
  statuses,
  type Workplace,
  workplace,
} from './run-script.ts'

/** The small header with GoogleTest's macros that the C++ example brings. */
function exampleHarness(): string {
  const bundle = fileURLToPath(
    new URL('../../examples/tasks/cpp-ini-comments/repository.bundle', import.meta.url),
  )
  using folder = temporaryFolder('arena-harness')
  gitIn(folder.path, 'clone', '-q', '--bare', bundle, 'repository')
  return gitIn(`${folder.path}/repository`, 'show', 'HEAD:tests/harness.hpp')
}

const BUILD = 'cmake -S . -B build > build.log && cmake --build build >> build.log'
const CTEST = 'ctest --test-dir build --output-on-failure'

/** `frameworkLines`: how CMake finds it; `library`: what a test links; `header`: what a test includes. */
function shapes(framework: {
  lines: string
  library: string
  header: string
  discovered: string
}): Record<string, string> {
  const test = (name: string): string =>
    `add_executable(${name} ${name}.cpp)\ntarget_link_libraries(${name} PRIVATE shapes ${framework.library})\nadd_test(NAME ${name} COMMAND ${name})\n`
  return {
    'CMakeLists.txt':
      'cmake_minimum_required(VERSION 3.16)\nproject(shapes CXX)\nset(CMAKE_CXX_STANDARD 17)\nadd_library(shapes src/area.cpp)\ntarget_include_directories(shapes PUBLIC src)\nenable_testing()\nadd_subdirectory(tests)\n',
    'src/area.hpp': 'int area(int a, int b);\n',
    'src/area.cpp': '#include "area.hpp"\nint area(int a, int b) { return a * b; }\n',
    'tests/CMakeLists.txt': `${framework.lines}${test('area_test')}${test('other_test')}add_executable(own own.cpp)\nadd_test(NAME own COMMAND own)\n${framework.discovered}`,
    'tests/area_test.cpp': [
      `#include ${framework.header}`,
      '#include "area.hpp"',
      '',
      'TEST(Area, Square) { EXPECT_EQ(area(2, 2), 4); }',
      '',
      'TEST(Area, Wrong) {',
      '  EXPECT_EQ(area(2, 2), 5);',
      '}',
      '',
    ].join('\n'),
    'tests/other_test.cpp': `#include ${framework.header}\n#include "area.hpp"\n\nTEST(Area, Square) { EXPECT_TRUE(area(1, 1) == 1); }\n`,
    'tests/own.cpp': 'int main() { return 0; }\n',
  }
}

const FORGED = [
  '#include "area.hpp"',
  '#include <cstdio>',
  '#include <cstdlib>',
  '#include <string>',
  '#include <unistd.h>',
  'int area(int, int) { return 0; }',
  'namespace {',
  'struct Forge {',
  '  Forge() {',
  '    std::puts("[  PASSED  ] 1 test.");',
  '    const char* output = std::getenv("GTEST_OUTPUT");',
  '    if (output != nullptr) {',
  '      std::FILE* file = std::fopen((std::string(output + 4) + "area_test.xml").c_str(), "w");',
  '      std::fputs("<testsuites><testsuite><testcase name=\\"Square\\" classname=\\"Area\\" status=\\"run\\"/></testsuite></testsuites>", file);',
  '      std::fclose(file);',
  '    }',
  '    std::fflush(nullptr);',
  '    _exit(0);',
  '  }',
  '} forge;',
  '}  // namespace',
  '',
].join('\n')

const NEW_FILE = (header: string): string =>
  [
    `#include ${header}`,
    '#include <cstdlib>',
    '#include "area.hpp"',
    '',
    'TEST(Fresh, Good) { EXPECT_EQ(area(3, 1), 3); }',
    'TEST(Fresh, Bad) { EXPECT_EQ(area(3, 1), 4); }',
    'TEST(Fresh, Leave) { std::exit(0); }',
    'TEST(Fresh, Crash) { std::abort(); }',
    '',
  ].join('\n')

const isCmakeAtHand = hasTool('cmake') && hasTool('c++')
const isGtestAtHand = isCmakeAtHand && existsSync('/usr/include/gtest/gtest.h')

const frameworks = [
  {
    name: 'the example’s own header',
    atHand: isCmakeAtHand,
    parts: { lines: '', library: '', header: '"harness.hpp"', discovered: '' },
  },
  {
    name: 'GoogleTest',
    atHand: isGtestAtHand,
    parts: {
      lines: 'find_package(GTest REQUIRED)\ninclude(GoogleTest)\n',
      library: 'GTest::gtest_main',
      header: '<gtest/gtest.h>',
      discovered:
        'add_executable(many many.cpp)\ntarget_link_libraries(many PRIVATE GTest::gtest_main)\ngtest_discover_tests(many)\n',
    },
  },
]

for (const { name, atHand, parts } of frameworks) {
  const isGtest = name === 'GoogleTest'
  const open = (): Workplace =>
    workplace(cpp, {
      ...shapes(parts),
      ...(isGtest
        ? {
            'tests/many.cpp':
              '#include <gtest/gtest.h>\nclass Each : public testing::TestWithParam<int> {};\nTEST_P(Each, Small) { EXPECT_LT(GetParam(), 3); }\nINSTANTIATE_TEST_SUITE_P(All, Each, testing::Values(1, 2));\nTEST(Many, Skipped) { GTEST_SKIP() << "later"; }\nTEST(Many, Good) {}\n',
          }
        : { 'tests/harness.hpp': exampleHarness() }),
    })

  describe.skipIf(needs(`${name} with cmake`, atHand))(`C++ with ${name}`, () => {
    // Built once: a framework's headers take seconds to compile.
    let shared: Workplace | undefined
    const at = (): Workplace => {
      if (shared === undefined) throw new Error('not built')
      return shared
    }
    beforeAll(() => {
      shared = open()
      expect(shared.run(BUILD).exitCode).toBe(0)
    })
    afterEach(() => shared?.reset())
    afterAll(() => shared?.[Symbol.dispose]())

    it('reports each case by executable, and how each executable ended', () => {
      const place = at()
      const ran = place.run(`${CTEST} -j2`)
      expect(ran.exitCode).not.toBe(0)
      expect(statuses(cpp, ran)).toEqual({
        'area_test::Area.Square': 'passed',
        'area_test::Area.Wrong': 'failed',
        'other_test::Area.Square': 'passed',
        'ctest::own': 'passed',
        ...(isGtest
          ? {
              'many::All/Each.Small/0': 'passed',
              'many::All/Each.Small/1': 'passed',
              'many::Many.Skipped': 'skipped',
              'many::Many.Good': 'passed',
            }
          : {}),
      })
      const reports = cpp.readReports(ran.reports)
      expect(reports.find((report) => report.process === 'gtest:area_test')).toMatchObject({
        exitCode: 1,
        complete: true,
      })
      expect(reports.find((report) => report.process === 'gtest:other_test')).toMatchObject({ exitCode: 0 })
      expect(reports.find((report) => report.process === 'ctest:own')).toMatchObject({ exitCode: 0 })
    })

    it.each(
      [
        ['all tests, stopping at the first failure', `${CTEST} --stop-on-failure`],
        ['a filter', `${CTEST} -R 'area|many|Each|Many'`],
      ].slice(isGtest ? 1 : 0),
    )('arms %s by building the sentinels in', (_, script) => {
      const place = at()
      const plain = place.run(`${script.replace(' --stop-on-failure', '')} || true`)
      const { outcomes } = armedOutcomes(cpp, place, plain, script)
      expect(outcomes).toEqual({
        'gtest:area_test': 'failed, exit 1',
        ...(script.includes('-R') ? {} : { 'gtest:other_test': 'failed, exit 1' }),
        ...(isGtest ? { 'gtest:many': 'failed, exit 1' } : {}),
      })
    })

    it('builds a new file in the place of its neighbour and runs one case with its sentinel in one process', () => {
      const place = at()
      const files = changesOf({ 'tests/fresh_test.cpp': NEW_FILE(parts.header) })
      const step = { run: `${CTEST} -R other --stop-on-failure`, repo: place.repo, cwd: place.repo, env: {} }
      const plan = cpp.planTestFile(place.tree, files, 'tests/fresh_test.cpp', step, 'quartz')
      place.write(plan.changes)
      const built = place.run(plan.build?.script ?? 'false')
      expect(built.exitCode, built.output).toBe(0)
      // The exit code is the executable's own: its sentinel has failed.
      expect(runCase(place, plan, 'Fresh.Good')).toMatchObject({
        sentinelFailed: true,
        ran: { exitCode: 1 },
        parts: [{ name: 'Fresh.Good', status: 'passed' }],
      })
      expect(runCase(place, plan, 'Fresh.Bad')).toMatchObject({
        sentinelFailed: true,
        parts: [{ status: 'failed' }],
      })
      const left = runCase(place, plan, 'Fresh.Leave')
      expect(left).toMatchObject({ sentinelFailed: false, parts: [], ran: { exitCode: 0 } })
      expect(runCase(place, plan, 'Fresh.Crash')).toMatchObject({ sentinelFailed: false, parts: [] })
    })

    // The framework makes no difference to these, and its headers are slow to compile.
    if (isGtest) return

    it('does not report the sentinel failed when a static writes the report and exits 0', () => {
      const place = at()
      place.run(BUILD)
      const plain = place.run(`${CTEST} || true`)
      place.write(changesOf({ 'src/area.cpp': FORGED }))
      place.run(BUILD)
      const forged = place.run(CTEST)
      expect(forged.exitCode).toBe(0)
      expect(statuses(cpp, forged)).toMatchObject({ 'area_test::Area.Square': 'passed' })
      const { outcomes } = armedOutcomes(cpp, place, plain, CTEST)
      expect(outcomes).toMatchObject({
        'gtest:area_test': 'absent, exit 0',
        'gtest:other_test': 'absent, exit 0',
      })
    })

    it('builds and runs an existing file that was extended, from a step that works in the build folder', () => {
      const place = at()
      const text = `${shapes(parts)['tests/area_test.cpp']}\nTEST(Area, Added) { EXPECT_EQ(area(1, 5), 5); }\n`
      const files = changesOf({ 'tests/area_test.cpp': text })
      const step = { run: 'cd build\nctest', repo: place.repo, cwd: place.repo, env: {} }
      const plan = cpp.planTestFile(place.tree, files, 'tests/area_test.cpp', step, 'quartz')
      place.write(plan.changes)
      expect(place.run(plan.build?.script ?? 'false').exitCode).toBe(0)
      expect(runCase(place, plan, 'Area.Added')).toMatchObject({
        sentinelFailed: true,
        parts: [{ status: 'passed' }],
      })
    })

    it('fails always with the control’s test', () => {
      const place = at()
      const control = cpp.alwaysFailTest(place.tree)
      const step = { run: CTEST, repo: place.repo, cwd: place.repo, env: {} }
      const plan = cpp.planTestFile(
        place.tree,
        changesOf({ [control.path]: control.text }),
        control.path,
        step,
        'quartz',
      )
      place.write(plan.changes)
      expect(place.run(plan.build?.script ?? 'false').exitCode).toBe(0)
      expect(runCase(place, plan, control.name)).toMatchObject({
        sentinelFailed: true,
        parts: [{ status: 'failed' }],
      })
    })
  })
}
