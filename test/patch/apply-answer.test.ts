import { describe, expect, it } from 'vitest'
import { applyAnswer } from '../../src/patch/apply-answer.ts'
import type { AnswerContent } from '../../src/schema/answer.ts'
import { templateOf } from './template.ts'

const FILES = { 'a.py': 'def a():\n    return 1\n', 'dos.py': 'x = 1\r\ny = 2\r\n', 'twice.py': 'x\nx\n' }

const apply = async (content: AnswerContent, files: Record<string, string> = FILES) => {
  using template = templateOf(files)
  return await applyAnswer({ template: template.path, base: template.base, content })
}

const edit = (path: string, search: string, replace: string): AnswerContent => ({
  kind: 'edits',
  edits: [{ path, search, replace }],
})

const written = (result: Awaited<ReturnType<typeof apply>>): Record<string, string> => {
  if (result.kind !== 'applied') throw new Error(`${result.kind}: ${result.detail}`)
  return Object.fromEntries(
    result.changes.changes.flatMap((change) =>
      change.change === 'write'
        ? [[change.path, Buffer.from(change.contentBase64, 'base64').toString()]]
        : [],
    ),
  )
}

describe('edits', () => {
  it('replace a text that stands exactly once', async () => {
    expect(written(await apply(edit('a.py', '    return 1\n', '    return 2\n')))).toEqual({
      'a.py': 'def a():\n    return 2\n',
    })
  })
  it('keep what looks like a pattern of a replacement', async () => {
    expect(written(await apply(edit('a.py', 'return 1', "return '$&'")))).toEqual({
      'a.py': "def a():\n    return '$&'\n",
    })
  })
  it('build on each other', async () => {
    const result = await apply({
      kind: 'edits',
      edits: [
        { path: './a.py', search: 'return 1', replace: 'return 2' },
        { path: 'a.py', search: 'return 2', replace: 'return 3' },
      ],
    })
    expect(written(result)).toEqual({ 'a.py': 'def a():\n    return 3\n' })
  })
  it('take the line ends of the file', async () => {
    const result = await apply(edit('dos.py', 'x = 1\ny = 2\n', 'x = 3\ny = 4\n'))
    expect(written(result)).toEqual({ 'dos.py': 'x = 3\r\ny = 4\r\n' })
    expect(result.notes).toMatchObject([{ action: 'normalised', path: 'dos.py' }])
  })
  it('with nothing to search add at the end, or make the file', async () => {
    expect(written(await apply(edit('a.py', '', 'b = 1\n')))).toEqual({
      'a.py': 'def a():\n    return 1\nb = 1\n',
    })
    expect(written(await apply(edit('new/b.py', '', 'b = 1\n')))).toEqual({ 'new/b.py': 'b = 1\n' })
  })
  it.each<[string, AnswerContent, string]>([
    [
      'a text that is not there',
      edit('a.py', 'return  1', 'x'),
      'is not in the file, character for character',
    ],
    ['a text that stands twice', edit('twice.py', 'x', 'y'), 'stands 2 times'],
    ['a file that is not there', edit('nowhere.py', 'x', 'y'), 'there is no such file'],
    ['a path outside', edit('../a.py', '', 'y'), 'not inside the repository'],
    ['.git', edit('.git/config', '', 'y'), 'not inside the repository'],
    ['a file as a folder', edit('a.py/b.py', '', 'y'), 'taken by a file or folder'],
  ])('do not apply: %s', async (_name, content, reason) => {
    const result = await apply(content)
    expect(result).toMatchObject({ detail: expect.stringContaining(reason) })
    expect(['malformed', 'does-not-apply']).toContain(result.kind)
  })
  it('that change nothing are empty', async () => {
    expect((await apply(edit('a.py', 'return 1', 'return 1'))).kind).toBe('empty')
  })
})

describe('whole files', () => {
  it('are written as they are, with the line ends of the file that they replace', async () => {
    const result = await apply({
      kind: 'files',
      files: [
        { path: 'new.py', content: 'a\n' },
        { path: 'dos.py', content: 'x = 9\n' },
      ],
    })
    expect(written(result)).toEqual({ 'new.py': 'a\n', 'dos.py': 'x = 9\r\n' })
  })
})

describe('diffs', () => {
  it('go to the same engine', async () => {
    const diff = Buffer.from('--- a/a.py\n+++ b/a.py\n@@ -2 +2 @@\n-    return 1\n+    return 2\n')
    expect(written(await apply({ kind: 'diff', diffs: [diff] }))).toEqual({
      'a.py': 'def a():\n    return 2\n',
    })
  })
})
