import { describe, expect, it } from 'vitest'
import { createReranker } from '../../src/models/rerank.ts'
import { type RerankOutcome, RerankSpec } from '../../src/schema/scorer.ts'
import { answeringJson, LOOPBACK_PORTS, withServer } from '../helpers/json-server.ts'
import { type Behaviour, faults, refusing, type ServerRequest } from '../helpers/openai-server.ts'

const DOCUMENTS = ['a', 'bbb', 'cc']

interface Ranked {
  readonly outcome: RerankOutcome
  readonly requests: readonly ServerRequest[]
}

const rerank = (
  behaviour: Behaviour | readonly Behaviour[],
  spec: Partial<RerankSpec> = {},
  documents: readonly string[] = DOCUMENTS,
  key?: string,
): Promise<Ranked> =>
  withServer([behaviour].flat(), async (server) => {
    const url = `${server.baseUrl}/rerank`
    const reranker = createReranker(RerankSpec.parse({ url, model: 'ranker', ...spec }), {
      ...LOOPBACK_PORTS,
      key,
    })
    try {
      return { outcome: await reranker.rerank('query', documents), requests: [...server.requests] }
    } finally {
      await reranker.close()
    }
  })

/** Scores a document by its length. */
const scored = (name: string, texts: unknown): { index: number }[] =>
  (texts as string[]).map((text, index) => ({ index, [name]: text.length }))

const sorted = (name: string, texts: unknown) => scored(name, texts).reverse()

describe('the shapes that servers speak', () => {
  it.each<[string, RerankSpec['shape'], Behaviour, object]>([
    [
      'vLLM, Cohere, Jina, llama.cpp: /rerank, best first',
      'rerank',
      answeringJson(({ documents }) => ({
        id: 'score-1',
        results: sorted('relevance_score', documents),
        usage: { total_tokens: 9 },
      })),
      { model: 'ranker', query: 'query', documents: DOCUMENTS, top_n: 3 },
    ],
    [
      'Infinity: results in `data`',
      'rerank',
      answeringJson(({ documents }) => ({ object: 'rerank', data: sorted('relevance_score', documents) })),
      { query: 'query', documents: DOCUMENTS },
    ],
    [
      'vLLM: /score, in the order of the documents',
      'score',
      answeringJson(({ documents }) => ({ object: 'list', data: scored('score', documents) })),
      { model: 'ranker', queries: 'query', documents: DOCUMENTS },
    ],
    [
      'vLLM: /score as it was',
      'score-pairs',
      answeringJson(({ text_2 }) => ({ data: scored('score', text_2) })),
      { model: 'ranker', text_1: 'query', text_2: DOCUMENTS },
    ],
    [
      'text-embeddings-inference: a bare list',
      'tei',
      answeringJson(({ texts }) => sorted('score', texts)),
      { query: 'query', texts: DOCUMENTS, truncate: true, raw_scores: false, return_text: false },
    ],
  ])('%s', async (_name, shape, behaviour, body) => {
    const { outcome, requests } = await rerank(behaviour, { shape })
    expect(outcome).toEqual({ kind: 'ranked', scores: [1, 3, 2] })
    expect(requests[0]?.body).toMatchObject(body)
  })
})

describe('batches', () => {
  const byLength = answeringJson(({ documents }) => ({ results: sorted('relevance_score', documents) }))
  it('are as large as told, and scores come in the order of the documents', async () => {
    const documents = Array.from({ length: 25 }, (_, index) => 'x'.repeat(index))
    const { outcome, requests } = await rerank(byLength, { batchSize: 4, parallel: 3 }, documents)
    expect(outcome).toEqual({ kind: 'ranked', scores: documents.map((text) => text.length) })
    expect(requests).toHaveLength(7)
  })
  it('fail as a whole when one of them does', async () => {
    const broken = refusing(400)
    const { outcome } = await rerank([byLength, broken], { batchSize: 1, parallel: 1 })
    expect(outcome).toEqual({ kind: 'failed', reason: 'http-status: HTTP 400: no' })
  })
  it('of nothing ask nobody', async () => {
    const { outcome, requests } = await rerank(byLength, {}, [])
    expect(outcome).toEqual({ kind: 'ranked', scores: [] })
    expect(requests).toHaveLength(0)
  })
  it('cut what is longer than the settings say', async () => {
    const { requests } = await rerank(byLength, { maxCharacters: 2 })
    expect(requests[0]?.body).toMatchObject({ query: 'qu', documents: ['a', 'bb', 'cc'] })
  })
})

