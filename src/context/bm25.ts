import { COUNT_MASK, documentFrequency, type Postings } from './postings.ts'

export interface Bm25Options {
  /** How soon more of the same stops to count. */
  readonly k1: number
  /** 0: a document's length does not matter; 1: wholly. */
  readonly b: number
}

/** Lucene's form: never negative. `documents`: all of them; `frequency`: those that hold the term. */
export const inverseFrequency = (documents: number, frequency: number): number =>
  Math.log(1 + (documents - frequency + 0.5) / (frequency + 0.5))

/**
 * Adds each document's BM25 score to `scores`, in Lucene's form (bm25s' default): idf × count / (count + k1 (1 − b + b length /
 * mean)). `query`: weight by term, in an order that is kept, so that sums round alike everywhere. `factor` multiplies all.
 */
export function addBm25(
  postings: Postings,
  query: ReadonlyMap<number, number>,
  scores: Float64Array,
  { k1, b }: Bm25Options,
  factor = 1,
): void {
  const { starts, document, counts, lengths, meanLength } = postings
  for (const [term, weight] of query) {
    const frequency = documentFrequency(postings, term)
    if (frequency === 0) continue
    const idf = inverseFrequency(postings.documents, frequency) * weight * factor
    const end = starts[term + 1] as number
    for (let at = starts[term] as number; at < end; at++) {
      const number = document[at] as number
      const count = (counts[at] as number) & COUNT_MASK
      const norm = k1 * (1 - b + (b * (lengths[number] as number)) / meanLength)
      scores[number] = (scores[number] as number) + (idf * count) / (count + norm)
    }
  }
}
