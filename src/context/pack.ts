import type { ContextItem } from '../schema/context.ts'
import type { CountTokens } from './count-tokens.ts'
import type { IndexedFile } from './tree-index.ts'
import type { Unit } from './unit.ts'
import { lineStarts } from './windows.ts'

/** Lines between two runs that cost no more than the words which say that they are left out. */
const CLOSE_LINES = 3

/** A run of lines in the pack: units that touch, merged. */
interface Run {
  start: number
  end: number
  score: number
  /** Heads of what its first line lies in. */
  scopes: readonly string[]
}

interface PackedFile {
  readonly file: IndexedFile
  readonly bytes: Buffer
  readonly starts: Uint32Array
  readonly runs: Run[]
}

export interface PackRequest {
  /** Best first: they are tried in this order. */
  readonly units: readonly Unit[]
  readonly budgetTokens: number
  readonly countTokens: CountTokens
  /** Units at most; more are not tried. */
  readonly mostUnits: number
}

export interface Pack {
  readonly text: string
  readonly items: readonly Omit<ContextItem, 'part'>[]
  readonly tokens: number
}

/** The runs with one more range: what touches it, or nearly, becomes one run with it. */
function withRange(runs: readonly Run[], range: Run): Run[] {
  const apart = runs.filter(
    (run) => run.end + CLOSE_LINES < range.start || range.end + CLOSE_LINES < run.start,
  )
  const touching = runs.filter((run) => !apart.includes(run))
  const merged = touching.reduce(
    (whole, run) => ({
      start: Math.min(whole.start, run.start),
      end: Math.max(whole.end, run.end),
      score: Math.max(whole.score, run.score),
      scopes: run.start < whole.start ? run.scopes : whole.scopes,
    }),
    range,
  )
  return [...apart, merged].sort((a, b) => a.start - b.start)
}

const textOf = ({ bytes, starts }: PackedFile, { start, end }: Run): string => {
  const text = bytes.toString('utf8', starts[start - 1], starts[end])
  return text.endsWith('\n') || text === '' ? text : `${text}\n`
}

function renderRun(packed: PackedFile, run: Run): string {
  const lines = packed.starts.length - 1
  const whole = run.start === 1 && run.end === lines
  const heads = run.scopes.map((scope) => scope.trim().replace(/\s+/g, ' ')).join(' › ')
  const told = `[lines ${run.start}–${run.end} of ${lines}${heads === '' ? '' : `, in ${heads}`}]\n`
  return `${whole ? '' : told}${textOf(packed, run)}`
}

const renderFile = (packed: PackedFile, runs: readonly Run[]): string =>
  `### ${packed.file.path}\n${runs.map((run) => renderRun(packed, run)).join('')}\n`

/**
 * Takes units in their order as long as they fit, and lays them out by file: files in the order in which they first came, lines
 * in their own. A unit that does not fit is passed over, and smaller ones after it may still. The text's tokens, counted over
 * the whole of it, never exceed the budget.
 */
export function packUnits(request: PackRequest): Pack {
  const { countTokens, budgetTokens } = request
  const packed = new Map<string, PackedFile>()
  const rendered = new Map<string, { text: string; tokens: number }>()
  const order: string[] = []
  let used = 0
  for (const unit of request.units.slice(0, request.mostUnits)) {
    const { path } = unit.file
    const known = packed.get(path)
    const file = known ?? { file: unit.file, bytes: unit.bytes, starts: lineStarts(unit.bytes), runs: [] }
    const runs = withRange(file.runs, {
      start: unit.start,
      end: unit.end,
      score: unit.score,
      scopes: unit.scopes,
    })
    const text = renderFile(file, runs)
    const tokens = countTokens(text)
    const before = rendered.get(path)?.tokens ?? 0
    if (used - before + tokens > budgetTokens) continue
    used += tokens - before
    if (!known) order.push(path)
    packed.set(path, { ...file, runs })
    rendered.set(path, { text, tokens })
  }
  const laidOut = (): string => order.map((path) => rendered.get(path)?.text ?? '').join('\n')
  // Parts may count less than their sum, or a little more: the whole decides.
  while (order.length > 0 && countTokens(laidOut()) > budgetTokens) order.pop()
  const text = laidOut()
  const items = order.flatMap((path) => {
    const file = packed.get(path)
    return (file?.runs ?? []).map((run) => ({
      path,
      blob: file?.file.blob ?? '',
      startLine: run.start,
      endLine: run.end,
      score: rounded(run.score),
      tokens: file ? countTokens(renderRun(file, run)) : 0,
    }))
  })
  return { text, items, tokens: countTokens(text) }
}

/** Six digits are enough to compare, and the same on every machine. */
export const rounded = (score: number): number => Number(score.toPrecision(6))
