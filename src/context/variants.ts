import type { ContextVariant } from '../schema/context.ts'
import { OURS, PLAIN_FILES, type RankWeights } from './weights.ts'

/** How a ranking becomes units of a pack. */
export interface VariantPlan {
  readonly weights: RankWeights
  /** `files`: whole files. `chunks`: chunks by their own score. `deep`: the best chunk of several files first, then deeper. */
  readonly units: 'files' | 'chunks' | 'deep'
  /** Files that units are made of. */
  readonly files: number
  /** Units of one part of a pack at most. */
  readonly mostUnits: number
  /** `must`: the variant is about it, and falls back openly. `may`: where a served model is configured. */
  readonly rerank: 'never' | 'may' | 'must'
  /** Whether files that are not shown are listed. */
  readonly map: boolean
  /** Whether files without a score come last, as far as there is room. */
  readonly fill: boolean
}

/** The variants that rank; `none` and `whole-files` need no index. */
export const VARIANTS: Readonly<Record<Exclude<ContextVariant, 'none' | 'whole-files'>, VariantPlan>> = {
  'bm25-files': {
    weights: PLAIN_FILES,
    units: 'files',
    files: 5,
    mostUnits: 5,
    rerank: 'never',
    map: false,
    fill: false,
  },
  chunks: {
    weights: PLAIN_FILES,
    units: 'chunks',
    files: 20,
    mostUnits: 16,
    rerank: 'never',
    map: false,
    fill: false,
  },
  'chunks+rerank': {
    weights: PLAIN_FILES,
    units: 'chunks',
    files: 20,
    mostUnits: 16,
    rerank: 'must',
    map: false,
    fill: false,
  },
  ours: { weights: OURS, units: 'deep', files: 40, mostUnits: 1000, rerank: 'may', map: true, fill: true },
}
