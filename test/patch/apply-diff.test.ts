import { describe, expect, it } from 'vitest'
import { applyDiff, applyDiffs } from '../../src/patch/apply-diff.ts'
import type { PatchResult } from '../../src/patch/result.ts'
import { templateOf } from './template.ts'

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
    expect(filesOf(await apply({ 'a.txt': TEXT }, `${DIFF}\n\n\n`))).toEqual({ 'a.txt': CHANGED })
  })
  it.each(['', ' \n\t\n  '])('is empty when it is nothing but blanks (%j)', async (diff) => {
    expect((await apply({ 'a.txt': TEXT }, diff)).kind).toBe('empty')
  })
})
