import fc from 'fast-check'
import { afterAll, expect, it } from 'vitest'
import { languages } from '../../languages/index.ts'
import { applyForRole } from '../../src/arena/apply-for-role.ts'
import { applyDiff } from '../../src/patch/apply-diff.ts'
import { isContent } from '../../src/players/generate.ts'
import { readAnswer } from '../../src/players/read-answer.ts'
import { RepoPath } from '../../src/schema/ids.ts'
import type { LanguageId } from '../../src/schema/language.ts'
import { fuzzing } from '../helpers/fuzz.ts'
import { gitIn } from '../helpers/repository.ts'
import { arbitraryChanges, damaged } from '../patch/arbitrary-diffs.ts'
import { templateOf } from '../patch/template.ts'
import { arbitraryAnswer } from '../players/arbitrary-answers.ts'

const { timeoutMs, ...options } = fuzzing(60)
const CAPS = { cases: 2, addedLines: 12 }
const BASE = {
  'src/a.py': 'def a():\n    return 1\n',
  'a.txt': 'a\nb\na\n',
  'crlf.txt': 'a\r\nb\r\n',
  'src/lib.rs': 'fn a() {}\n#[cfg(test)]\nmod tests {\n    #[test]\n    fn t() {}\n}\n',
  'tests/test_a.py': 'def test_a():\n    assert True\n',
  'pkg/a_test.go': 'package pkg\n\nimport "testing"\n\nfunc TestA(t *testing.T) {}\n',
  'conftest.py': '',
  '.github/workflows/ci.yml': 'on: push\n',
}
const template = templateOf(BASE)
afterAll(() => template[Symbol.dispose]())

const PATHS = [
  ...Object.keys(BASE),
  'tests/test_new.py',
  'new/file.txt',
  'pkg/new_test.go',
  'odd name.txt',
  'é.txt',
]
const diffs = damaged(arbitraryChanges(BASE, PATHS).map(({ diff }) => diff))
const state = (): string =>
  [
    gitIn(template.path, 'rev-parse', 'HEAD'),
    gitIn(template.path, 'status', '--porcelain'),
    gitIn(template.path, 'count-objects', '-v'),
  ].join('\n')

it('whatever is applied for a role keeps its policy, says what it does, and writes nothing to the base', {
  timeout: timeoutMs,
}, async () => {
  const before = state()
  const seen = new Map<string, number>()
  await fc.assert(
    fc.asyncProperty(
      arbitraryAnswer(diffs),
      fc.constantFrom<'patch' | 'tests'>('patch', 'tests'),
      fc.constantFrom<LanguageId>('python', 'go', 'rust', 'cpp'),
      async (text, kind, language) => {
        const content = readAnswer(text, 'stop')
        if (!isContent(content)) fc.pre(false)
        const adapter = languages[language]
        const request = { kind, template: template.path, base: template.base, adapter, caps: CAPS, content }
        const outcome = await applyForRole(request)
        const name = outcome.kind === 'applied' ? `${kind} applied` : outcome.reason
        seen.set(name, (seen.get(name) ?? 0) + 1)
        if (outcome.kind === 'rejected') {
          expect(outcome.detail).not.toBe('')
          return
        }
        for (const { path } of outcome.changes.changes) {
          expect(RepoPath.safeParse(path).success, path).toBe(true)
          const classed = adapter.classify(path)
          if (kind === 'patch') expect(['source', 'other']).toContain(classed)
          else expect(classed).toBe('test')
        }
        if (kind === 'tests') expect(outcome.cases.length).toBeLessThanOrEqual(CAPS.cases)
        // Bytes that are no text are only named in the diff that is shown.
        if (outcome.applied.includes('\nBinary files ')) return
        const again = await applyDiff({
          template: template.path,
          base: template.base,
          diff: Buffer.from(outcome.applied),
        })
        expect(again).toMatchObject({ kind: 'applied', changes: outcome.changes })
      },
    ),
    { ...options, maxSkipsPerRun: 1000 },
  )
  expect(state()).toBe(before)
  expect([...seen.keys()]).toEqual(expect.arrayContaining(['patch applied', 'does-not-apply']))
  if (process.env.ARENA_FUZZ_RUNS) console.info('answers applied:', Object.fromEntries(seen))
})
