import { execFileSync } from 'node:child_process'
import { appendFileSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { LanguageId } from '../../src/schema/language.ts'
import { needs } from '../helpers/require.ts'
import { type ExampleTree, openExample, readTask, taskIds, tasksFolder } from './example-tree.ts'
import { readRecorded } from './read-recorded.ts'
import { registerTest } from './register-test.ts'
import { hasTools, runSuite } from './run-suite.ts'

const COMPETITORS = ['thorough', 'steady', 'symptom', 'breaker', 'careless', 'forger'] as const

/** The test files among an answer's paths, as a git pathspec. */
const TEST_PATHS: Readonly<Record<LanguageId, string>> = {
  cpp: 'tests/*',
  python: 'tests/*',
  rust: 'tests/*',
  go: '*_test.go',
}

/** A test that fails on any tree, at the end of a file that is there at base. */
const FAILING: Readonly<Record<LanguageId, readonly [path: string, text: string]>> = {
  cpp: ['tests/line_test.cpp', '\nTEST(Line, AlwaysFails) { FAIL(); }\n'],
  python: ['tests/test_fields.py', '\n\ndef test_always_fails():\n    assert False\n'],
  rust: ['tests/insert.rs', '\n#[test]\nfn always_fails() {\n    panic!();\n}\n'],
  go: ['format_test.go', '\nfunc TestAlwaysFails(t *testing.T) { t.Fail() }\n'],
}

const pathsIn = (diff: string): string[] =>
  [...diff.matchAll(/^\+\+\+ b\/(.+)$/gm)].map(([, path]) => path ?? '')
const addedLines = (diff: string): number => (diff.match(/^\+(?!\+\+ )/gm) ?? []).length

for (const id of taskIds) {
  const { language, FAIL_TO_PASS, PASS_TO_PASS } = readTask(id)
  const golden = readFileSync(join(tasksFolder, id, 'golden.patch'), 'utf8')
  const upstream = readFileSync(join(tasksFolder, id, 'tests.patch'), 'utf8')
  const patchOf = (name: string): string => (name === 'golden' ? golden : readRecorded(name, id, 'patch'))
  // Where both write the same, one is tried.
  const right = patchOf('thorough') === patchOf('steady') ? ['thorough'] : ['thorough', 'steady']

  describe.skipIf(needs(`the toolchain of ${language}`, hasTools(language)))(
    `recorded answers, ${id}`,
    // Dozens of small builds: minutes on a loaded machine.
    { timeout: 600_000 },
    () => {
      // One tree for all, so that what did not change is built once.
      let tree: ExampleTree
      let known: ReadonlySet<string>
      beforeAll(() => {
        tree = openExample(id)
        known = new Set(runSuite(language, tree.folder).cases.keys())
      }, 600_000)
      beforeEach(() => tree.reset())
      afterAll(() => tree[Symbol.dispose]())

      /** The upstream tests on base with a patch: keys that do not pass. */
      function failing(name: string): { repaired: string[]; kept: string[] } {
        tree.reset()
        expect(tree.apply(patchOf(name))).toBe(true)
        expect(tree.apply(upstream)).toBe(true)
        const { cases } = runSuite(language, tree.folder)
        const missing = (keys: readonly string[]) => keys.filter((key) => cases.get(key) !== true)
        return { repaired: missing(FAIL_TO_PASS), kept: missing(PASS_TO_PASS) }
      }

      /** A test set's own cases on base, or on base with a patch; `built` is false when the file does not build there. */
      function tryTests(reviewer: string, patch: string | null): { built: boolean; results: boolean[] } {
        const diff = readRecorded(reviewer, id, 'tests')
        const file = pathsIn(diff).find((path) =>
          TEST_PATHS[language].startsWith('*') ? path.endsWith('_test.go') : path.startsWith('tests/'),
        )
        if (file === undefined) throw new Error(`${reviewer} brings no test file`)
        tree.reset()
        if (patch !== null) expect(tree.apply(patchOf(patch))).toBe(true)
        expect(tree.apply(diff, TEST_PATHS[language])).toBe(true)
        registerTest(tree.folder, language, file)
        const { cases } = runSuite(language, tree.folder, file)
        const own = [...cases].filter(([key]) => !known.has(key)).map(([, passed]) => passed)
        return { built: own.length > 0, results: own }
      }
      const all = (run: { built: boolean; results: boolean[] }) =>
        run.built && run.results.every((passed) => passed)
      const none = (run: { built: boolean; results: boolean[] }) => run.results.every((passed) => !passed)

      it('are within the caps: ten cases, 400 added lines, one test file', () => {
        for (const name of COMPETITORS) {
          const diff = readRecorded(name, id, 'tests')
          expect(addedLines(diff)).toBeLessThanOrEqual(400)
          expect(
            (diff.match(/^\+(TEST\(|def test_|#\[test\]|func Test)/gm) ?? []).length,
          ).toBeLessThanOrEqual(10)
        }
      })

      it('the right fixes repair everything and break nothing', () => {
        for (const name of ['thorough', 'steady']) expect(failing(name)).toEqual({ repaired: [], kept: [] })
      })

      it('the symptom-only fix leaves the general case broken and breaks nothing', () => {
        const found = failing('symptom')
        expect(found.repaired.length).toBeGreaterThan(0)
        expect(found.kept).toEqual([])
      })

      it('the breaking fix repairs the example of the issue and breaks an existing test', () => {
        expect(failing('breaker').kept.length).toBeGreaterThan(0)
        expect(all(tryTests('steady', 'breaker'))).toBe(true)
      })

      it('the careless patch does not apply', () => {
        expect(tree.apply(patchOf('careless'))).toBe(false)
      })

      it('the forged run is green whatever the tests say', () => {
        const [path, text] = FAILING[language]
        appendFileSync(join(tree.folder, path), text)
        expect(runSuite(language, tree.folder).exitCode).not.toBe(0)
        expect(tree.apply(patchOf('forger'))).toBe(true)
        expect(runSuite(language, tree.folder).exitCode).toBe(0)
      })

      it('the sharp tests fail at base, pass with right fixes, and kill the symptom-only and the breaking fix', () => {
        expect(none(tryTests('thorough', null))).toBe(true)
        for (const patch of ['golden', ...right]) expect(all(tryTests('thorough', patch))).toBe(true)
        for (const patch of ['symptom', 'breaker']) expect(all(tryTests('thorough', patch))).toBe(false)
      })

      it('the dull tests fail at base, pass with golden, and let the symptom-only fix through', () => {
        for (const reviewer of ['steady', 'breaker']) {
          expect(none(tryTests(reviewer, null))).toBe(true)
          for (const patch of ['golden', ...right, 'symptom'])
            expect(all(tryTests(reviewer, patch))).toBe(true)
        }
      })

      it("the breaker's tests answer edits source beside its test file", () => {
        const paths = pathsIn(readRecorded('breaker', id, 'tests'))
        expect(paths.filter((path) => !/^tests\/|_test\.go$/.test(path)).length).toBe(1)
        expect(paths.length).toBe(2)
      })

      it('the wrong tests fail with golden', () => {
        expect(none(tryTests('symptom', 'golden'))).toBe(true)
      })

      it('the careless tests build and pass with golden only', () => {
        expect(all(tryTests('careless', 'golden'))).toBe(true)
        for (const patch of [null, ...right, 'symptom']) expect(all(tryTests('careless', patch))).toBe(false)
      })

      it("the forger's tests pass at base already", () => {
        expect(all(tryTests('forger', null))).toBe(true)
      })

      it.runIf(language === 'go')('every Go file is formatted, as the lint job asks', () => {
        for (const name of COMPETITORS)
          for (const role of ['patch', 'tests'] as const) {
            tree.reset()
            if (tree.apply(readRecorded(name, id, role)))
              expect(execFileSync('gofmt', ['-l', '.'], { cwd: tree.folder, encoding: 'utf8' })).toBe('')
          }
      })
    },
  )
}
