import { z } from 'zod'

const LogProbs = z.looseObject({
  content: z.array(z.looseObject({ token: z.string(), logprob: z.number() })).nullish(),
})

const Usage = z.looseObject({
  prompt_tokens: z.number().int().nonnegative().nullish(),
  completion_tokens: z.number().int().nonnegative().nullish(),
})

/** `delta` of a stream, `message` of a whole answer. vLLM and SGLang call thoughts reasoning_content or reasoning. */
const Message = z.looseObject({
  content: z.string().nullish(),
  refusal: z.string().nullish(),
  reasoning_content: z.string().nullish(),
  reasoning: z.string().nullish(),
})

/** What is read of one event of an OpenAI-compatible stream, or of a whole answer. */
export const ChatChunk = z.looseObject({
  choices: z
    .array(
      z.looseObject({
        index: z.number().nullish(),
        delta: Message.nullish(),
        message: Message.nullish(),
        finish_reason: z.string().nullish(),
        logprobs: LogProbs.nullish(),
      }),
    )
    .nullish(),
  usage: Usage.nullish(),
  error: z.unknown().optional(),
})
export type ChatChunk = z.infer<typeof ChatChunk>

/** What a server says is wrong, from `{"error": {"message": …}}` or `{"error": "…"}`. */
export function errorMessage(error: unknown): string {
  if (typeof error === 'string') return error
  if (typeof error === 'object' && error !== null && 'message' in error) return String(error.message)
  return 'an error without a message'
}

/** The parts of an answer so far. */
export interface Collected {
  text: string[]
  reasoning: string[]
  refused: boolean
  finish: string | null
  promptTokens: number | null
  completionTokens: number | null
  logProbs: { token: string; logprob: number }[]
  /** Events that brought text: at least as many tokens were made. */
  pieces: number
}

export const emptyCollected = (): Collected => ({
  text: [],
  reasoning: [],
  refused: false,
  finish: null,
  promptTokens: null,
  completionTokens: null,
  logProbs: [],
  pieces: 0,
})

/** Adds one event to what was collected. Only the first choice is read. */
export function collect(into: Collected, chunk: ChatChunk): void {
  const choice = chunk.choices?.find((candidate) => (candidate.index ?? 0) === 0)
  const part = choice?.delta ?? choice?.message
  const reasoning = part?.reasoning_content ?? part?.reasoning ?? ''
  const text = part?.content ?? ''
  if (text !== '') into.text.push(text)
  if (reasoning !== '') into.reasoning.push(reasoning)
  if (part?.refusal) {
    into.refused = true
    into.text.push(part.refusal)
  }
  if (text !== '' || reasoning !== '') into.pieces++
  if (choice?.finish_reason) into.finish = choice.finish_reason
  for (const { token, logprob } of choice?.logprobs?.content ?? []) into.logProbs.push({ token, logprob })
  into.promptTokens = chunk.usage?.prompt_tokens ?? into.promptTokens
  into.completionTokens = chunk.usage?.completion_tokens ?? into.completionTokens
}