describe('what goes wrong is a value', () => {
  it.each<[string, Behaviour, RegExp]>([
    ['too few', answeringJson(() => ({ results: [{ index: 0, relevance_score: 1 }] })), /^wrong-answer: 1 /],
    [
      'a place named twice',
      answeringJson(() => [0, 0, 1].map((index) => ({ index, score: 1 }))),
      /^wrong-answer/,
    ],
    [
      'a place that is none',
      answeringJson(() => [1, 2, 3].map((index) => ({ index, score: 1 }))),
      /^wrong-answer/,
    ],
    [
      'a score that is missing',
      answeringJson(() => [0, 1, 2].map((index) => ({ index }))),
      /^wrong-answer: a score/,
    ],
    [
      'a score that is null, as some write NaN',
      answeringJson(() => [0, 1, 2].map((index) => ({ index, score: null }))),
      /^wrong-answer/,
    ],
    [
      'NaN, which is no JSON',
      (response) => {
        response.writeHead(200, { 'content-type': 'application/json' })
        response.end('[{"index":0,"score":NaN}]')
      },
      /^invalid-json/,
    ],
    ['another form', answeringJson(() => ({ scores: [1, 2, 3] })), /^invalid-json/],
    ['an error in a good answer', answeringJson(() => ({ error: { message: 'no model' } })), /no model/],
    ['a page of HTML', faults.html, /^wrong-content-type/],
    ['a stream', faults.ended, /^wrong-content-type/],
    ['a redirect', faults.redirect, /^redirect/],
    ['a dropped connection', faults.dropped, /^not-reachable: .*after 3 tries/],
    ['a broken server', refusing(500, {}, 'out of memory'), /HTTP 500: out of memory \(after 3 tries\)/],
  ])('%s', async (_name, behaviour, reason) => {
    const { outcome } = await rerank(behaviour)
    expect(outcome.kind).toBe('failed')
    expect(outcome).toMatchObject({ reason: expect.stringMatching(reason) })
  })
  it('a server that never answers fails when its time is up', async () => {
    const { outcome } = await rerank(faults.mute, { timeoutMs: 100 })
    expect(outcome).toMatchObject({ kind: 'failed', reason: expect.stringMatching(/^total-timeout/) })
  })
  it('an answer without end is not read', async () => {
    const { outcome } = await rerank((response) => {
      response.writeHead(200, { 'content-type': 'application/json' })
      const piece = ' '.repeat(1024 * 1024)
      const go = (): void => {
        while (!response.destroyed && response.write(piece));
        response.once('drain', go)
      }
      go()
    })
    expect(outcome).toMatchObject({ kind: 'failed', reason: expect.stringMatching(/^too-many-bytes/) })
  })
  it('a busy server is asked again', async () => {
    const ranks = answeringJson(({ documents }) => ({ results: sorted('relevance_score', documents) }))
    const { outcome, requests } = await rerank([refusing(429), ranks])
    expect(outcome.kind).toBe('ranked')
    expect(requests).toHaveLength(2)
  })
  it('secrets are cut out of reasons', async () => {
    const key = 'sk-0123456789'
    const { outcome, requests } = await rerank(refusing(401, {}, `bad key ${key}`), {}, DOCUMENTS, key)
    expect(requests[0]?.headers.authorization).toBe(`Bearer ${key}`)
    expect(outcome).toEqual({ kind: 'failed', reason: 'http-status: HTTP 401: bad key [secret]' })
  })
})

describe('the caller', () => {
  it('may stop it, which is no failure of the server', async () => {
    await withServer([faults.mute], async (server) => {
      const spec = RerankSpec.parse({ url: `${server.baseUrl}/rerank`, model: 'ranker' })
      const reranker = createReranker(spec, LOOPBACK_PORTS)
      const stop = new AbortController()
      const asked = reranker.rerank('query', DOCUMENTS, stop.signal)
      stop.abort(new Error('season stopped'))
      await expect(asked).rejects.toThrow('season stopped')
      await reranker.close()
    })
  })
  it('may not lead it to a private address', () => {
    const spec = RerankSpec.parse({ url: 'http://10.0.0.1/rerank', model: 'ranker' })
    expect(() => createReranker(spec, LOOPBACK_PORTS)).toThrow(/rerank\.url: .*not allowed/)
  })
})
