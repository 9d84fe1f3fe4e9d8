import type { BlobCache } from './blob-cache.ts'
import type { Query } from './query.ts'
import { bestFiles, scoreFiles } from './rank-files.ts'
import { createWindowScorer, type ScoredWindow } from './rank-windows.ts'
import type { IndexedFile, TreeIndex } from './tree-index.ts'
import type { RankWeights } from './weights.ts'
import { lineStarts, windowsOf } from './windows.ts'

/** What a file's score is made of. */
export interface ScoreParts {
  readonly content: number
  readonly path: number
  readonly definition: number
  readonly mention: number
  readonly window: number
}

export interface RankedFile {
  readonly file: IndexedFile
  readonly score: number
  readonly parts: ScoreParts
  /** In the order of their lines; empty for files whose windows were not looked at. */
  readonly windows: readonly ScoredWindow[]
  /** Lines that the text names. */
  readonly lines: readonly number[]
}

/** Files of a ranking: nothing needs more. */
const MOST_RANKED = 200

/**
 * Ranks one lane: all its files by content, path, definitions and mentions, then the best again by their best window.
 * The same index, query and weights give the same order; equal scores stand in path order.
 */
export async function rankLane(
  index: TreeIndex,
  query: Query,
  weights: RankWeights,
  lane: IndexedFile['lane'],
  blobs: BlobCache,
): Promise<readonly RankedFile[]> {
  const scores = scoreFiles(index, query, weights)
  const best = bestFiles(index.files, scores.total, lane, Math.max(MOST_RANKED, weights.window.files))
  const looked = weights.window.weight > 0 ? best.slice(0, weights.window.files) : []
  const bytes = await blobs.get(looked.map((number) => (index.files[number] as IndexedFile).blob))
  const scorer = createWindowScorer(index, query, weights.window)
  const ranked = best.map((number, place): RankedFile & { number: number } => {
    const text = bytes[place]
    const windows = text
      ? scorer.score(text, windowsOf(lineStarts(text).length - 1, weights.window.lines, weights.window.step))
      : []
    const bestWindow = windows.reduce((most, { score }) => Math.max(most, score), 0)
    const parts = {
      content: scores.content[number] as number,
      path: scores.path[number] as number,
      definition: scores.definition[number] as number,
      mention: scores.mention[number] as number,
      window: weights.window.weight * bestWindow,
    }
    return {
      number,
      file: index.files[number] as IndexedFile,
      score: (scores.total[number] as number) + parts.window,
      parts,
      windows,
      lines: scores.mentioned.get(number)?.lines ?? [],
    }
  })
  return ranked
    .sort((a, b) => b.score - a.score || a.number - b.number)
    .map(({ number: _number, ...file }) => file)
}
