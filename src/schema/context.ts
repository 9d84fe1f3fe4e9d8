import { z } from 'zod'
import { Digest } from './ids.ts'

/**
 * Ways to choose what a model sees of a repository. `none`: the issue only. `whole-files`: all files in path order, for small
 * repositories. `bm25-files`: the original's way, the five best files whole. `chunks`: its sixteen best chunks.
 * `chunks+rerank`: those, ordered by a served model. `ours`: the default.
 */
export const ContextVariant = z.enum(['none', 'whole-files', 'bm25-files', 'chunks', 'chunks+rerank', 'ours'])
export type ContextVariant = z.infer<typeof ContextVariant>

/** How tokens are counted. `bytes`: a token for every 3.3 bytes, which no tokenizer in use exceeds on code. */
export const Tokenizer = z.enum(['bytes', 'o200k_base', 'cl100k_base'])
export type Tokenizer = z.infer<typeof Tokenizer>

export const ContextLane = z.enum(['submitter', 'reviewer'])
export type ContextLane = z.infer<typeof ContextLane>

/** One run of lines of a file in a pack. */
export const ContextItem = z.object({
  path: z.string(),
  /** git's name of the file's content. */
  blob: z.string(),
  /** 1-based, inclusive. */
  startLine: z.number().int().positive(),
  endLine: z.number().int().nonnegative(),
  /** Of the best chunk in the run; they compare within one pack only. */
  score: z.number(),
  /** With its heading. */
  tokens: z.number().int().nonnegative(),
  /** Which part of the pack: `source`, `test`. */
  part: z.enum(['source', 'test']),
})
export type ContextItem = z.infer<typeof ContextItem>

/** What a pack was made from and what it holds: the same base, query and settings give the same bytes. */
export const ContextManifest = z.object({
  format: z.literal(1),
  variant: ContextVariant,
  lane: ContextLane,
  base: z.object({ kind: z.enum(['commit', 'folder', 'tree']), id: z.string() }),
  /** How terms are made. */
  indexVersion: z.string(),
  /** Digest of all weights of the ranking. */
  weights: z.string(),
  /** Digest of the text that was asked with. */
  query: Digest,
  tokenizer: Tokenizer,
  budgetTokens: z.number().int().positive(),
  /** Of the whole pack. */
  tokens: z.number().int().nonnegative(),
  items: z.array(ContextItem),
  /** `fell-back`: the served model failed, so the lexical order stands; the reason says how. */
  rerank: z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('none') }),
    z.object({ kind: z.literal('done'), model: z.string(), documents: z.number().int() }),
    z.object({ kind: z.literal('fell-back'), model: z.string(), reason: z.string() }),
  ]),
  packSha256: Digest,
})
export type ContextManifest = z.infer<typeof ContextManifest>
