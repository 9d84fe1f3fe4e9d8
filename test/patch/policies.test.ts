import { describe, expect, it } from 'vitest'
import type { LanguageAdapter, TestCase } from '../../languages/adapter.ts'
import { applyReviewerPolicy, type ReviewerAdapter } from '../../src/patch/reviewer-policy.ts'
import { applySubmitterPolicy } from '../../src/patch/submitter-policy.ts'
import { toAppliedChanges } from '../../src/schema/applied.ts'
import type { AppliedChanges, FileChange } from '../../src/schema/tree.ts'
import { viewOf } from './template.ts'

/** A small language: `def test_x` starts a case that ends before the next line that is not indented. */
function casesIn(_path: string, text: string): readonly TestCase[] {
  const lines = text.split('\n')
  return lines.flatMap((line, index): TestCase[] => {
    const match = /^( *)def (test_\w+)/.exec(line)
    if (!match?.[2]) return []
    const depth = match[1]?.length ?? 0
    let end = index
    while ((lines[end + 1] ?? '').startsWith(' '.repeat(depth + 1))) end++
    return [
      {
        name: match[2],
        startLine: index + 1,
        endLine: end + 1,
        text: lines.slice(index, end + 1).join('\n'),
      },
    ]
  })
}

const adapter: ReviewerAdapter & Pick<LanguageAdapter, 'withTestsOfBase'> = {
  id: 'python',
  classify: (path) => {
    if (path.startsWith('.github/')) return 'workflow'
    if (path.endsWith('conftest.py')) return 'runner-control'
    return path.startsWith('tests/') || path === 'tests' ? 'test' : path.endsWith('.py') ? 'source' : 'other'
  },
  casesIn,
  refusesTestFile: (path) => (path.endsWith('.py') ? undefined : 'only .py files hold tests'),
  withTestsOfBase: (_path, patched, base) => {
    const marker = /# tests\n[\s\S]*$/
    const ofBase = marker.exec(base ?? '')?.[0] ?? ''
    return marker.test(patched) ? patched.replace(marker, () => ofBase) : patched
  },
}

const BASE = viewOf({
  'src/a.py': 'def a():\n    return 1\n',
  'src/inline.py': 'x = 1\n# tests\nassert x\n',
  'tests/test_a.py': 'def test_old():\n    assert a()\n\ndef helper():\n    pass\n',
  'docs.md': 'docs\n',
})

const write = (path: string, text: string, mode: '100644' | '120000' = '100644'): FileChange => ({
  change: 'write',
  path,
  mode,
  contentBase64: Buffer.from(text).toString('base64'),
})

const textsOf = (changes: AppliedChanges): Record<string, string | null> =>
  Object.fromEntries(
    changes.changes.map((change) => [
      change.path,
      change.change === 'delete' ? null : Buffer.from(change.contentBase64, 'base64').toString(),
    ]),
  )

describe("a submitter's patch", () => {
  const submit = (...changes: FileChange[]) =>
    applySubmitterPolicy({ changes: toAppliedChanges(changes), base: BASE, adapter })

  it('keeps source and other files, and takes tests, workflows and runner control from base', () => {
    const { changes, notes } = submit(
      write('src/a.py', 'def a():\n    return 2\n'),
      write('docs.md', 'new\n'),
      write('tests/test_a.py', ''),
      write('tests/conftest.py', 'x'),
      write('.github/workflows/ci.yml', 'on: push'),
    )
    expect(textsOf(changes)).toEqual({ 'docs.md': 'new\n', 'src/a.py': 'def a():\n    return 2\n' })
    expect(notes.map(({ action, path }) => [action, path])).toEqual([
      ['stripped', '.github/workflows/ci.yml'],
      ['stripped', 'tests/conftest.py'],
      ['stripped', 'tests/test_a.py'],
    ])
  })
  it('may not delete a test', () => {
    expect(submit({ change: 'delete', path: 'tests/test_a.py' }).changes.changes).toEqual([])
  })
  it('gets the tests inside a source file back', () => {
    const { changes, notes } = submit(write('src/inline.py', 'x = 2\n# tests\nassert True\n'))
    expect(textsOf(changes)).toEqual({ 'src/inline.py': 'x = 2\n# tests\nassert x\n' })
    expect(notes).toMatchObject([{ action: 'stripped', path: 'src/inline.py' }])
  })
  it('is empty when only tests inside a source file were changed', () => {
    expect(submit(write('src/inline.py', 'x = 1\n# tests\npass\n')).changes.changes).toEqual([])
  })
  it('cannot put a file in the place of a folder that is kept', () => {
    const adapted = {
      ...adapter,
      classify: (path: string) => (path === 'tests' ? 'other' : adapter.classify(path)),
    } as const
    const { changes, notes } = applySubmitterPolicy({
      changes: toAppliedChanges([
        { change: 'delete', path: 'tests/test_a.py' },
        write('tests', 'src', '120000'),
      ]),
      base: BASE,
      adapter: adapted,
    })
    expect(changes.changes).toEqual([])
    expect(notes.map((note) => note.path).sort()).toEqual(['tests', 'tests/test_a.py'])
  })
  it('may put a folder in the place of a file that it removes', () => {
    const { changes } = submit({ change: 'delete', path: 'docs.md' }, write('docs.md/index.md', 'x'))
    expect(changes.changes).toHaveLength(2)
  })
})

