import { describe, expect, it } from 'vitest'
import { applyAnswer } from '../../src/patch/apply-answer.ts'
import { applyDiff } from '../../src/patch/apply-diff.ts'
import { PATCH_LIMITS } from '../../src/patch/limits.ts'
import { parseDiff } from '../../src/patch/parse-diff.ts'
import { applyReviewerPolicy } from '../../src/patch/reviewer-policy.ts'
import { toAppliedChanges } from '../../src/schema/applied.ts'
import { templateOf, viewOf } from './template.ts'

const MANY = 200_000
const HEADER = '--- a/a.txt\n+++ b/a.txt\n'

const apply = async (files: Readonly<Record<string, string>>, diff: string) => {
  using template = templateOf(files)
  return await applyDiff({ template: template.path, base: template.base, diff: Buffer.from(diff, 'latin1') })
}

// The tests' own time limit is the judge of what is slow.
describe('a diff made to be slow or large', () => {
  it.each<[string, string]>([
    ['a header of blanks', `diff --git ${'a '.repeat(MANY)}\n`],
    ['a quoted path without end', `diff --git "${'\\\\'.repeat(MANY)}\n`],
    ['header lines', '--- a\n+++ b\n'.repeat(MANY / 10)],
    ['hunks that count too far', `${HEADER}${'@@ -1,99999999 +1,99999999 @@\n a\n'.repeat(MANY / 10)}`],
    ['blank lines', `${HEADER}@@ -1,9 +1,9 @@\n${'\n'.repeat(MANY)}`],
    ['binary lines', `diff --git a/a b/a\nGIT binary patch\nliteral 9\n${'zabc\n'.repeat(MANY)}`],
  ])('is parsed: %s', (_name, diff) => {
    expect(parseDiff(diff).sections.length).toBeGreaterThanOrEqual(0)
  })
  it('a file of many lines is changed at both ends', async () => {
    const lines = Array.from({ length: MANY }, (_, index) => `${index}`)
    const last = MANY - 1
    const diff = `${HEADER}@@ -1,2 +1,2 @@\n-0\n+zero\n 1\n@@ -${MANY - 1},2 +${MANY - 1},2 @@\n ${last - 1}\n-${last}\n+last\n`
    const result = await apply({ 'a.txt': `${lines.join('\n')}\n` }, diff)
    expect(result.kind).toBe('applied')
  })
  it('a text that stands everywhere is no place', async () => {
    using template = templateOf({ 'a.txt': 'a'.repeat(MANY) })
    const edits = [{ path: 'a.txt', search: 'a'.repeat(MANY / 2), replace: '' }]
    const request = {
      template: template.path,
      base: template.base,
      content: { kind: 'edits', edits },
    } as const
    expect(await applyAnswer(request)).toMatchObject({ kind: 'does-not-apply' })
  })
  it.each<[string, string]>([
    ['bytes', `${HEADER}@@ -0,0 +1 @@\n+${'x'.repeat(PATCH_LIMITS.diffBytes)}\n`],
    [
      'files',
      Array.from({ length: 301 }, (_, index) => `--- /dev/null\n+++ b/f${index}\n@@ -0,0 +1 @@\n+x\n`).join(
        '',
      ),
    ],
    ['hunks', HEADER + '@@ -1 +1 @@\n-a\n+b\n'.repeat(2001)],
  ])('is refused: too many %s', async (_name, diff) => {
    expect((await apply({ 'a.txt': 'a\n' }, diff)).kind).toBe('malformed')
  })
  it('does not grow through a binary delta', async () => {
    // A delta may copy one block again and again: the size that it makes is bounded where it is made.
    const diff = `diff --git a/a.txt b/a.txt\nindex ${'1'.repeat(40)}..${'2'.repeat(40)} 100644\nGIT binary patch\ndelta 12\nzcmZ\n\n`
    expect((await apply({ 'a.txt': 'a\n' }, diff)).kind).toBe('does-not-apply')
  })
})

it('a set of very many cases is cut without counting them all', () => {
  const text = Array.from({ length: 50_000 }, (_, index) => `case c${index}\n`).join('')
  const result = applyReviewerPolicy({
    changes: toAppliedChanges([
      {
        change: 'write',
        path: 'tests/t',
        mode: '100644',
        contentBase64: Buffer.from(text).toString('base64'),
      },
    ]),
    base: viewOf({}),
    adapter: {
      id: 'go',
      classify: () => 'test',
      refusesTestFile: () => undefined,
      casesIn: (_path, content) =>
        content
          .split('\n')
          .flatMap((line, index) =>
            line.startsWith('case ')
              ? [{ name: line.slice(5), startLine: index + 1, endLine: index + 1, text: line }]
              : [],
          ),
    },
    caps: { cases: 10, addedLines: 400 },
  })
  expect(result.cases).toHaveLength(10)
  expect(result.overCap).toHaveLength(1000)
  expect(Buffer.from(JSON.stringify(result.notes)).length).toBeLessThan(20_000)
})
