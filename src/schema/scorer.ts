import { z } from 'zod'
import { EndpointSpec } from './competitor.ts'

/** What every server that scores or embeds is told by. The key itself never enters this record: only its variable's name. */
const ScorerServer = z.strictObject({
  model: z.string().min(1),
  keyEnv: z
    .string()
    .regex(/^[A-Za-z_]\w*$/)
    .optional()
    .describe('name of the environment variable that holds the key'),
  batchSize: z.number().int().min(1).max(2048).default(32).describe('texts of one request'),
  parallel: z.number().int().min(1).max(64).default(2).describe('requests at once'),
  maxCharacters: z
    .number()
    .int()
    .positive()
    .optional()
    .describe('longer texts are cut to this: servers refuse what is longer than their window'),
  timeoutMs: z.number().int().positive().default(30_000).describe('all requests and their retries together'),
})

/**
 * A served reranker. `shape` tells what it is sent; what it answers is read in all its forms.
 * `rerank`: vLLM, Infinity, llama.cpp, Jina and Cohere. `score`: vLLM's /score. `score-pairs`: the same before
 * `queries` and `documents` were its words. `tei`: text-embeddings-inference.
 */
export const RerankSpec = ScorerServer.extend({
  url: z.url().describe('the whole address, such as http://127.0.0.1:8001/v1/rerank'),
  shape: z.enum(['rerank', 'score', 'score-pairs', 'tei']).default('rerank'),
})
export type RerankSpec = z.infer<typeof RerankSpec>

/** A served embedder in OpenAI's form: vLLM, text-embeddings-inference, Infinity, llama.cpp. */
export const EmbedSpec = ScorerServer.extend({
  url: z.url().describe('the whole address, such as http://127.0.0.1:8002/v1/embeddings'),
})
export type EmbedSpec = z.infer<typeof EmbedSpec>

/** A served model that answers in one word, which is scored by the probability of that word. */
export const AssessorSpec = z.strictObject({
  endpoint: EndpointSpec,
  topLogProbs: z.number().int().min(1).max(20).default(20).describe('alternatives asked for at each token'),
  samples: z
    .number()
    .int()
    .min(1)
    .max(64)
    .default(8)
    .describe('answers drawn at temperature 1 where the server gives no log probabilities'),
  timeoutMs: z.number().int().positive().default(120_000).describe('all askings about one thing together'),
})
export type AssessorSpec = z.infer<typeof AssessorSpec>

/** `reason`: what went wrong, in one line that begins with the kind of fault. */
export type ScorerFailure = { readonly kind: 'failed'; readonly reason: string }

/** `scores`: one for each document, in their order; higher is nearer. They compare only within one asking. */
export type RerankOutcome = { readonly kind: 'ranked'; readonly scores: readonly number[] } | ScorerFailure

/** `vectors`: one for each text, in their order, all of the same length; not normalised. */
export type EmbedOutcome =
  | { readonly kind: 'embedded'; readonly vectors: readonly Float32Array[] }
  | ScorerFailure

/** Scores documents against a query. What the server does wrong is a value; only the caller's own signal throws. */
export interface Reranker {
  rerank(query: string, documents: readonly string[], signal?: AbortSignal): Promise<RerankOutcome>
  close(): Promise<void>
}

/** Turns texts into vectors. What the server does wrong is a value; only the caller's own signal throws. */
export interface Embedder {
  embed(texts: readonly string[], signal?: AbortSignal): Promise<EmbedOutcome>
  close(): Promise<void>
}
