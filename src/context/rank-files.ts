import { addBm25, inverseFrequency } from './bm25.ts'
import { type MentionedFile, resolveMentions } from './mentions.ts'
import { COUNT_MASK, type Postings } from './postings.ts'
import type { Query } from './query.ts'
import type { IndexedFile, TreeIndex } from './tree-index.ts'
import type { RankWeights } from './weights.ts'

/** Each file's score, part by part, by its number. */
export interface FileScores {
  readonly content: Float64Array
  readonly path: Float64Array
  readonly definition: Float64Array
  readonly mention: Float64Array
  readonly total: Float64Array
  readonly mentioned: ReadonlyMap<number, MentionedFile>
}

/** BM25 over the names that files define: each counts once in its file. */
function addDefinitions(
  postings: Postings,
  query: Query,
  scores: Float64Array,
  { weight, k1, b }: RankWeights['definition'],
): void {
  const { starts, document, counts, definitions } = postings
  const mean = definitions.reduce((sum, one) => sum + one, 0) / Math.max(1, postings.documents)
  for (const [term, termWeight] of query.terms) {
    if (term + 1 >= starts.length) continue
    const from = starts[term] as number
    const end = starts[term + 1] as number
    let defining = 0
    for (let at = from; at < end; at++) if ((counts[at] as number) > COUNT_MASK) defining++
    if (defining === 0) continue
    const idf = inverseFrequency(postings.documents, defining) * termWeight * weight
    for (let at = from; at < end; at++) {
      if ((counts[at] as number) <= COUNT_MASK) continue
      const number = document[at] as number
      const norm = k1 * (1 - b + (b * (definitions[number] as number)) / mean)
      scores[number] = (scores[number] as number) + idf / (1 + norm)
    }
  }
}

/** Scores every file against a query; which lane a file is in does not matter here. */
export function scoreFiles(index: TreeIndex, query: Query, weights: RankWeights): FileScores {
  const count = index.files.length
  const content = new Float64Array(count)
  const path = new Float64Array(count)
  const definition = new Float64Array(count)
  const mention = new Float64Array(count)
  addBm25(index.content, query.terms, content, weights.content)
  if (weights.path.weight > 0) addBm25(index.paths, query.terms, path, weights.path, weights.path.weight)
  if (weights.definition.weight > 0) addDefinitions(index.content, query, definition, weights.definition)
  const mentioned =
    weights.mention > 0 ? resolveMentions(index.files, query.mentions) : new Map<number, MentionedFile>()
  const best = content.reduce((most, score) => Math.max(most, score), 0)
  for (const [number, { weight }] of mentioned) mention[number] = best * weights.mention * weight
  const total = new Float64Array(count)
  for (let number = 0; number < count; number++)
    total[number] =
      (content[number] as number) +
      (path[number] as number) +
      (definition[number] as number) +
      (mention[number] as number)
  return { content, path, definition, mention, total, mentioned }
}

/**
 * Numbers of the `most` best files of one lane, best first; files with no score are in none. Equal scores stand in path order,
 * which is the order of the numbers.
 */
export function bestFiles(
  files: readonly IndexedFile[],
  scores: Float64Array,
  lane: IndexedFile['lane'],
  most: number,
): number[] {
  const found: number[] = []
  const better = (a: number, b: number): number => (scores[b] as number) - (scores[a] as number) || a - b
  let least = 0
  for (let number = 0; number < files.length; number++) {
    const score = scores[number] as number
    if (score <= least || (files[number] as IndexedFile).lane !== lane) continue
    found.push(number)
    if (found.length < most * 4 + 64) continue
    found.sort(better)
    found.length = most
    // Later numbers with an equal score come behind.
    least = scores[found[most - 1] as number] as number
  }
  return found.sort(better).slice(0, most)
}
