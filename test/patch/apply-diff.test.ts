import { execFileSync } from 'node:child_process'
import { symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { applyAnswer } from '../../src/patch/apply-answer.ts'
import { applyDiff, applyDiffs } from '../../src/patch/apply-diff.ts'
import type { PatchResult } from '../../src/patch/result.ts'
import type { FileChange } from '../../src/schema/tree.ts'
import { gitIn } from '../helpers/repository.ts'
import { diffBetween, templateOf } from './template.ts'

const LINES = Array.from({ length: 20 }, (_, index) => `line ${index + 1}`)
const TEXT = `${LINES.join('\n')}\n`
const CHANGED = TEXT.replace('line 10\n', 'line ten\n')
const DIFF = `diff --git a/a.txt b/a.txt
--- a/a.txt
+++ b/a.txt
@@ -7,7 +7,7 @@ line 6
 line 7
 line 8
 line 9
-line 10
+line ten
 line 11
 line 12
 line 13
`

const apply = async (
  files: Readonly<Record<string, string | Buffer>>,
  diff: string | Buffer,
): Promise<PatchResult> => {
  using template = templateOf(files)
  return await applyDiff({ template: template.path, base: template.base, diff: Buffer.from(diff) })
}

/** The tree's changed files as text; a deleted file is null. */
const filesOf = (result: PatchResult): Record<string, string | null> => {
  if (result.kind !== 'applied') throw new Error(`${result.kind}: ${result.detail}`)
  return Object.fromEntries(
    result.changes.changes.map((change) => [
      change.path,
      change.change === 'delete' ? null : Buffer.from(change.contentBase64, 'base64').toString('utf8'),
    ]),
  )
}

const bytesOf = (change: FileChange): readonly [string, string | null] => [
  change.path,
  change.change === 'delete' ? null : Buffer.from(change.contentBase64, 'base64').toString('latin1'),
]

const reasonsOf = (result: PatchResult): string => result.notes.map((note) => note.reason).join('\n')

describe('a diff as git writes it', () => {
  it('applies byte for byte without a note', async () => {
    const result = await apply({ 'a.txt': TEXT }, DIFF)
    expect(filesOf(result)).toEqual({ 'a.txt': CHANGED })
    expect(result.notes).toEqual([])
  })

  it('gives the same digest for the same effect', async () => {
    const first = await apply({ 'a.txt': TEXT }, DIFF)
    const second = await apply({ 'a.txt': TEXT }, `Here it is:\n\n${DIFF}`)
    expect(first.kind === 'applied' && second.kind === 'applied').toBe(true)
    if (first.kind === 'applied' && second.kind === 'applied')
      expect(second.changes.digest).toBe(first.changes.digest)
  })
})

describe('the end of a diff', () => {
  it('applies without its last line feed', async () => {
    const result = await apply({ 'a.txt': TEXT }, DIFF.slice(0, -1))
    expect(filesOf(result)).toEqual({ 'a.txt': CHANGED })
    expect(reasonsOf(result)).toContain('line feed at the end of the diff was added')
  })
  it('applies with three line feeds too many', async () => {
    const result = await apply({ 'a.txt': TEXT }, `${DIFF}\n\n\n`)
    expect(filesOf(result)).toEqual({ 'a.txt': CHANGED })
    expect(reasonsOf(result)).toBe('3 blank lines at the end of the diff were left out')
  })
  it.each(['', ' \n\t\n  '])('is empty when it is nothing but blanks (%j)', async (diff) => {
    expect((await apply({ 'a.txt': TEXT }, diff)).kind).toBe('empty')
  })
})

describe('binary parts', () => {
  const stub =
    'diff --git a/logo.png b/logo.png\nindex 1111111..2222222 100644\nBinary files a/logo.png and b/logo.png differ\n'
  it('drops a stub without content, reports it, and applies the text', async () => {
    const result = await apply({ 'a.txt': TEXT, 'logo.png': Buffer.from([0, 1, 2]) }, `${stub}${DIFF}`)
    expect(filesOf(result)).toEqual({ 'a.txt': CHANGED })
    expect(result.notes).toMatchObject([{ action: 'stripped', path: 'logo.png' }])
  })
  it('drops a stub that stands between other files', async () => {
    const result = await apply(
      { 'a.txt': TEXT, 'logo.png': Buffer.from([0, 1, 2]) },
      `${DIFF}Binary files a/logo.png and b/logo.png differ\n`,
    )
    expect(filesOf(result)).toEqual({ 'a.txt': CHANGED })
    expect(result.notes).toMatchObject([{ action: 'stripped', path: 'logo.png' }])
  })
  it('is empty when a stub was all', async () => {
    expect((await apply({ 'logo.png': Buffer.from([0, 1]) }, stub)).kind).toBe('empty')
  })
  it('applies a full binary patch beside text', async () => {
    const before = Buffer.from(Array.from({ length: 300 }, (_, index) => index % 256))
    const after = Buffer.concat([before, Buffer.from([0, 255, 0])])
    const diff = diffBetween({ 'a.txt': TEXT, 'logo.png': before }, { 'a.txt': CHANGED, 'logo.png': after })
    const result = await apply({ 'a.txt': TEXT, 'logo.png': before }, diff)
    expect(result.kind === 'applied' && Object.fromEntries(result.changes.changes.map(bytesOf))).toEqual({
      'a.txt': CHANGED,
      'logo.png': after.toString('latin1'),
    })
  })
  it('refuses a binary patch that says it unpacks to more than the cap', async () => {
    const diff = diffBetween({ 'logo.png': Buffer.from([0]) }, { 'logo.png': Buffer.from([0, 1]) })
    const huge = diff.toString('latin1').replace(/^(literal|delta) \d+$/m, '$1 999999999')
    expect(await apply({ 'logo.png': Buffer.from([0]) }, Buffer.from(huge, 'latin1'))).toMatchObject({
      kind: 'malformed',
      detail: expect.stringContaining('unpacks to more than'),
    })
  })
})

describe('line ends', () => {
  const crlf = (text: string): string => text.replaceAll('\n', '\r\n')
  it('an LF patch on a CRLF file: the file keeps its own, and it is reported', async () => {
    const result = await apply({ 'a.txt': crlf(TEXT) }, DIFF)
    expect(filesOf(result)).toEqual({ 'a.txt': crlf(CHANGED) })
    expect(reasonsOf(result)).toContain('line ends taken from the file')
  })
  it('a CRLF patch on an LF file: the file keeps its own', async () => {
    const result = await apply({ 'a.txt': TEXT }, crlf(DIFF))
    expect(filesOf(result)).toEqual({ 'a.txt': CHANGED })
    expect(reasonsOf(result)).toContain('line ends taken from the file')
  })
  it('a patch that changes line ends is taken as it is', async () => {
    const diff = diffBetween({ 'a.txt': 'one\r\ntwo\r\n' }, { 'a.txt': 'one\ntwo\r\n' })
    const result = await apply({ 'a.txt': 'one\r\ntwo\r\n' }, diff)
    expect(filesOf(result)).toEqual({ 'a.txt': 'one\ntwo\r\n' })
    expect(result.notes).toEqual([])
  })
  it('a mixed file: old lines stay as they are, a new line ends as the one before it', async () => {
    const mixed = TEXT.replace('line 9\n', 'line 9\r\n').replace('line 12\n', 'line 12\r\n')
    const result = await apply({ 'a.txt': mixed }, DIFF)
    expect(filesOf(result)).toEqual({ 'a.txt': mixed.replace('line 10\n', 'line ten\n') })
  })
  it('a new file in a diff that came with CRLF everywhere gets LF', async () => {
    const result = await apply({}, crlf('--- /dev/null\n+++ b/new.txt\n@@ -0,0 +1,2 @@\n+one\n+two\n'))
    expect(filesOf(result)).toEqual({ 'new.txt': 'one\ntwo\n' })
  })
  it('a new file in an LF diff may have CRLF', async () => {
    const result = await apply({}, '--- /dev/null\n+++ b/new.txt\n@@ -0,0 +1,1 @@\n+one\r\n')
    expect(filesOf(result)).toEqual({ 'new.txt': 'one\r\n' })
  })
  it('a file without a last line feed keeps being without, also when the diff does not say so', async () => {
    const result = await apply(
      { 'a.txt': 'one\ntwo\nthree' },
      '--- a/a.txt\n+++ b/a.txt\n@@ -1,3 +1,3 @@\n one\n two\n-three\n+THREE\n',
    )
    expect(filesOf(result)).toEqual({ 'a.txt': 'one\ntwo\nTHREE' })
  })
  it('lines may be added behind a last line without line feed', async () => {
    const result = await apply(
      { 'a.txt': 'one\ntwo' },
      '--- a/a.txt\n+++ b/a.txt\n@@ -1,2 +1,3 @@\n one\n two\n+three\n',
    )
    expect(filesOf(result)).toEqual({ 'a.txt': 'one\ntwo\nthree' })
  })
})

describe('what models get wrong in a diff', () => {
  it('blank context lines without their space', async () => {
    const result = await apply(
      { 'a.txt': 'one\n\ntwo\n\nthree\n' },
      '--- a/a.txt\n+++ b/a.txt\n@@ -1,5 +1,5 @@\n one\n\n-two\n+TWO\n\n three\n',
    )
    expect(filesOf(result)).toEqual({ 'a.txt': 'one\n\nTWO\n\nthree\n' })
    expect(reasonsOf(result)).toContain('2 blank context lines')
  })
  it('wrong counts are counted again and flagged', async () => {
    const result = await apply({ 'a.txt': TEXT }, DIFF.replace('-7,7 +7,7', '-7,9 +7,4'))
    expect(filesOf(result)).toEqual({ 'a.txt': CHANGED })
    expect(reasonsOf(result)).toContain('recounted')
  })
  it.each(['@@ -1,7 +1,7 @@', '@@ -300,7 +300,7 @@'])('a wrong place, told: %s', async (header) => {
    const result = await apply({ 'a.txt': TEXT }, DIFF.replace(/@@ .* @@.*/, header))
    expect(filesOf(result)).toEqual({ 'a.txt': CHANGED })
    expect(reasonsOf(result)).toContain('taken at line 7')
  })
  it.each(['@@', '@@ ... @@', '@@ def function():'])('no line numbers at all: %s', async (header) => {
    const result = await apply({ 'a.txt': TEXT }, DIFF.replace(/@@ .* @@.*/, header))
    expect(filesOf(result)).toEqual({ 'a.txt': CHANGED })
  })
  it('no line numbers and two places: does not apply', async () => {
    const result = await apply(
      { 'a.txt': 'x\ny\nx\ny\n' },
      '--- a/a.txt\n+++ b/a.txt\n@@ ... @@\n x\n-y\n+z\n',
    )
    expect(result).toMatchObject({
      kind: 'does-not-apply',
      detail: expect.stringContaining('fits at 2 places'),
    })
  })
  it('a hunk that fits twice goes where it says', async () => {
    const text = 'a\nx\nb\nx\nc\nx\nd\n'
    const result = await apply({ 'a.txt': text }, '--- a/a.txt\n+++ b/a.txt\n@@ -4,1 +4,1 @@\n-x\n+y\n')
    expect(filesOf(result)).toEqual({ 'a.txt': 'a\nx\nb\ny\nc\nx\nd\n' })
  })
  it('no context behind the change', async () => {
    const result = await apply(
      { 'a.txt': TEXT },
      '--- a/a.txt\n+++ b/a.txt\n@@ -9,2 +9,2 @@\n line 9\n-line 10\n+line ten\n',
    )
    expect(filesOf(result)).toEqual({ 'a.txt': CHANGED })
    expect(reasonsOf(result)).toContain('context was completed')
  })
  it('hunks that share context lines, in the wrong order', async () => {
    const result = await apply(
      { 'a.txt': TEXT },
      '--- a/a.txt\n+++ b/a.txt\n@@ -11,3 +11,3 @@\n line 11\n-line 12\n+line twelve\n line 13\n@@ -9,3 +9,3 @@\n line 9\n-line 10\n+line ten\n line 11\n',
    )
    expect(filesOf(result)).toEqual({ 'a.txt': CHANGED.replace('line 12\n', 'line twelve\n') })
  })
  it('two hunks that change the same line do not apply', async () => {
    const hunk = '@@ -9,3 +9,3 @@\n line 9\n-line 10\n+line ten\n line 11\n'
    const result = await apply({ 'a.txt': TEXT }, `--- a/a.txt\n+++ b/a.txt\n${hunk}${hunk}`)
    expect(result).toMatchObject({ kind: 'does-not-apply', detail: expect.stringContaining('the same line') })
  })
  it('paths without a/ and b/', async () => {
    const diff = DIFF.replace('diff --git a/a.txt b/a.txt\n', '')
      .replace('a/a.txt', 'a.txt')
      .replace('b/a.txt', 'a.txt')
    const result = await apply({ 'a.txt': TEXT }, diff)
    expect(filesOf(result)).toEqual({ 'a.txt': CHANGED })
    expect(reasonsOf(result)).toContain('without a/ and b/')
  })
  it('a folder that is really named a', async () => {
    const diff = '--- a/x.txt\n+++ a/x.txt\n@@ -1 +1 @@\n-one\n+two\n'
    expect(filesOf(await apply({ 'a/x.txt': 'one\n' }, diff))).toEqual({ 'a/x.txt': 'two\n' })
  })
  it('a new file named as if it existed', async () => {
    const result = await apply({}, '--- a/new.txt\n+++ b/new.txt\n@@ -0,0 +1,1 @@\n+one\n')
    expect(filesOf(result)).toEqual({ 'new.txt': 'one\n' })
    expect(reasonsOf(result)).toContain('read as a new file')
  })
  it('prose around, a mail signature, and a list behind', async () => {
    const result = await apply(
      { 'a.txt': TEXT },
      `Here is my fix:\n\n${DIFF}-- \n2.43.0\n\n- it is short\n+ and right\n`,
    )
    expect(filesOf(result)).toEqual({ 'a.txt': CHANGED })
    expect(reasonsOf(result)).toContain('lines that are no part of a diff')
  })
  it('lines that look like headers stay content', async () => {
    const result = await apply(
      { 'q.sql': '-- old comment\nselect 1;\n' },
      '--- a/q.sql\n+++ b/q.sql\n@@ -1,2 +1,2 @@\n--- old comment\n+++ new comment\n select 1;\n',
    )
    expect(filesOf(result)).toEqual({ 'q.sql': '++ new comment\nselect 1;\n' })
  })
  it('a context line that is not in the file: says which, and never applies with fuzz', async () => {
    const result = await apply({ 'a.txt': TEXT }, DIFF.replace(' line 8', ' line  8'))
    expect(result).toMatchObject({
      kind: 'does-not-apply',
      detail: expect.stringContaining(
        '`line  8` is not in the file; line 8 differs from it in white space only',
      ),
    })
  })
  it('is all or nothing', async () => {
    const other = '--- a/b.txt\n+++ b/b.txt\n@@ -1 +1 @@\n-nowhere\n+x\n'
    expect((await apply({ 'a.txt': TEXT, 'b.txt': 'b\n' }, DIFF + other)).kind).toBe('does-not-apply')
  })
  it('a file that is not there', async () => {
    expect(await apply({}, DIFF)).toMatchObject({
      kind: 'does-not-apply',
      detail: expect.stringContaining('there is no text file a.txt'),
    })
  })
  it('a new file where one exists', async () => {
    expect((await apply({ 'a.txt': TEXT }, '--- /dev/null\n+++ b/a.txt\n@@ -0,0 +1 @@\n+one\n')).kind).toBe(
      'does-not-apply',
    )
  })
  it.each(['hello', 'diff --git', '--- a\n+++ b\n', '@@ -1 +1 @@\n-a\n+b\n'])(
    'no diff at all is malformed or empty: %j',
    async (text) => {
      expect(['malformed', 'empty', 'does-not-apply']).toContain((await apply({ 'a.txt': TEXT }, text)).kind)
    },
  )
})

describe('several diffs of one answer', () => {
  it('are joined; for the same file the last counts', async () => {
    using template = templateOf({ 'a.txt': TEXT, 'b.txt': 'b\n' })
    const diffs = [
      DIFF.replace('+line ten', '+line X'),
      '--- a/b.txt\n+++ b/b.txt\n@@ -1 +1 @@\n-b\n+B\n',
      DIFF,
    ].map((diff) => Buffer.from(diff))
    const result = await applyDiffs({ template: template.path, base: template.base, diffs })
    expect(filesOf(result)).toEqual({ 'a.txt': CHANGED, 'b.txt': 'B\n' })
    expect(reasonsOf(result)).toContain('replaced by a later diff')
  })
})

describe('paths and modes', () => {
  it.each([
    ['../outside.txt', 'leaves the repository'],
    ['x/../../outside.txt', 'leaves the repository'],
    ['/etc/passwd', 'leaves the repository'],
    ['.git/config', 'inside .git'],
    ['sub/.GIT/hooks/post-checkout', 'inside .git'],
  ])('refuses %s', async (path, reason) => {
    const result = await apply({}, `--- /dev/null\n+++ b/${path}\n@@ -0,0 +1 @@\n+x\n`)
    expect(result).toMatchObject({ kind: 'malformed', detail: expect.stringContaining(reason) })
    expect(result.notes).toMatchObject([{ action: 'refused' }])
  })
  it.each(['/etc/passwd', '../x', 'sub/../../x', '.git/config', 'a/../b'])(
    'refuses a symlink to %s',
    async (target) => {
      const diff = `diff --git a/link b/link\nnew file mode 120000\n--- /dev/null\n+++ b/link\n@@ -0,0 +1 @@\n+${target}\n\\ No newline at end of file\n`
      const result = await apply({}, diff)
      expect(result).toMatchObject({
        kind: 'malformed',
        detail: expect.stringContaining('symlink leads outside'),
      })
    },
  )
  it('takes a symlink that stays inside', async () => {
    const diff =
      'diff --git a/sub/link b/sub/link\nnew file mode 120000\n--- /dev/null\n+++ b/sub/link\n@@ -0,0 +1 @@\n+../a.txt\n\\ No newline at end of file\n'
    expect(await apply({ 'a.txt': 'x' }, diff)).toMatchObject({
      kind: 'applied',
      changes: { changes: [{ path: 'sub/link', mode: '120000' }] },
    })
  })
  it('refuses to write through a symlink', async () => {
    const link =
      'diff --git a/link b/link\nnew file mode 120000\n--- /dev/null\n+++ b/link\n@@ -0,0 +1 @@\n+sub\n\\ No newline at end of file\n'
    const through = '--- /dev/null\n+++ b/link/x\n@@ -0,0 +1 @@\n+x\n'
    expect((await apply({ 'sub/a': 'a' }, link + through)).kind).toBe('does-not-apply')
  })
  it('refuses to write through a symlink of the base commit, in every form of answer', async () => {
    using template = templateOf({ 'sub/a': 'a\n' })
    symlinkSync('sub', join(template.path, 'link'))
    gitIn(template.path, 'add', 'link')
    gitIn(template.path, 'commit', '--quiet', '--amend', '-m', 'Base')
    const request = { template: template.path, base: template.base }
    const diff = Buffer.from('--- /dev/null\n+++ b/link/x\n@@ -0,0 +1 @@\n+x\n')
    expect((await applyDiff({ ...request, diff })).kind).toBe('does-not-apply')
    const content = { kind: 'files', files: [{ path: 'link/x', content: 'x\n' }] } as const
    expect((await applyAnswer({ ...request, content })).kind).toBe('does-not-apply')
  })
  it('refuses a submodule', async () => {
    const diff =
      'diff --git a/sub b/sub\nnew file mode 160000\nindex 0000000..1111111\n--- /dev/null\n+++ b/sub\n@@ -0,0 +1 @@\n+Subproject commit 1111111111111111111111111111111111111111\n'
    expect((await apply({}, diff)).kind).toBe('malformed')
  })
  it('makes a file executable', async () => {
    const result = await apply(
      { 'run.sh': 'x\n' },
      'diff --git a/run.sh b/run.sh\nold mode 100644\nnew mode 100755\n',
    )
    expect(result).toMatchObject({
      kind: 'applied',
      changes: { changes: [{ path: 'run.sh', mode: '100755' }] },
    })
  })
  it('reads quoted and odd paths', async () => {
    const before = { 'with space.txt': 'a\n', 'tab\there.txt': 'a\n', 'grün.txt': 'a\n', 'quo"te.txt': 'a\n' }
    const after = Object.fromEntries(Object.keys(before).map((path) => [path, 'b\n']))
    expect(filesOf(await apply(before, diffBetween(before, after)))).toEqual(after)
  })
  it('follows a rename with a change', async () => {
    const before = { 'old name.txt': TEXT }
    const after = { 'new/name.txt': CHANGED }
    const diff = diffBetween(before, after, '--find-renames')
    expect(diff.toString()).toContain('rename from')
    expect(filesOf(await apply(before, diff))).toEqual({ 'old name.txt': null, 'new/name.txt': CHANGED })
  })
  it('exchanges two names', async () => {
    const before = { a: TEXT, b: TEXT.toUpperCase() }
    const diff =
      'diff --git a/a b/b\nsimilarity index 100%\nrename from a\nrename to b\ndiff --git a/b b/a\nsimilarity index 100%\nrename from b\nrename to a\n'
    expect(filesOf(await apply(before, diff))).toEqual({ a: TEXT.toUpperCase(), b: TEXT })
  })
  it('makes empty files and deletes files', async () => {
    const before = { gone: 'x\n', 'empty-gone': '' }
    expect(filesOf(await apply(before, diffBetween(before, { made: '' })))).toEqual({
      gone: null,
      'empty-gone': null,
      made: '',
    })
  })
})

describe('the template', () => {
  it('is never written', async () => {
    using template = templateOf({ 'a.txt': TEXT })
    const state = () =>
      execFileSync('find', ['.', '-printf', '%p %s %T@\n'], { cwd: template.path }).toString()
    const before = state()
    await applyDiff({ template: template.path, base: template.base, diff: Buffer.from(DIFF) })
    expect(state()).toBe(before)
  })
})
