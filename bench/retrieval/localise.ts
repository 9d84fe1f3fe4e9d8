import { writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { loadTokenizer } from '../../src/context/count-tokens.ts'
import { retrieve } from '../../src/context/retrieve.ts'
import { comparePaired } from '../../src/ratings/paired-bootstrap.ts'
import type { ContextItem } from '../../src/schema/context.ts'
import { type Fix, findFixes, halves } from './fixes.ts'
import { cachedCut, checkClones, indexer, laneOf, mean, nameOf } from './open-clone.ts'

const { values: flags, positionals: clones } = parseArgs({
  allowPositionals: true,
  options: {
    count: { type: 'string', default: '60' },
    seed: { type: 'string', default: '7' },
    half: { type: 'string', default: 'report' },
    json: { type: 'string' },
  },
})
checkClones(clones)

const PLACES = [1, 5, 10, 20]
const BUDGETS = [4000, 8000, 16_000, 32_000]
const VARIANTS = ['bm25-files', 'ours'] as const
const COLUMNS = [...PLACES.map((place) => `r@${place}`), ...BUDGETS.map((budget) => `${budget / 1000}k`)]

interface Row {
  readonly clone: string
  readonly commit: string
  readonly variant: (typeof VARIANTS)[number]
  /** In the order of COLUMNS. */
  readonly values: readonly number[]
}

/** The share of changed hunks whose every line is shown. */
const covered = (fix: Fix, items: readonly ContextItem[]): number =>
  mean(
    fix.hunks.map((hunk) =>
      items.some(
        (item) => item.path === hunk.path && item.startLine <= hunk.start && item.endLine >= hunk.end,
      )
        ? 1
        : 0,
    ),
  )

const countTokens = await loadTokenizer('o200k_base')
const cut = await cachedCut()
const rows: Row[] = []
for (const clone of clones) {
  const drawn = halves(
    findFixes(clone, Number(flags.count), (path) => laneOf(path) === 'source'),
    Number(flags.seed),
  )
  const fixes = flags.half === 'tune' ? drawn.tune : drawn.report
  const indexes = await indexer(clone)
  for (const fix of fixes)
    await indexes.at(fix.parent, async (index, blobs) => {
      for (const variant of VARIANTS) {
        const recall: number[] = []
        const coverage: number[] = []
        for (const budgetTokens of BUDGETS) {
          const { ranking, manifest } = await retrieve({
            ...{ index, blobs, issue: fix.query, lane: 'submitter', variant, budgetTokens },
            ...{ tokenizer: 'o200k_base', countTokens, cut },
          })
          if (recall.length === 0)
            for (const place of PLACES) {
              const first = new Set(ranking.slice(0, place).map(({ file }) => file.path))
              recall.push(mean(fix.files.map((file) => (first.has(file) ? 1 : 0))))
            }
          coverage.push(covered(fix, manifest.items))
        }
        rows.push({ clone: nameOf(clone), commit: fix.commit, variant, values: [...recall, ...coverage] })
      }
    })
  console.error(`${nameOf(clone)}: ${fixes.length} fixes`)
}

const shown = (value: number): string => value.toFixed(3)
console.log(`| repository | variant | fixes | ${COLUMNS.join(' | ')} |`)
console.log(`| --- | --- | --: |${' --: |'.repeat(COLUMNS.length)}`)
for (const name of [...clones.map(nameOf), 'all'])
  for (const variant of VARIANTS) {
    const own = rows.filter((row) => row.variant === variant && (name === 'all' || row.clone === name))
    const means = COLUMNS.map((_, at) => shown(mean(own.map((row) => row.values[at] ?? 0))))
    console.log(`| ${name} | ${variant} | ${own.length} | ${means.join(' | ')} |`)
  }
const of = (variant: string, at: number): number[] =>
  rows.filter((row) => row.variant === variant).map((row) => row.values[at] ?? 0)
if (rows.length >= 4)
  COLUMNS.forEach((column, at) => {
    const {
      mean: difference,
      low,
      high,
    } = comparePaired(of('ours', at), of('bm25-files', at), {
      seed: Number(flags.seed),
      replicates: 10_000,
    })
    console.log(`${column}: ours − bm25-files ${shown(difference)}, 95 % ${shown(low)} to ${shown(high)}`)
  })
if (flags.json) writeFileSync(flags.json, `${JSON.stringify(rows)}\n`)
