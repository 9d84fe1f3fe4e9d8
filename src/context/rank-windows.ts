import { inverseFrequency } from './bm25.ts'
import { documentFrequency } from './postings.ts'
import type { Query } from './query.ts'
import type { TreeIndex } from './tree-index.ts'
import type { RankWeights } from './weights.ts'
import { type LineRange, lineStarts } from './windows.ts'

export interface ScoredWindow extends LineRange {
  readonly score: number
}

/** Query weight × idf by term, for a quick look while windows are counted. */
function termWeights(index: TreeIndex, query: Query): Map<number, number> {
  const { content } = index
  return new Map(
    [...query.terms].flatMap(([term, weight]) => {
      const frequency = documentFrequency(content, term)
      return frequency === 0 ? [] : [[term, weight * inverseFrequency(content.documents, frequency)] as const]
    }),
  )
}

/** Scores windows of files by BM25 with the tree's own frequencies: a window of sixty lines is as a short file. */
export interface WindowScorer {
  score(bytes: Buffer, ranges: readonly LineRange[]): ScoredWindow[]
}

export function createWindowScorer(
  index: TreeIndex,
  query: Query,
  { k1, b, lines }: RankWeights['window'],
): WindowScorer {
  const weights = termWeights(index, query)
  return {
    score(bytes, ranges) {
      const starts = lineStarts(bytes)
      return ranges.map((range) => {
        const from = starts[range.start - 1] as number
        const to = starts[range.end] as number
        const vector = index.counter.count(bytes, from, to)
        const norm = k1 * (1 - b + (b * vector.length) / (lines * TERMS_A_LINE))
        let score = 0
        for (const [term, weight] of weights) {
          const place = find(vector.terms, term)
          if (place < 0) continue
          const count = vector.counts[place] as number
          score += (weight * count) / (count + norm)
        }
        return { ...range, score }
      })
    },
  }
}

/** Terms of a line of code on average: a fixed number, so that a window's score does not depend on the others. */
const TERMS_A_LINE = 5

/** Place of a term among ascending ones, or −1. */
function find(terms: Uint32Array, term: number): number {
  let low = 0
  let high = terms.length - 1
  while (low <= high) {
    const middle = (low + high) >> 1
    const here = terms[middle] as number
    if (here === term) return middle
    if (here < term) low = middle + 1
    else high = middle - 1
  }
  return -1
}
