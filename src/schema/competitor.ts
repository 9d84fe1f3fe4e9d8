import { z } from 'zod'
import { CompetitorId } from './ids.ts'

/** Fields that the arena itself fills, whatever the API. */
const OWN_FIELDS: ReadonlySet<string> = new Set(['model', 'messages', 'system', 'stream', 'stream_options'])

/** A chat server. The key itself never enters this record: only the name of its variable. */
export const EndpointSpec = z.strictObject({
  api: z
    .enum(['openai', 'anthropic'])
    .default('openai')
    .describe('openai: chat completions, as vLLM, SGLang, llama.cpp and many others have them'),
  baseUrl: z.url().describe('up to and including /v1'),
  model: z.string().min(1),
  keyEnv: z
    .string()
    .regex(/^[A-Za-z_]\w*$/)
    .optional()
    .describe('name of the environment variable that holds the key'),
  temperature: z.number().min(0).max(2).default(0),
  extra: z
    .record(z.string(), z.json())
    .refine((fields) => Object.keys(fields).every((name) => !OWN_FIELDS.has(name)), {
      error: `may not name ${[...OWN_FIELDS].join(', ')}`,
    })
    .optional()
    .describe('fields added to each request; null takes one of ours away'),
  maxOutputTokens: z.number().int().positive().default(8192),
  contextTokens: z.number().int().positive().default(32_768),
  requestTimeoutMs: z.number().int().positive().default(300_000),
  concurrency: z
    .number()
    .int()
    .min(1)
    .max(1024)
    .optional()
    .describe('requests at once at most; 16 when left out; fewer while the endpoint refuses'),
  requestsPerMinute: z.number().positive().optional().describe('requests begun in a minute at most'),
})
export type EndpointSpec = z.infer<typeof EndpointSpec>

/** What is rated: model + harness + settings, versioned. */
export const Competitor = z.strictObject({
  id: CompetitorId,
  label: z.string().max(80),
  /** Same-team pairs are not rated. */
  team: z.string().max(80),
  player: z.discriminatedUnion('kind', [
    z.strictObject({
      kind: z.literal('scripted'),
      /** Folder with `<task id>/patch.md` and `<task id>/tests.md`: recorded answers, read as a model's are. */
      folder: z.string(),
    }),
    z.strictObject({ kind: z.literal('endpoint'), endpoint: EndpointSpec }),
    z.strictObject({
      kind: z.literal('control'),
      control: z.enum(['golden', 'no-op', 'upstream-tests', 'empty-tests', 'always-fail-tests']),
    }),
  ]),
})
export type Competitor = z.infer<typeof Competitor>

/** What of a competitor's record its answers hang on: not how fast it may be asked. */
export function answeringOf(competitor: Competitor): unknown {
  if (competitor.player.kind !== 'endpoint') return competitor
  const { concurrency: _concurrency, requestsPerMinute: _rate, ...endpoint } = competitor.player.endpoint
  return { ...competitor, player: { ...competitor.player, endpoint } }
}
