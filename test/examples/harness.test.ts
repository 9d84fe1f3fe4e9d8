import { spawnSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { temporaryFolder } from '../helpers/repository.ts'
import { needs } from '../helpers/require.ts'
import { tasksFolder } from './example-tree.ts'
import { hasTools } from './run-suite.ts'

const header = join(tasksFolder, 'cpp-ini-comments/history/01-initial/tests')

const SOURCE = `#include "harness.hpp"
#include <stdexcept>

TEST(Sum, Holds) {
    if (true) EXPECT_EQ(1 + 1, 2u); else FAIL();
    EXPECT_NE(std::string("a"), "b");
    EXPECT_LT(1, 2);
    EXPECT_GT(2.5, 2.0);
    EXPECT_THROW(throw std::runtime_error("x"), std::exception);
    EXPECT_NO_THROW(static_cast<void>(0));
}
TEST(Sum, Fails) {
    EXPECT_EQ(1 + 1, 3) << "with <" << 7 << ">";
    ASSERT_TRUE(false);
    EXPECT_EQ(std::string("not"), "reached");
}
TEST(Word, Throws) { throw std::runtime_error("left"); }
TEST(Word, Compares) { ASSERT_EQ(std::string("a"), "a"); ASSERT_FALSE(false); }
`

describe.skipIf(needs('the toolchain of cpp', hasTools('cpp')))('the harness of the C++ example', () => {
  const folder = temporaryFolder('harness')
  const exe = join(folder.path, 'sum_test')
  const run = (args: readonly string[], env: Readonly<Record<string, string>> = {}) =>
    spawnSync(exe, args, { cwd: folder.path, encoding: 'utf8', env: { ...process.env, ...env } })

  beforeAll(() => {
    writeFileSync(join(folder.path, 'sum_test.cpp'), SOURCE)
    const built = spawnSync('c++', ['-std=c++17', '-Wall', `-I${header}`, 'sum_test.cpp', '-o', exe], {
      cwd: folder.path,
      encoding: 'utf8',
    })
    expect(`${built.stdout}${built.stderr}`).toBe('')
  })
  afterAll(() => folder[Symbol.dispose]())

  it('lists its tests by suite', () => {
    expect(run(['--gtest_list_tests']).stdout).toBe('Sum.\n  Holds\n  Fails\nWord.\n  Throws\n  Compares\n')
  })

  it('reports failures, exceptions and messages, goes on after EXPECT and stops after ASSERT', () => {
    const { status, stdout } = run([])
    expect(status).toBe(1)
    expect(stdout).toContain('[       OK ] Sum.Holds')
    expect(stdout).toContain('[  FAILED  ] Word.Throws')
    expect(stdout).toContain('with <7>')
    expect(stdout).toContain('an exception left the test: left')
    expect(stdout).not.toContain('reached')
  })

  it.each([
    ['Sum.Holds', ['Sum.Holds']],
    ['*.Holds:Word.C*', ['Sum.Holds', 'Word.Compares']],
    ['-*Fails:Word.Throws', ['Sum.Holds', 'Word.Compares']],
    ['Sum.*-Sum.F?ils', ['Sum.Holds']],
  ])('filters by %s', (filter, names) => {
    const { status, stdout } = run([`--gtest_filter=${filter}`])
    expect([...stdout.matchAll(/^\[ RUN {6}\] (.+)$/gm)].map(([, name]) => name)).toEqual(names)
    expect(status).toBe(0)
  })

  it("writes GoogleTest's report to a file, or into a folder under the first free name", () => {
    run([`--gtest_output=xml:${folder.path}/one.xml`, '--gtest_filter=Sum.*'])
    const xml = readFileSync(join(folder.path, 'one.xml'), 'utf8')
    expect(xml).toContain('<testsuites tests="2" failures="1"')
    expect(xml).toMatch(
      /<testcase name="Holds" [^>]*status="run" result="completed" [^>]*classname="Sum" \/>/,
    )
    expect(xml).toMatch(/<testcase name="Fails"[^>]*>\s*<failure message="[^"]*with &lt;7&gt;/)
    mkdirSync(join(folder.path, 'reports'))
    for (let time = 0; time < 3; time++) run([], { GTEST_OUTPUT: 'xml:reports/' })
    expect(readdirSync(join(folder.path, 'reports')).sort()).toEqual([
      'sum_test.xml',
      'sum_test_1.xml',
      'sum_test_2.xml',
    ])
  })
})
