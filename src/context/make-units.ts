import type { BlobCache } from './blob-cache.ts'
import type { Chunk } from './cut.ts'
import type { Query } from './query.ts'
import type { RankedFile } from './rank.ts'
import { createWindowScorer } from './rank-windows.ts'
import type { IndexedFile, TreeIndex } from './tree-index.ts'
import type { Unit } from './unit.ts'
import type { VariantPlan } from './variants.ts'
import { lineStarts } from './windows.ts'

/** Cuts a file into chunks; they cover it, in order. */
export type CutFile = (file: IndexedFile, bytes: Buffer) => Promise<readonly Chunk[]>

/** Files whose best unit goes in before any file's second. */
const WIDE_FIRST = 3

/** How much of a neighbour's score a chunk gets: a change rarely stops where a function does. */
const NEIGHBOUR = 0.3

/** What a chunk of a good file is worth in which no word of the issue stands. */
const SILENT = 12

/** How steeply chunks are worth less as their file's score falls behind that of the best file. */
const FILE_POWER = 2

/** Part of the best unit's score that a line gives which the text names. */
const NAMED_LINE = 0.5

const byScore = (a: Unit & { order: number }, b: Unit & { order: number }): number =>
  b.score - a.score || a.order - b.order

/** The best unit of each of the first files, then all others. */
function wideFirst(units: readonly Unit[], files: readonly RankedFile[]): Unit[] {
  const first = files.slice(0, WIDE_FIRST).flatMap(({ file }) => {
    const best = units.find((unit) => unit.file === file)
    return best ? [best] : []
  })
  const taken = new Set(first)
  return [...first, ...units.filter((unit) => !taken.has(unit))]
}

/** Whole files, as they rank; a file's lines are not chosen. */
function wholeFiles(ranked: readonly RankedFile[], bytes: readonly Buffer[]): Unit[] {
  return ranked.map(({ file, score }, place) => {
    const text = bytes[place] as Buffer
    return { file, bytes: text, score, scopes: [], start: 1, end: lineStarts(text).length - 1 }
  })
}

/** Units of the best files, in the order in which a pack tries them. */
export async function makeUnits(
  index: TreeIndex,
  query: Query,
  plan: VariantPlan,
  ranked: readonly RankedFile[],
  blobs: BlobCache,
  cut: CutFile,
): Promise<Unit[]> {
  const files = ranked.slice(0, plan.files)
  const bytes = await blobs.get(files.map(({ file }) => file.blob))
  if (plan.units === 'files') return wholeFiles(files, bytes)
  const scorer = createWindowScorer(index, query, plan.weights.window)
  const units: (Unit & { order: number })[] = []
  const bestScore = Math.max(Number.MIN_VALUE, files[0]?.score ?? 0)
  for (const [place, { file, score: fileScore, lines }] of files.entries()) {
    const text = bytes[place] as Buffer
    const chunks = await cut(file, text)
    const scored = scorer.score(text, chunks)
    for (const [at, chunk] of chunks.entries()) {
      const score = scored[at]?.score ?? 0
      const named = lines.some((line) => line >= chunk.start && line <= chunk.end)
      const own = score + (named ? NAMED_LINE * fileScore : 0)
      const beside = Math.max(scored[at - 1]?.score ?? 0, scored[at + 1]?.score ?? 0)
      const total =
        plan.units === 'deep'
          ? (own + NEIGHBOUR * beside + SILENT) * (fileScore / bestScore) ** FILE_POWER
          : own
      units.push({ file, bytes: text, ...chunk, score: total, order: units.length })
    }
  }
  const sorted = units.sort(byScore)
  return plan.units === 'deep' ? wideFirst(sorted, files) : sorted
}
