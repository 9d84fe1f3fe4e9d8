import type { QueryOptions } from './query.ts'

/** Everything that ranking is steered by; a digest of it stands in every manifest. */
export interface RankWeights {
  readonly query: QueryOptions
  readonly content: { readonly k1: number; readonly b: number }
  /** `weight` 0: not looked at. */
  readonly path: { readonly weight: number; readonly k1: number; readonly b: number }
  readonly definition: { readonly weight: number; readonly k1: number; readonly b: number }
  /** Part of the best content score that a file named in the text gets on top. */
  readonly mention: number
  readonly window: {
    readonly weight: number
    /** Files whose windows are looked at. */
    readonly files: number
    readonly lines: number
    readonly step: number
    readonly k1: number
    readonly b: number
  }
}

/** Found on the tuning halves of bench/retrieval's fixes; the other halves are what is reported. */
export const OURS: RankWeights = {
  query: { split: true, stop: true, mostCounted: 8, codeWeight: 1.5, titleWeight: 1.5 },
  content: { k1: 1.2, b: 0.75 },
  path: { weight: 0.6, k1: 1.2, b: 0.5 },
  definition: { weight: 0.8, k1: 1.2, b: 0.5 },
  mention: 0.8,
  window: { weight: 1.2, files: 64, lines: 60, step: 60, k1: 1.2, b: 0.75 },
}

/** As the original ranks: BM25 over whole files in Lucene's settings, identifiers whole. */
export const PLAIN_FILES: RankWeights = {
  query: { split: false, stop: false, mostCounted: 1000, codeWeight: 1, titleWeight: 1 },
  content: { k1: 0.9, b: 0.4 },
  path: { weight: 0, k1: 0.9, b: 0.4 },
  definition: { weight: 0, k1: 0.9, b: 0.4 },
  mention: 0,
  window: { weight: 0, files: 0, lines: 60, step: 60, k1: 0.9, b: 0.4 },
}
