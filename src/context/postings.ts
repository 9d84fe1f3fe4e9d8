import type { ForwardVectors, VectorPlace } from './forward-vectors.ts'

/** The highest bit of a count: the document defines the term. */
const DEFINED = 0x8000

/** Set in `counts` where the document defines the term; the rest is the count. */
export const COUNT_MASK = 0x7fff

/** Documents by term, in two arrays; made anew for every tree, which is cheap. */
export interface Postings {
  readonly documents: number
  /** Terms, repeated ones too, of each document. */
  readonly lengths: Float64Array
  readonly meanLength: number
  /** Where a term's postings begin; one more entry than there are terms. */
  readonly starts: Uint32Array
  readonly document: Uint32Array
  readonly counts: Uint16Array
  /** How many terms each document defines. */
  readonly definitions: Uint32Array
}

/**
 * Turns documents → terms into terms → documents by counting sort: one pass to unpack and count, one to place. A skipped
 * document stays, empty, so that documents keep their numbers.
 */
export function buildPostings(vectors: ForwardVectors, places: readonly VectorPlace[]): Postings {
  const total = places.reduce((sum, place) => sum + place.distinct, 0)
  const starts = new Uint32Array(vectors.terms.size + 1)
  const terms = new Uint32Array(total)
  const termCounts = new Uint16Array(total)
  const definitions = new Uint32Array(places.length)
  const lengths = new Float64Array(places.length)
  const { data } = vectors
  let filled = 0
  places.forEach((place, document) => {
    lengths[document] = place.length
    const end = place.offset + place.size
    let term = -1
    for (let at = place.offset; at < end; ) {
      let head = data[at++] as number
      if (head > 0x7f) {
        head &= 0x7f
        for (let shift = 7; ; shift += 7) {
          const byte = data[at++] as number
          head |= (byte & 0x7f) << shift
          if (byte < 0x80) break
        }
      }
      let count = 1
      if ((head & 1) === 1) {
        count = data[at++] as number
        if (count > 0x7f) {
          count &= 0x7f
          for (let shift = 7; ; shift += 7) {
            const byte = data[at++] as number
            count |= (byte & 0x7f) << shift
            if (byte < 0x80) break
          }
        }
        count += 2
      }
      term += (head >>> 2) + 1
      terms[filled] = term
      if ((head & 2) === 2) {
        count |= DEFINED
        definitions[document] = (definitions[document] as number) + 1
      }
      termCounts[filled++] = count
      starts[term + 1] = (starts[term + 1] as number) + 1
    }
  })
  for (let term = 0; term + 1 < starts.length; term++)
    starts[term + 1] = (starts[term + 1] as number) + (starts[term] as number)
  const next = starts.slice()
  const document = new Uint32Array(total)
  const counts = new Uint16Array(total)
  let from = 0
  places.forEach((place, number) => {
    const to = from + place.distinct
    for (; from < to; from++) {
      const term = terms[from] as number
      const at = next[term] as number
      next[term] = at + 1
      document[at] = number
      counts[at] = termCounts[from] as number
    }
  })
  const indexed = places.reduce((sum, place) => sum + (place.skipped === undefined ? 1 : 0), 0)
  const length = lengths.reduce((sum, one) => sum + one, 0)
  return {
    documents: places.length,
    lengths,
    meanLength: indexed === 0 ? 0 : length / indexed,
    starts,
    document,
    counts,
    definitions,
  }
}

export const documentFrequency = (postings: Postings, term: number): number =>
  term + 1 < postings.starts.length
    ? (postings.starts[term + 1] as number) - (postings.starts[term] as number)
    : 0