describe("a reviewer's tests", () => {
  const CAPS = { cases: 10, addedLines: 400 }
  const review = (changes: readonly FileChange[], caps = CAPS) =>
    applyReviewerPolicy({ changes: toAppliedChanges(changes), base: BASE, adapter, caps })
  const OLD = BASE.read('tests/test_a.py')?.toString() ?? ''
  const caseNamed = (name: string, lines = 1): string =>
    `def ${name}():\n${'    assert a() == 2\n'.repeat(lines)}\n`

  it('declare the new cases of new and extended files, by path, then place', () => {
    const { changes, cases, notes } = review([
      write('tests/test_b.py', caseNamed('test_y') + caseNamed('test_x')),
      write('tests/test_a.py', OLD + caseNamed('test_new')),
    ])
    expect(cases).toEqual([
      { file: 'tests/test_a.py', case: 'test_new' },
      { file: 'tests/test_b.py', case: 'test_y' },
      { file: 'tests/test_b.py', case: 'test_x' },
    ])
    expect(changes.changes.map((change) => change.path)).toEqual(['tests/test_a.py', 'tests/test_b.py'])
    expect(notes).toEqual([])
  })
  it('lose their source parts, which is reported', () => {
    const { changes, notes } = review([
      write('src/a.py', 'broken'),
      write('tests/test_b.py', caseNamed('test_x')),
    ])
    expect(changes.changes.map((change) => change.path)).toEqual(['tests/test_b.py'])
    expect(notes).toMatchObject([{ action: 'stripped', path: 'src/a.py' }])
  })
  it.each<[string, FileChange, string]>([
    [
      'change an existing test',
      write('tests/test_a.py', OLD.replace('assert a()', 'pass')),
      'changes the existing test test_old',
    ],
    [
      'remove one',
      write('tests/test_a.py', 'def helper():\n    pass\n'),
      'removes the existing test test_old',
    ],
    [
      'hide one behind another of its name',
      write('tests/test_a.py', OLD + caseNamed('test_old')),
      'a second time',
    ],
    ['delete a test file', { change: 'delete', path: 'tests/test_a.py' }, 'may not be removed'],
    ['write what the language refuses', write('tests/data.json', '{}'), 'only .py files'],
    ['link', write('tests/test_l.py', '../src/a.py', '120000'), 'symlink'],
  ])('may not %s', (_name, change, reason) => {
    const { changes, cases, notes } = review([change])
    expect(changes.changes).toEqual([])
    expect(cases).toEqual([])
    expect(notes).toMatchObject([{ action: 'refused', reason: expect.stringContaining(reason) }])
  })
  it('that are not text are refused', () => {
    const change: FileChange = {
      ...write('tests/test_b.py', ''),
      contentBase64: Buffer.from([0xff, 0xfe]).toString('base64'),
    } as FileChange
    expect(review([change]).notes).toMatchObject([
      { action: 'refused', reason: expect.stringContaining('UTF-8') },
    ])
  })
  it('over the cap of cases are cut out whole, over all files', () => {
    const { changes, cases, overCap, notes } = review(
      [
        write('tests/test_a.py', OLD + caseNamed('test_1') + caseNamed('test_2')),
        write('tests/test_b.py', `import x\n\n${caseNamed('test_3')}${caseNamed('test_4')}`),
      ],
      { cases: 3, addedLines: 400 },
    )
    expect(cases.map((entry) => entry.case)).toEqual(['test_1', 'test_2', 'test_3'])
    expect(overCap).toEqual([{ file: 'tests/test_b.py', case: 'test_4' }])
    expect(textsOf(changes)['tests/test_b.py']).toBe(`import x\n\n${caseNamed('test_3')}\n`)
    expect(notes).toMatchObject([
      { action: 'cut', path: 'tests/test_b.py', reason: expect.stringContaining('test_4') },
    ])
  })
  it('over the cap of lines are cut from the first one that passes it', () => {
    const { cases, overCap } = review(
      [write('tests/test_b.py', caseNamed('test_1', 5) + caseNamed('test_2', 10) + caseNamed('test_3'))],
      { cases: 10, addedLines: 14 },
    )
    expect(cases.map((entry) => entry.case)).toEqual(['test_1'])
    expect(overCap.map((entry) => entry.case)).toEqual(['test_2', 'test_3'])
  })
  it('lines of an extended file count only where they are new', () => {
    const { cases } = review([write('tests/test_a.py', OLD + caseNamed('test_1', 2))], {
      cases: 1,
      addedLines: 5,
    })
    expect(cases).toHaveLength(1)
  })
  it('a file of which nothing is left is not written', () => {
    const { changes, cases, overCap } = review([write('tests/test_b.py', caseNamed('test_1', 50))], {
      cases: 1,
      addedLines: 10,
    })
    expect(changes.changes).toEqual([])
    expect(cases).toEqual([])
    expect(overCap).toHaveLength(1)
  })
  it('a cut method leaves its class a body', () => {
    const text = `${caseNamed('test_1')}class TestX:\n    def test_2(self):\n        pass\n`
    const { changes } = review([write('tests/test_b.py', text)], { cases: 1, addedLines: 400 })
    expect(textsOf(changes)['tests/test_b.py']).toBe(`${caseNamed('test_1')}class TestX:\n    pass\n`)
  })
})
