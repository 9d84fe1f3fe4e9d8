import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { temporaryFolder } from '../helpers/repository.ts'
import { needs } from '../helpers/require.ts'
import { openExample, readTask, taskIds, tasksFolder } from './example-tree.ts'
import { hasTools, runSuite } from './run-suite.ts'

const script = fileURLToPath(new URL('../../scripts/build-examples.mjs', import.meta.url))
const textOf = (id: string, file: string): string => readFileSync(join(tasksFolder, id, file), 'utf8')

describe('the example tasks', () => {
  it('are one for each language, each named as its folder', () => {
    expect(taskIds.map((id) => readTask(id).language).sort()).toEqual(['cpp', 'go', 'python', 'rust'])
    expect(taskIds.map((id) => readTask(id).id)).toEqual(taskIds)
  })

  it('are built from their readable history with the same commit ids everywhere', () => {
    using folder = temporaryFolder('examples')
    const built: Record<string, { commits: string[]; base: string }> = JSON.parse(
      execFileSync('node', [script, '--out', folder.path], { encoding: 'utf8', stdio: 'pipe' }),
    )
    expect(Object.keys(built)).toEqual(taskIds)
    for (const id of taskIds) {
      using tree = openExample(id)
      expect(tree.git('log', '--reverse', '--format=%H', 'origin/main').split('\n')).toEqual(
        built[id]?.commits,
      )
      expect(readTask(id).baseCommit).toBe(built[id]?.base)
    }
  })

  it.each(taskIds)('%s hides the fix in its history: right after base, tagged, with commits on top', (id) => {
    using tree = openExample(id)
    const [fix = '', ...later] = tree.git('log', '--reverse', '--format=%H', 'HEAD..origin/main').split('\n')
    expect(later.length).toBeGreaterThan(0)
    expect(tree.git('tag', '--points-at', fix)).toMatch(/^v\d/)
    expect(tree.apply(textOf(id, 'golden.patch')) && tree.apply(textOf(id, 'tests.patch'))).toBe(true)
    tree.git('add', '--all')
    expect(tree.git('write-tree')).toBe(tree.git('rev-parse', `${fix}^{tree}`))
  })

  it.each(taskIds)('%s keeps tests out of the golden patch and source out of the test patch', (id) => {
    const paths = (file: string) =>
      [...textOf(id, file).matchAll(/^\+\+\+ b\/(.+)$/gm)].map(([, path]) => path ?? '')
    const isTest = (path: string) => /^tests\/|_test\.go$/.test(path)
    expect(paths('golden.patch').filter(isTest)).toEqual([])
    expect(paths('tests.patch').filter((path) => !isTest(path))).toEqual([])
  })
})

for (const id of taskIds) {
  const task = readTask(id)
  describe.skipIf(needs(`the toolchain of ${task.language}`, hasTools(task.language)))(
    id,
    { timeout: 300_000 },
    () => {
      it('has 15 or more tests in several files, all green at base', () => {
        using tree = openExample(id)
        const { cases, exitCode, output } = runSuite(task.language, tree.folder)
        expect(exitCode, output).toBe(0)
        expect(cases.size).toBeGreaterThanOrEqual(15)
        expect(
          readdirSync(tree.folder, { recursive: true, encoding: 'utf8' }).filter(isTestFile).length,
        ).toBeGreaterThan(2)
      })

      it('lists exactly the cases that the golden patch repairs, and those that pass before and after', () => {
        using tree = openExample(id)
        tree.apply(textOf(id, 'tests.patch'))
        const before = runSuite(task.language, tree.folder)
        tree.apply(textOf(id, 'golden.patch'))
        const after = runSuite(task.language, tree.folder)
        const passing = [...after.cases].filter(([, passed]) => passed).map(([key]) => key)
        expect(after.exitCode, after.output).toBe(0)
        expect(before.exitCode).not.toBe(0)
        expect(passing.filter((key) => before.cases.get(key) !== true).sort()).toEqual(
          [...task.FAIL_TO_PASS].sort(),
        )
        expect(passing.filter((key) => before.cases.get(key) === true).sort()).toEqual(
          [...task.PASS_TO_PASS].sort(),
        )
      })
    },
  )
}

const isTestFile = (path: string): boolean => /^tests\/\w+\.(py|rs)$|_test\.(cpp|go)$/.test(path)
