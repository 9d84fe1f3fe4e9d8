import { z } from 'zod'
import type { Reranker, RerankSpec } from '../schema/scorer.ts'
import { byIndex } from './by-index.ts'
import type { ConnectionPorts } from './connection.ts'
import { inBatches } from './in-batches.ts'
import { createJsonServer, type Posted } from './json-server.ts'

const Scored = z.looseObject({
  index: z.number().int().nullish(),
  relevance_score: z.number().nullish(),
  score: z.number().nullish(),
})

/** vLLM, Cohere and Jina answer with `results`, vLLM's /score and some Infinity versions with `data`, TEI with the list itself. */
const Answer = z.union([
  z.array(Scored),
  z.looseObject({ results: z.array(Scored) }).transform(({ results }) => results),
  z.looseObject({ data: z.array(Scored) }).transform(({ data }) => data),
])

/** What is sent, by the shape that the server reads. */
const BODIES: {
  readonly [S in RerankSpec['shape']]: (model: string, query: string, documents: readonly string[]) => object
} = {
  rerank: (model, query, documents) => ({ model, query, documents, top_n: documents.length }),
  score: (model, queries, documents) => ({ model, queries, documents }),
  'score-pairs': (model, query, documents) => ({ model, text_1: query, text_2: documents }),
  tei: (_model, query, texts) => ({ query, texts, truncate: true, raw_scores: false, return_text: false }),
}

function readScores(answer: z.infer<typeof Answer>, expected: number): Posted<readonly number[]> {
  const wrong = (what: string): Posted<readonly number[]> => ({
    kind: 'failed',
    reason: `wrong-answer: ${what}`,
  })
  const ordered = byIndex(answer, expected)
  if (!ordered) return wrong(`${answer.length} scores, or places that do not fit, for ${expected} documents`)
  const scores = ordered.map((entry) => entry.relevance_score ?? entry.score)
  const known = scores.filter((score) => typeof score === 'number' && Number.isFinite(score))
  if (known.length !== expected) return wrong('a score that is no number')
  return { kind: 'answered', value: known as readonly number[] }
}

/**
 * A served reranker. Documents are scored in batches; every score must come, be a number and name its document, else the
 * whole asking failed and the caller keeps its own order. Throws InputError for an address that may not be called.
 */
export function createReranker(spec: RerankSpec, ports: ConnectionPorts): Reranker {
  const server = createJsonServer(spec.url, 'rerank.url', ports)
  const cut = (text: string): string => text.slice(0, spec.maxCharacters)
  return {
    async rerank(query, documents, signal) {
      const until = ports.now() + spec.timeoutMs
      const posted = await inBatches(documents, { ...spec, signal }, async (batch, batchSignal) => {
        const answer = await server.post(BODIES[spec.shape](spec.model, cut(query), batch.map(cut)), Answer, {
          timeoutMs: until - ports.now(),
          signal: batchSignal,
        })
        return answer.kind === 'failed' ? answer : readScores(answer.value, batch.length)
      })
      return posted.kind === 'failed' ? posted : { kind: 'ranked', scores: posted.value }
    },
    close: () => server.close(),
  }
}
