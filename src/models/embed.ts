import { z } from 'zod'
import type { Embedder, EmbedSpec } from '../schema/scorer.ts'
import { byIndex } from './by-index.ts'
import type { ConnectionPorts } from './connection.ts'
import { inBatches } from './in-batches.ts'
import { createJsonServer, type Posted } from './json-server.ts'

/** Nothing is asked of `object`: servers fill it as they like. */
const Answer = z.looseObject({
  data: z.array(z.looseObject({ index: z.number().int().nullish(), embedding: z.array(z.number()).min(1) })),
})

function readVectors(answer: z.infer<typeof Answer>, expected: number): Posted<readonly Float32Array[]> {
  const ordered = byIndex(answer.data, expected)
  if (!ordered)
    return {
      kind: 'failed',
      reason: `wrong-answer: ${answer.data.length} vectors, or places that do not fit, for ${expected} texts`,
    }
  return { kind: 'answered', value: ordered.map(({ embedding }) => Float32Array.from(embedding)) }
}

/**
 * A served embedder. Texts are sent in batches; every vector must come and have the same length, else the whole asking
 * failed. Throws InputError for an address that may not be called.
 */
export function createEmbedder(spec: EmbedSpec, ports: ConnectionPorts): Embedder {
  const server = createJsonServer(spec.url, 'embed.url', ports)
  return {
    async embed(texts, signal) {
      const until = ports.now() + spec.timeoutMs
      const posted = await inBatches(texts, { ...spec, signal }, async (batch, batchSignal) => {
        const input = batch.map((text) => text.slice(0, spec.maxCharacters))
        const answer = await server.post({ model: spec.model, input }, Answer, {
          timeoutMs: until - ports.now(),
          signal: batchSignal,
        })
        return answer.kind === 'failed' ? answer : readVectors(answer.value, batch.length)
      })
      if (posted.kind === 'failed') return posted
      const lengths = new Set(posted.value.map((vector) => vector.length))
      if (lengths.size > 1) return { kind: 'failed', reason: 'wrong-answer: vectors of different lengths' }
      return { kind: 'embedded', vectors: posted.value }
    },
    close: () => server.close(),
  }
}
