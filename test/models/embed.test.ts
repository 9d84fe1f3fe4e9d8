import { describe, expect, it } from 'vitest'
import { createEmbedder } from '../../src/models/embed.ts'
import { type EmbedOutcome, EmbedSpec } from '../../src/schema/scorer.ts'
import { answeringJson, LOOPBACK_PORTS, withServer } from '../helpers/json-server.ts'
import { type Behaviour, refusing, type ServerRequest } from '../helpers/openai-server.ts'

interface Embedded {
  readonly outcome: EmbedOutcome
  readonly requests: readonly ServerRequest[]
}

const embed = (
  behaviours: readonly Behaviour[],
  texts: readonly string[],
  spec: Partial<EmbedSpec> = {},
): Promise<Embedded> =>
  withServer(behaviours, async (server) => {
    const url = `${server.baseUrl}/embeddings`
    const embedder = createEmbedder(EmbedSpec.parse({ url, model: 'embedder', ...spec }), LOOPBACK_PORTS)
    try {
      return { outcome: await embedder.embed(texts), requests: [...server.requests] }
    } finally {
      await embedder.close()
    }
  })

const inputs = (body: Record<string, unknown>): string[] => body.input as string[]

/** Two numbers for a text, in an order of the server's own. */
const vectors = answeringJson((body) => ({
  object: 'whatever',
  data: inputs(body)
    .map((text, index) => ({ index, embedding: [text.length, -0.5] }))
    .reverse(),
}))

describe('a served embedder', () => {
  it('gives a vector for each text, in their order', async () => {
    const { outcome, requests } = await embed([vectors], ['a', 'bbb'])
    expect(outcome).toEqual({
      kind: 'embedded',
      vectors: [Float32Array.of(1, -0.5), Float32Array.of(3, -0.5)],
    })
    expect(requests[0]).toMatchObject({
      path: '/v1/embeddings',
      body: { model: 'embedder', input: ['a', 'bbb'] },
    })
  })
  it('is asked in batches', async () => {
    const texts = Array.from({ length: 11 }, (_, index) => 'x'.repeat(index))
    const { outcome, requests } = await embed([vectors], texts, { batchSize: 3, parallel: 2 })
    expect(outcome).toMatchObject({ vectors: texts.map((text) => Float32Array.of(text.length, -0.5)) })
    expect(requests).toHaveLength(4)
  })
  it('may name no places when it answers in order', async () => {
    const plain = answeringJson((body) => ({
      data: inputs(body).map(({ length }) => ({ embedding: [length] })),
    }))
    expect((await embed([plain], ['aa', 'b'])).outcome).toMatchObject({
      vectors: [Float32Array.of(2), Float32Array.of(1)],
    })
  })
})

describe('what goes wrong is a value', () => {
  const data = (...embeddings: unknown[]): Behaviour =>
    answeringJson(() => ({ data: embeddings.map((embedding, index) => ({ index, embedding })) }))
  it.each<[string, Behaviour, RegExp]>([
    ['too few vectors', data([1]), /^wrong-answer: 1 vectors/],
    ['vectors of different lengths', data([1, 2], [3]), /^wrong-answer: vectors of different lengths/],
    ['an empty vector', data([], [1]), /^invalid-json: data\.0\.embedding/],
    ['no numbers', data([1], ['x']), /^invalid-json/],
    ['null among the numbers', data([1], [null]), /^invalid-json/],
    ['base64, which was not asked for', data('AACAPw==', 'AACAPw=='), /^invalid-json/],
    [
      'a text that is too long',
      refusing(400, {}, '{"error":{"message":"input too long"}}'),
      /input too long/,
    ],
    ['a busy server', refusing(503), /HTTP 503: no \(after 3 tries\)/],
  ])('%s', async (_name, behaviour, reason) => {
    const { outcome } = await embed([behaviour], ['a', 'b'])
    expect(outcome).toMatchObject({ kind: 'failed', reason: expect.stringMatching(reason) })
  })
})
