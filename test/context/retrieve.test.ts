import { createHash } from 'node:crypto'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { loadTokenizer } from '../../src/context/count-tokens.ts'
import { explainPath } from '../../src/context/explain.ts'
import { openFolderCorpus } from '../../src/context/folder-corpus.ts'
import type { TreeIndex } from '../../src/context/tree-index.ts'
import { ContextManifest } from '../../src/schema/context.ts'
import { temporaryFolder, writeTree } from '../helpers/repository.ts'
import { indexIn, laneOf, retrieveFrom } from './open-index.ts'

const place = temporaryFolder('arena-context-retrieve')
afterAll(() => place[Symbol.dispose]())

/** A file of functions, each of a few lines, named by their number. */
const functions = (name: string, count: number, body: (number: number) => string): string =>
  Array.from(
    { length: count },
    (_, at) => `def ${name}${at}(value):\n${body(at)}    return value\n\n\n`,
  ).join('')

let index: TreeIndex
beforeAll(async () => {
  writeTree(join(place.path, 'repo'), {
    'pkg/ring_buffer.py': functions('rotate_', 120, (at) => (at === 40 ? '    overflow_guard(value)\n' : '')),
    'pkg/guards.py': 'def overflow_guard(value):\n    raise OverflowError(value)\n',
    'pkg/colours.py': functions('colour_x', 80, () => '    paint(value)\n'),
    'tests/test_ring_buffer.py': 'def test_rotate():\n    overflow_guard(rotate_1(1))\n',
    'vendor/ring_buffer.py': 'def overflow_guard(): pass\n',
    'README.md': 'overflow_guard\n',
  })
  index = await indexIn(place.path, await openFolderCorpus(join(place.path, 'repo'), 1_000_000))
})

const ISSUE = 'Rotating a ring buffer calls overflow_guard\n\n`rotate_40` raises OverflowError.\n'

describe('a pack', () => {
  it('holds the lines that matter under their file, and its manifest tells which', async () => {
    const { text, manifest } = await retrieveFrom(index, ISSUE, { budgetTokens: 400 })
    expect(text).toMatch(/### pkg\/ring_buffer\.py\n\[lines \d+–\d+ of 481\]\n/)
    expect(text).toContain('def rotate_40(value):\n    overflow_guard(value)\n')
    expect(text).toContain('### pkg/guards.py\ndef overflow_guard(value):\n')
    expect(ContextManifest.parse(manifest)).toEqual(manifest)
    expect(manifest.packSha256).toBe(createHash('sha256').update(text).digest('hex'))
    expect(manifest.items.map(({ path }) => path)).toEqual(
      expect.arrayContaining(['pkg/ring_buffer.py', 'pkg/guards.py']),
    )
  })
  it('shows a submitter no test, and a reviewer both', async () => {
    const paths = async (lane: 'submitter' | 'reviewer'): Promise<string[]> =>
      (await retrieveFrom(index, ISSUE, { lane })).manifest.items.map((item) => `${item.part} ${item.path}`)
    const submitter = await paths('submitter')
    expect(submitter.filter((item) => item.startsWith('test'))).toEqual([])
    const reviewer = await paths('reviewer')
    expect(reviewer).toContain('test tests/test_ring_buffer.py')
    expect(reviewer).toContain('source pkg/ring_buffer.py')
  })
  it('never takes more tokens than its budget, in any variant, lane and tokenizer', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 5000 }),
        fc.constantFrom('submitter' as const, 'reviewer' as const),
        fc.constantFrom('bm25-files' as const, 'chunks' as const, 'chunks+rerank' as const, 'ours' as const),
        fc.constantFrom('bytes' as const, 'o200k_base' as const),
        async (budgetTokens, lane, variant, tokenizer) => {
          const countTokens = await loadTokenizer(tokenizer)
          const request = { budgetTokens, lane, variant, tokenizer, countTokens }
          const { text, manifest } = await retrieveFrom(index, ISSUE, request)
          expect(countTokens(text)).toBeLessThanOrEqual(budgetTokens)
          expect(manifest.tokens).toBe(countTokens(text))
        },
      ),
      { numRuns: 60, seed: 1 },
    )
  })
  it('has the bytes that the files have, in runs that do not overlap', async () => {
    const { text, manifest } = await retrieveFrom(index, `${ISSUE}paint`, { budgetTokens: 3000 })
    const last = new Map<string, number>()
    for (const { path, startLine, endLine } of manifest.items) {
      expect(startLine).toBeGreaterThan(last.get(path) ?? 0)
      expect(endLine).toBeGreaterThanOrEqual(startLine)
      last.set(path, endLine)
    }
    expect(text).toContain('def colour_x')
  })
})

describe('the variants', () => {
  it('differ in what they show: five whole files, or chunks', async () => {
    const files = await retrieveFrom(index, ISSUE, { variant: 'bm25-files', budgetTokens: 20_000 })
    expect(files.manifest.items.every(({ startLine }) => startLine === 1)).toBe(true)
    const chunks = await retrieveFrom(index, ISSUE, { variant: 'chunks', budgetTokens: 1500 })
    expect(chunks.manifest.items.length).toBeLessThanOrEqual(16)
    expect(files.manifest.packSha256).not.toBe(chunks.manifest.packSha256)
  })
  it('a reranker changes the order, and its name is kept', async () => {
    const reranker = {
      model: 'last-first',
      reranker: {
        rerank: async (_query: string, documents: readonly string[]) => ({
          kind: 'ranked' as const,
          scores: documents.map((text) => (text.includes('colour_x70') ? 1000 : 0)),
        }),
      },
    }
    const request = { variant: 'chunks+rerank' as const, budgetTokens: 500 }
    const plain = await retrieveFrom(index, 'rotate value colour paint', request)
    const { text, manifest } = await retrieveFrom(index, 'rotate value colour paint', {
      ...request,
      reranker,
    })
    expect(manifest.rerank).toMatchObject({ kind: 'done', model: 'last-first' })
    expect(text).toContain('colour_x70')
    expect(plain.text).not.toContain('colour_x70')
    expect(plain.manifest.rerank).toMatchObject({ kind: 'fell-back', reason: 'no reranker is configured' })
  })
  it('a reranker that fails leaves the lexical order, and the manifest says so', async () => {
    const failing = {
      model: 'broken',
      reranker: { rerank: async () => ({ kind: 'failed' as const, reason: 'time-out: 30 s' }) },
    }
    const plain = await retrieveFrom(index, ISSUE)
    const { text, manifest } = await retrieveFrom(index, ISSUE, { reranker: failing })
    expect(text).toBe(plain.text)
    expect(manifest.rerank).toEqual({ kind: 'fell-back', model: 'broken', reason: 'time-out: 30 s' })
  })
})

describe('why a file is in the pack or not', () => {
  it.each([
    ['pkg/ring_buffer.py', 'shown', /lines \d+–\d+/],
    ['pkg/none.py', 'absent', /the folder holds no such file/],
    ['README.md', 'not-code', /no ending of a language/],
    ['vendor/ring_buffer.py', 'not-code', /other projects wrote it/],
    ['tests/test_ring_buffer.py', 'other-lane', /only reviewers/],
    ['pkg/colours.py', 'unscored', /no word of the issue/],
  ])('%s: %s', async (path, state, reason) => {
    const retrieved = await retrieveFrom(index, 'OverflowError of rotate_40', { budgetTokens: 300 })
    expect(explainPath(path, index, laneOf, retrieved)).toMatchObject({
      path,
      state,
      reason: expect.stringMatching(reason),
    })
  })
})
