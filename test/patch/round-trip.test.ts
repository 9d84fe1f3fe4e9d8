import fc from 'fast-check'
import { describe, expect, it, vi } from 'vitest'
import { applyDiff } from '../../src/patch/apply-diff.ts'
import { prepareDiffs } from '../../src/patch/prepare-diff.ts'
import { renderDiff } from '../../src/patch/render-diff.ts'
import { toAppliedChanges } from '../../src/schema/applied.ts'
import type { FileChange } from '../../src/schema/tree.ts'
import { fuzzing } from '../helpers/fuzz.ts'
import { arbitraryText as text } from './arbitrary-diffs.ts'
import { diffFrom, templateOf, viewOf } from './template.ts'

const { numRuns, seed: SEED, timeoutMs } = fuzzing(12, 0.05)

/** Milliseconds: each run starts a dozen processes of git. */
vi.setConfig({ testTimeout: 2 * timeoutMs })

const bytes = fc.uint8Array({ maxLength: 50 }).map((array) => Buffer.from(array))
const paths = ['a.txt', 'sub/b.txt', 'sub/c d.txt', 'é.txt', 'run.sh'] as const
const tree = fc.dictionary(
  fc.constantFrom(...paths),
  fc.oneof({ weight: 5, arbitrary: text }, { weight: 1, arbitrary: bytes }),
)

const contents = (files: Readonly<Record<string, string | Buffer>>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(files).map(([path, content]) => [path, Buffer.from(content).toString('latin1')]),
  )

function treeAfter(
  before: Readonly<Record<string, string | Buffer>>,
  changes: readonly FileChange[],
): Record<string, string> {
  const files = contents(before)
  for (const change of changes) {
    if (change.change === 'delete') delete files[change.path]
    else files[change.path] = Buffer.from(change.contentBase64, 'base64').toString('latin1')
  }
  return files
}

describe('every diff that git makes between two trees', () => {
  it.each(['-U3', '-U1', '--find-renames=20%'])('applies to exactly the second one (%s)', async (option) => {
    await fc.assert(
      fc.asyncProperty(tree, tree, async (before, after) => {
        using template = templateOf(before)
        const diff = diffFrom(template, after, option)
        const result = await applyDiff({ template: template.path, base: template.base, diff })
        if (diff.length === 0) {
          expect(result.kind).toBe('empty')
          return
        }
        if (result.kind !== 'applied') throw new Error(`${result.kind}: ${result.detail}\n${diff}`)
        expect(treeAfter(before, result.changes.changes)).toEqual(contents(after))
        expect(result.notes).toEqual([])
      }),
      { numRuns, seed: SEED },
    )
  })
})

describe('a rendered diff', () => {
  it('says what the changes do: applied again, it gives them', async () => {
    const files = fc.dictionary(fc.constantFrom(...paths), text)
    await fc.assert(
      fc.asyncProperty(files, files, async (before, after) => {
        const changed = Object.entries(after).filter(([path, content]) => before[path] !== content)
        const gone = Object.keys(before).filter((path) => !(path in after))
        const changes = toAppliedChanges([
          ...changed.map(
            ([path, content]): FileChange => ({
              change: 'write',
              path,
              mode: '100644',
              contentBase64: Buffer.from(content).toString('base64'),
            }),
          ),
          ...gone.map((path): FileChange => ({ change: 'delete', path })),
        ])
        const diff = renderDiff(viewOf(before), changes)
        expect(renderDiff(viewOf(before), changes)).toBe(diff)
        using template = templateOf(before)
        const result = await applyDiff({
          template: template.path,
          base: template.base,
          diff: Buffer.from(diff),
        })
        if (changes.changes.length === 0) {
          expect(result.kind).toBe('empty')
          return
        }
        if (result.kind !== 'applied') throw new Error(`${result.kind}: ${result.detail}\n${diff}`)
        expect(result.changes).toEqual(changes)
      }),
      { numRuns: 20, seed: SEED },
    )
  })
})

describe('whatever a diff holds', () => {
  const fragment = fc.constantFrom(
    'diff --git a/a.txt b/a.txt\n',
    'diff --git "a/\\303\\251" b/x\n',
    '--- a/a.txt\n',
    '+++ b/a.txt\n',
    '--- /dev/null\n',
    '+++ /dev/null\n',
    '@@ -1,2 +1,2 @@\n',
    '@@ -0,0 +1 @@\n',
    '@@ -99999999999999999999 +1 @@\n',
    '@@\n',
    ' a\n',
    '+b\n',
    '-a\n',
    '\n',
    '\r\n',
    '\\ No newline at end of file\n',
    'new file mode 100644\n',
    'new file mode 0\n',
    'old mode 100644\nnew mode 100755\n',
    'rename from a.txt\nrename to ../x\n',
    'copy from a.txt\ncopy to c\n',
    'deleted file mode 100644\n',
    'GIT binary patch\nliteral 3\nKcmZ\n\n',
    'Binary files a/a.txt and b/a.txt differ\n',
    'index 0000000..1111111\n',
    '```\n',
    'prose\n',
    '\0\xff\n',
  )
  const base = viewOf({ 'a.txt': 'a\nb\na\n', 'a/a.txt': 'a\n' })
  const listing = new Map(base.list().map((path) => [path, { mode: '100644', blob: '' }]))

  it('reading it never fails', () => {
    fc.assert(
      fc.property(
        fc.array(
          fc.oneof(
            fragment,
            fc.string().map((line) => `${line}\n`),
          ),
          { maxLength: 25 },
        ),
        (parts) => {
          const prepared = prepareDiffs([Buffer.from(parts.join(''), 'latin1')], base, listing)
          expect(['prepared', 'malformed', 'does-not-apply']).toContain(prepared.kind)
        },
      ),
      { numRuns: 2000, seed: SEED },
    )
  })
  it('applying it gives one of the stated results', async () => {
    using template = templateOf({ 'a.txt': 'a\nb\na\n', 'a/a.txt': 'a\n' })
    await fc.assert(
      fc.asyncProperty(fc.array(fragment, { minLength: 2, maxLength: 12 }), async (parts) => {
        const diff = Buffer.from(`--- a/a.txt\n+++ b/a.txt\n@@ -1,2 +1,2 @@\n${parts.join('')}`, 'latin1')
        const result = await applyDiff({ template: template.path, base: template.base, diff })
        expect(['applied', 'empty', 'malformed', 'does-not-apply']).toContain(result.kind)
      }),
      { numRuns: 30, seed: SEED },
    )
  })
})
