import type { ContextManifest } from '../schema/context.ts'
import type { Reranker } from '../schema/scorer.ts'
import type { Unit } from './unit.ts'
import { lineStarts } from './windows.ts'

/** A served reranker, with the name that stands in manifests. */
export interface NamedReranker {
  readonly model: string
  readonly reranker: Pick<Reranker, 'rerank'>
}

/** Units that are asked about: the others keep their places behind them. */
const MOST_ASKED = 64

/** How much the served model's order counts beside the lexical one; both are put on 0 to 1. */
const SERVED_WEIGHT = 0.5

export interface Reranked {
  readonly units: readonly Unit[]
  readonly state: ContextManifest['rerank']
}

/** Values on 0 to 1 by their least and most; all 0 when they are equal. */
function scaled(values: readonly number[]): number[] {
  const least = Math.min(...values)
  const most = Math.max(...values)
  return values.map((value) => (most > least ? (value - least) / (most - least) : 0))
}

const textOf = ({ file, bytes, start, end }: Unit): string => {
  const starts = lineStarts(bytes)
  return `${file.path}\n${bytes.toString('utf8', starts[start - 1], starts[end])}`
}

/**
 * Orders the first units by a served model's scores and the lexical ones together. Any failure leaves the lexical order and
 * is told in the state; nothing is made up.
 */
export async function rerankUnits(
  units: readonly Unit[],
  query: string,
  served: NamedReranker | undefined,
  must: boolean,
  signal?: AbortSignal,
): Promise<Reranked> {
  if (!served)
    return {
      units,
      state: must ? { kind: 'fell-back', model: '', reason: 'no reranker is configured' } : { kind: 'none' },
    }
  const { model } = served
  const asked = units.slice(0, MOST_ASKED)
  if (asked.length === 0) return { units, state: { kind: 'done', model, documents: 0 } }
  const outcome = await served.reranker.rerank(query, asked.map(textOf), signal)
  if (outcome.kind === 'failed') return { units, state: { kind: 'fell-back', model, reason: outcome.reason } }
  const lexical = scaled(asked.map(({ score }) => score))
  const semantic = scaled(outcome.scores)
  const ordered = asked
    .map((unit, place) => ({
      unit,
      place,
      key: (1 - SERVED_WEIGHT) * (lexical[place] ?? 0) + SERVED_WEIGHT * (semantic[place] ?? 0),
    }))
    .sort((a, b) => b.key - a.key || a.place - b.place)
    .map(({ unit }) => unit)
  return {
    units: [...ordered, ...units.slice(asked.length)],
    state: { kind: 'done', model, documents: asked.length },
  }
}
