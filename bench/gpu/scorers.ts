import { createEmbedder } from '../../src/models/embed.ts'
import { createReranker } from '../../src/models/rerank.ts'
import { EmbedSpec, RerankSpec } from '../../src/schema/scorer.ts'
import { type Address, codeText, connectionTo, type Part, perSecond, quantile } from './part.ts'

/** Characters of a chunk of code, chunks of one asking, and askings. */
const CHUNK = 1200
const CHUNKS = 64
const ASKINGS = 8

const QUERY = 'the parser of cron expressions rejects day seven'
const NEAR = 'def parse_weekday(text):\n    """Parses the weekday of a cron expression; 7 is Sunday."""\n'
const FAR = 'def draw_circle(canvas, radius):\n    """Draws a circle on a canvas."""\n'

/** Chunks as a season asks about them, and whether the near one stands before the far one. */
export async function measureReranker(address: Address, deadline: number): Promise<Part> {
  const { baseUrl, model } = address
  const spec = RerankSpec.parse({ url: `${baseUrl}/rerank`, model, timeoutMs: 60_000 })
  const reranker = createReranker(spec, await connectionTo(address))
  const found: Record<string, string | number> = { model }
  try {
    const times: number[] = []
    const order = await reranker.rerank(QUERY, [FAR, NEAR])
    if (order.kind === 'failed') return { ...found, failed: order.reason }
    found['near before far'] = (order.scores[1] ?? 0) > (order.scores[0] ?? 0) ? 'yes' : 'no'
    const started = performance.now()
    while (times.length < ASKINGS && performance.now() < deadline) {
      const began = performance.now()
      const chunks = Array.from({ length: CHUNKS }, (_, index) =>
        codeText(times.length * CHUNKS + index, CHUNK),
      )
      const outcome = await reranker.rerank(QUERY, chunks)
      if (outcome.kind === 'failed') return { ...found, failed: outcome.reason }
      times.push(performance.now() - began)
    }
    found[`${CHUNKS} chunks of ${CHUNK} characters, ms, median`] = quantile(times, 0.5)
    found['chunks a second'] = perSecond(times.length * CHUNKS, performance.now() - started)
    return found
  } finally {
    await reranker.close()
  }
}

const cosine = (a: Float32Array, b: Float32Array): number => {
  let [dot, aa, bb] = [0, 0, 0]
  a.forEach((value, index) => {
    dot += value * (b[index] ?? 0)
    aa += value * value
    bb += (b[index] ?? 0) ** 2
  })
  return dot / Math.sqrt(aa * bb)
}

/** Chunks as an index would embed them, and whether the near one is nearer than the far one. */
export async function measureEmbedder(address: Address, deadline: number): Promise<Part> {
  const { baseUrl, model } = address
  const spec = EmbedSpec.parse({ url: `${baseUrl}/embeddings`, model, timeoutMs: 60_000 })
  const embedder = createEmbedder(spec, await connectionTo(address))
  const found: Record<string, string | number> = { model }
  try {
    const three = await embedder.embed([QUERY, NEAR, FAR])
    if (three.kind === 'failed') return { ...found, failed: three.reason }
    const [query, near, far] = three.vectors
    if (!query || !near || !far) return { ...found, failed: 'a vector is missing' }
    found.dimensions = query.length
    found['near nearer than far'] = cosine(query, near) > cosine(query, far) ? 'yes' : 'no'
    const started = performance.now()
    let done = 0
    for (let asking = 0; asking < ASKINGS && performance.now() < deadline; asking++) {
      const chunks = Array.from({ length: CHUNKS }, (_, index) => codeText(asking * CHUNKS + index, CHUNK))
      const outcome = await embedder.embed(chunks)
      if (outcome.kind === 'failed') return { ...found, failed: outcome.reason }
      done += CHUNKS
    }
    found['chunks a second'] = perSecond(done, performance.now() - started)
    return found
  } finally {
    await embedder.close()
  }
}
