import { digestOf, digestOfValue } from '../schema/canonical.ts'
import type {
  ContextItem,
  ContextLane,
  ContextManifest,
  ContextVariant,
  Tokenizer,
} from '../schema/context.ts'
import type { BlobCache } from './blob-cache.ts'
import type { CountTokens } from './count-tokens.ts'
import { type CutFile, makeUnits } from './make-units.ts'
import { type Pack, packUnits } from './pack.ts'
import { parseQuery } from './query.ts'
import { type RankedFile, rankLane } from './rank.ts'
import { type NamedReranker, rerankUnits } from './rerank-units.ts'
import { type IndexedFile, indexVersion, type TreeIndex } from './tree-index.ts'
import { VARIANTS, type VariantPlan } from './variants.ts'

export interface RetrieveRequest {
  readonly index: TreeIndex
  readonly blobs: BlobCache
  /** The issue's text. */
  readonly issue: string
  readonly lane: ContextLane
  readonly variant: Exclude<ContextVariant, 'none' | 'whole-files'>
  readonly budgetTokens: number
  readonly tokenizer: Tokenizer
  readonly countTokens: CountTokens
  readonly cut: CutFile
  readonly reranker?: NamedReranker | undefined
  /** The name of the tree in the manifest; the corpus' own unless given. */
  readonly base?: ContextManifest['base'] | undefined
  readonly signal?: AbortSignal | undefined
}

/** What a model would see, and why. */
export interface Retrieved {
  readonly text: string
  readonly manifest: ContextManifest
  /** Sources, then for a reviewer tests; each best first. */
  readonly ranking: readonly (RankedFile & { readonly part: ContextItem['part'] })[]
}

interface Part {
  readonly part: ContextItem['part']
  readonly heading: string
  /** Of the budget. */
  readonly share: number
}

/** A reviewer writes tests, but of code that it must see. */
const PARTS: Readonly<Record<ContextLane, readonly Part[]>> = {
  submitter: [{ part: 'source', heading: '', share: 1 }],
  reviewer: [
    { part: 'source', heading: '## Sources\n\n', share: 0.5 },
    { part: 'test', heading: '## Existing tests\n\n', share: 0.5 },
  ],
}

/** Before the first file, in every pack that holds parts of files. */
const LEGEND =
  'Parts of files. A line in brackets is not in the file: it tells which lines follow, and in what they stand.\n\n'

/** Of a part's budget, for the list of what is not shown. */
const MAP_SHARE = 0.03
const MOST_MAPPED = 30

/** The best files that are not shown, by name, as long as they fit. */
function mapOf(
  ranked: readonly RankedFile[],
  shown: ReadonlySet<string>,
  budgetTokens: number,
  countTokens: CountTokens,
): string {
  let text = ''
  let named = 0
  for (const { file } of ranked) {
    if (shown.has(file.path)) continue
    const longer = `${text === '' ? '### Not shown, but near\n' : text}${file.path}\n`
    if (named === MOST_MAPPED || countTokens(longer) > budgetTokens) break
    text = longer
    named++
  }
  return text
}

/** The ranking, and after it files that no word of the issue stands in: a small repository is shown whole. */
function withUnscored(
  index: TreeIndex,
  ranked: readonly RankedFile[],
  lane: IndexedFile['lane'],
  most: number,
): readonly RankedFile[] {
  if (ranked.length >= most) return ranked
  const scored = new Set(ranked.map(({ file }) => file))
  const rest = index.files.filter((file) => file.lane === lane && !file.place.skipped && !scored.has(file))
  const parts = { content: 0, path: 0, definition: 0, mention: 0, window: 0 }
  return [
    ...ranked,
    ...rest.slice(0, most - ranked.length).map((file) => ({ file, score: 0, parts, windows: [], lines: [] })),
  ]
}

async function packPart(
  request: RetrieveRequest,
  plan: VariantPlan,
  part: Part,
  budgetTokens: number,
): Promise<{ pack: Pack; ranked: readonly RankedFile[]; rerank: ContextManifest['rerank'] }> {
  const { index, blobs, countTokens } = request
  const query = parseQuery(request.issue, index.vectors.terms, plan.weights.query)
  const ranked = await rankLane(index, query, plan.weights, part.part, blobs)
  const filled = plan.fill ? withUnscored(index, ranked, part.part, plan.files) : ranked
  const units = await makeUnits(index, query, plan, filled, blobs, request.cut)
  const reranked =
    plan.rerank === 'never'
      ? { units, state: { kind: 'none' as const } }
      : await rerankUnits(units, request.issue, request.reranker, plan.rerank === 'must', request.signal)
  const mapTokens = plan.map ? Math.floor(budgetTokens * MAP_SHARE) : 0
  const headingTokens = part.heading === '' ? 0 : countTokens(part.heading)
  const pack = packUnits({
    units: reranked.units,
    budgetTokens: Math.max(0, budgetTokens - mapTokens - headingTokens),
    countTokens,
    mostUnits: plan.mostUnits,
  })
  const map = mapOf(ranked, new Set(pack.items.map(({ path }) => path)), mapTokens, countTokens)
  const body = [pack.text, map].filter((text) => text !== '').join('\n')
  const text = body === '' ? '' : `${part.heading}${body}`
  return { pack: { ...pack, text }, ranked, rerank: reranked.state }
}

/**
 * Chooses what a model sees of a tree within a budget of tokens. The same tree, issue, lane, variant, budget and tokenizer give
 * the same bytes, whatever was indexed before and in however many threads.
 */
export async function retrieve(request: RetrieveRequest): Promise<Retrieved> {
  const { index, lane, variant, tokenizer, budgetTokens, countTokens } = request
  const plan = VARIANTS[variant]
  const texts: string[] = []
  const items: ContextItem[] = []
  const ranking: (RankedFile & { part: ContextItem['part'] })[] = []
  let rerank: ContextManifest['rerank'] = { kind: 'none' }
  const legend = plan.units === 'files' ? '' : LEGEND
  const legendTokens = countTokens(legend)
  let left = Math.max(0, budgetTokens - legendTokens)
  for (const [place, part] of PARTS[lane].entries()) {
    // What one part leaves goes to the next.
    const isLast = place === PARTS[lane].length - 1
    const budget = isLast ? left : Math.floor(left * part.share)
    const packed = await packPart(request, plan, part, budget)
    left -= packed.pack.text === '' ? 0 : countTokens(`${packed.pack.text}\n`)
    if (packed.pack.text !== '') texts.push(packed.pack.text)
    items.push(...packed.pack.items.map((item) => ({ ...item, part: part.part })))
    ranking.push(...packed.ranked.map((file) => ({ ...file, part: part.part })))
    if (rerank.kind !== 'fell-back') rerank = packed.rerank
  }
  const text = texts.length === 0 ? '' : `${legend}${texts.join('\n')}`
  const manifest: ContextManifest = {
    format: 1,
    variant,
    lane,
    base: request.base ?? { kind: index.corpus.kind, id: index.corpus.id },
    indexVersion,
    weights: digestOfValue(plan),
    query: digestOf(request.issue),
    tokenizer,
    budgetTokens,
    tokens: countTokens(text),
    items,
    rerank,
    packSha256: digestOf(text),
  }
  return { text, manifest, ranking }
}
