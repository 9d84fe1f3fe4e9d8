import { appendFileSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { languages } from '../../languages/index.ts'
import { openSyntax } from '../../languages/shared/syntax.ts'
import { readWasm } from '../../src/arena/read-wasm.ts'
import { putInPlay } from '../../src/arena/tasks-in-play.ts'
import { makeMutants } from '../../src/mutants/make-mutants.ts'
import type { Mutant } from '../../src/schema/mutant.ts'
import type { AppliedChanges } from '../../src/schema/tree.ts'
import { loadTask } from '../../src/task/load.ts'
import { needs } from '../helpers/require.ts'
import { openExample, readTask, taskIds, tasksFolder } from './example-tree.ts'
import { readRecorded } from './read-recorded.ts'
import { registerTest } from './register-test.ts'
import { hasTools, runSuite } from './run-suite.ts'

/** Two mutants of each task, by operator and line: any test of the fix kills the first, only a sharp one the second. */
const PICKED: Readonly<Record<string, readonly string[]>> = {
  'cpp-ini-comments': ['negated-condition 29', 'swapped-arguments 44'],
  'go-size-rounding': ['negated-condition 8', 'negated-condition 9'],
  'python-cron-weekday': ['off-by-one 14', 'negated-condition 50'],
  'rust-span-merge': ['off-by-one 45', 'removed-statement 46'],
}
/** The sharpest recorded tests, and those that look at one helper only. */
const SETS = ['thorough', 'careless'] as const

const addedText = (diff: string): string =>
  diff
    .split('\n')
    .filter((line) => line.startsWith('+') && !line.startsWith('+++ '))
    .map((line) => `${line.slice(1)}\n`)
    .join('')

async function mutantsOf(id: string): Promise<{ golden: AppliedChanges; mutants: readonly Mutant[] }> {
  const templates = mkdtempSync(join(tmpdir(), 'arena-templates-'))
  try {
    const loaded = await loadTask(join(tasksFolder, id))
    const { prepared } = await putInPlay(loaded, templates)
    const { golden, base } = prepared
    if (golden === null) throw new Error(`${id} has no golden patch`)
    const { language } = loaded.task
    const isSource = (path: string): boolean => languages[language].classify(path) === 'source'
    return {
      golden,
      mutants: await makeMutants({ base, golden, language, isSource, syntax: await openSyntax(readWasm) }),
    }
  } finally {
    rmSync(templates, { recursive: true, force: true })
  }
}

for (const id of taskIds) {
  const { language } = readTask(id)
  const adapter = languages[language]

  describe.skipIf(needs(`the toolchain of ${language}`, hasTools(language)))(`mutants of ${id}`, () => {
    it('the sharp tests kill more of them than the dull ones', { timeout: 600_000 }, async () => {
      const { golden, mutants } = await mutantsOf(id)
      using tree = openExample(id)
      const cases = new Map<string, readonly string[]>()
      const namesIn = (path: string): readonly string[] => {
        const file = join(tree.folder, path)
        return existsSync(file)
          ? adapter.casesIn(path, readFileSync(file, 'utf8')).map(({ name }) => name)
          : []
      }
      expect(tree.apply(readFileSync(join(tasksFolder, id, 'tests.patch'), 'utf8'))).toBe(true)
      for (const set of SETS) {
        const diff = readRecorded(set, id, 'tests')
        const [, path = ''] = /^\+\+\+ b\/(.+)$/m.exec(diff) ?? []
        const before = namesIn(path)
        // Another set stands at the same place: behind it then.
        if (!tree.apply(diff)) appendFileSync(join(tree.folder, path), addedText(diff))
        registerTest(tree.folder, language, path)
        const added = namesIn(path).filter((name) => !before.includes(name))
        cases.set(set, added)
      }
      /** Whole `suite::name` keys that pass with these changes. */
      const passing = (changes: AppliedChanges): ReadonlySet<string> => {
        for (const change of changes.changes)
          if (change.change === 'write')
            writeFileSync(join(tree.folder, change.path), Buffer.from(change.contentBase64, 'base64'))
        const run = runSuite(language, tree.folder)
        return new Set([...run.cases].flatMap(([key, passed]) => (passed ? [key] : [])))
      }
      const setOf = (key: string): string | undefined => {
        const name = key.slice(key.indexOf('::') + 2).replace(/[[/].*$/, '')
        return SETS.find((set) => cases.get(set)?.includes(name))
      }
      const expected = passing(golden)
      for (const set of SETS)
        expect(
          [...expected].some((key) => setOf(key) === set),
          set,
        ).toBe(true)

      const killed = new Map(SETS.map((set) => [set as string, 0]))
      const picked = (PICKED[id] ?? []).map((name) =>
        mutants.find(({ operator, line }) => `${operator} ${line}` === name),
      )
      for (const mutant of picked) {
        if (!mutant) throw new Error(`${id} has no such mutant any more`)
        const passed = passing(mutant.changes)
        const lost = [...expected].filter((key) => !passed.has(key))
        expect(passed.size).toBeGreaterThan(0)
        // Upstream's and the repository's own tests know that it is wrong.
        expect(lost.some((key) => setOf(key) === undefined)).toBe(true)
        for (const set of SETS)
          if (lost.some((key) => setOf(key) === set)) killed.set(set, (killed.get(set) ?? 0) + 1)
      }
      expect(Object.fromEntries(killed)).toEqual({ thorough: 2, careless: 1 })
    })
  })
}
