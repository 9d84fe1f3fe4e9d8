import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { outlineOf, outlines } from '../../languages/outlines.ts'
import { addBm25 } from '../../src/context/bm25.ts'
import { splitWord } from '../../src/context/byte-classes.ts'
import { ByteTable } from '../../src/context/byte-table.ts'
import { ForwardVectors, type VectorPlace } from '../../src/context/forward-vectors.ts'
import { buildPostings } from '../../src/context/postings.ts'
import { findMentions } from '../../src/context/query.ts'
import { TermCounter } from '../../src/context/term-counter.ts'

function split(word: string): string[] {
  const bytes = Buffer.from(word)
  const parts: string[] = []
  splitWord(bytes, 0, bytes.length, (from, to) => parts.push(bytes.toString('utf8', from, to)))
  return parts
}

describe('a word is split into its terms', () => {
  it.each([
    ['parse', ['parse']],
    ['parseHttpURL', ['parse', 'Http', 'URL', 'parseHttpURL']],
    ['HTTPServer', ['HTTP', 'Server', 'HTTPServer']],
    ['max_open_files', ['max', 'open', 'files', 'max_open_files']],
    ['_private', ['private', '_private']],
    ['utf8Decode', ['utf8', 'Decode', 'utf8Decode']],
    ['x', []],
    ['aB', ['aB']],
    ['20240101', []],
    ['8080', ['8080']],
    ['größe', ['größe']],
    ['__', ['__']],
    ['a'.repeat(81), []],
  ])('%s', (word, parts) => expect(split(word)).toEqual(parts))
})

function termsOf(
  path: string,
  text: string,
): { counts: Record<string, number>; defined: string[]; length: number } {
  const table = new ByteTable(true)
  const counter = new TermCounter(table, outlines)
  const bytes = Buffer.from(text)
  const vector = counter.count(bytes, 0, bytes.length, outlineOf(path))
  const names = [...vector.terms].map((term) => table.text(term))
  return {
    counts: Object.fromEntries(names.map((name, place) => [name, vector.counts[place] ?? 0])),
    defined: names.filter((_, place) => vector.defined[place] === 1).sort(),
    length: vector.length,
  }
}

describe('a text is counted', () => {
  it('by whole words and parts, whatever the case, broken at dots', () => {
    const { counts, length } = termsOf('a.py', 'os.openFile(OpenFile, open)\n')
    expect(counts).toEqual({ os: 1, open: 3, file: 2, openfile: 2 })
    expect(length).toBe(8)
  })
  it.each([
    ['a.py', 'class Lock:\n    async def acquire(self):\n        return self.queue\n', ['acquire', 'lock']],
    ['a.go', 'type Node struct{}\nfunc (node *Node) Close() error { return stop() }\n', ['close', 'node']],
    ['a.rs', 'pub(crate) unsafe fn push(x: u8) {}\nimpl Display for Span {}\n', ['display', 'push']],
    ['a.cc', 'Status Table::Open(int x) {\n  Call(x);\n}\n#define LIMIT 3\n', ['limit', 'open']],
    ['a.md', 'class of problems\n', []],
    ['a.go', '// func is a word\nvar limit = 3\n', ['limit']],
  ])('and sees what %s defines: %s', (path, text, defined) => {
    expect(termsOf(path, text).defined).toEqual(defined)
  })
  it('the same after thousands of other words have come', () => {
    const table = new ByteTable(true)
    const counter = new TermCounter(table, outlines)
    const many = Buffer.from(Array.from({ length: 40_000 }, (_, at) => `word${at}Part${at % 97}`).join(' '))
    counter.count(many, 0, many.length)
    const bytes = Buffer.from('openFile openFile word7Part7')
    const vector = counter.count(bytes, 0, bytes.length)
    const counts = Object.fromEntries(
      [...vector.terms].map((term, at) => [table.text(term), vector.counts[at]]),
    )
    expect(counts).toEqual({ open: 2, file: 2, openfile: 2, word7: 1, part7: 1, word7part7: 1 })
  })
})

interface Oracle {
  readonly documents: readonly (readonly string[])[]
  readonly queries: readonly (readonly string[])[]
  readonly results: readonly { k1: number; b: number; scores: readonly (readonly number[])[] }[]
}

describe('BM25', () => {
  const file = new URL('fixtures/bm25s.json', import.meta.url)
  const oracle = JSON.parse(readFileSync(file, 'utf8')) as Oracle
  const vectors = new ForwardVectors()
  const counter = new TermCounter(vectors.terms, outlines)
  oracle.documents.forEach((words, number) => {
    const bytes = Buffer.from(words.join(' '))
    vectors.add(String(number), counter.count(bytes, 0, bytes.length))
  })
  const postings = buildPostings(
    vectors,
    oracle.documents.map((_, number) => vectors.find(String(number)) as VectorPlace),
  )

  it.each(oracle.results)('gives the scores of bm25s with k1 $k1 and b $b', ({ k1, b, scores }) => {
    oracle.queries.forEach((words, at) => {
      const query = new Map(
        words.map((word) => [vectors.terms.find(Buffer.from(word), 0, word.length), 1] as const),
      )
      const own = new Float64Array(oracle.documents.length)
      addBm25(postings, query, own, { k1, b })
      const apart = (scores[at] ?? []).map((score, number) => Math.abs(score - (own[number] ?? 0)))
      const most = Math.max(...apart)
      expect(most).toBeLessThan(1e-4)
      expect(Math.max(...own)).toBeGreaterThan(0)
    })
  })
})

describe('places that a text names', () => {
  it.each([
    [
      'File "/usr/lib/python3/sympy/core/expr.py", line 42, in eval',
      'usr/lib/python3/sympy/core/expr.py',
      42,
    ],
    ['panicked at src/cargo/ops/resolve.rs:17:5', 'src/cargo/ops/resolve.rs', 17],
    ['\tgithub.com/x/tsdb/head.go:1234 +0x1', 'github.com/x/tsdb/head.go', 1234],
    ['see `db\\db_impl.cc`', 'db/db_impl.cc', undefined],
    ['in ../include/rocksdb/db.h#L88', 'include/rocksdb/db.h', 88],
  ])('%s', (text, path, line) => {
    expect(findMentions(text)).toContainEqual({ path, line })
  })
})
