import { z } from 'zod'
import { addToolCall, type Collected } from './collected.ts'

const Count = z.number().int().nonnegative()

const LogProb = z.object({ token: z.string(), logprob: z.number() })

const LogProbs = z.looseObject({
  content: z.array(LogProb.extend({ top_logprobs: z.array(LogProb).nullish() })).nullish(),
})

const ToolCallPart = z.looseObject({
  index: z.number().nullish(),
  id: z.string().nullish(),
  function: z.looseObject({ name: z.string().nullish(), arguments: z.string().nullish() }).nullish(),
})

const Usage = z.looseObject({
  prompt_tokens: Count.nullish(),
  completion_tokens: Count.nullish(),
  prompt_tokens_details: z.looseObject({ cached_tokens: Count.nullish() }).nullish(),
})

/** `delta` of a stream, `message` of a whole answer. vLLM and SGLang call thoughts reasoning_content or reasoning. */
const Message = z.looseObject({
  content: z.string().nullish(),
  refusal: z.string().nullish(),
  reasoning_content: z.string().nullish(),
  reasoning: z.string().nullish(),
  tool_calls: z.array(ToolCallPart).nullish(),
})

/** What is read of one event of an OpenAI-compatible stream, or of a whole answer. */
export const OpenAiChunk = z.looseObject({
  choices: z
    .array(
      z.looseObject({
        index: z.number().nullish(),
        delta: Message.nullish(),
        message: Message.nullish(),
        finish_reason: z.string().nullish(),
        logprobs: LogProbs.nullish(),
        // vLLM, when asked with return_token_ids.
        token_ids: z.array(Count).nullish(),
      }),
    )
    .nullish(),
  usage: Usage.nullish(),
  error: z.unknown().optional(),
})
export type OpenAiChunk = z.infer<typeof OpenAiChunk>

/** Adds one event to what was collected. Only the first choice is read. */
export function collectChunk(into: Collected, chunk: OpenAiChunk): void {
  const choice = chunk.choices?.find((candidate) => (candidate.index ?? 0) === 0)
  const part = choice?.delta ?? choice?.message
  const reasoning = part?.reasoning_content ?? part?.reasoning ?? ''
  const text = part?.content ?? ''
  const toolCalls = part?.tool_calls ?? []
  if (text !== '') into.text.push(text)
  if (reasoning !== '') into.reasoning.push(reasoning)
  if (part?.refusal) {
    into.refused = true
    into.text.push(part.refusal)
  }
  toolCalls.forEach(({ index, id, function: called }, position) => {
    const piece = { id: id ?? '', name: called?.name ?? '', arguments: called?.arguments ?? '' }
    addToolCall(into, index ?? position, piece)
  })
  if (text !== '' || reasoning !== '' || part?.refusal || toolCalls.length > 0) into.pieces++
  if (choice?.finish_reason) into.finish = choice.finish_reason
  for (const { token, logprob, top_logprobs: top } of choice?.logprobs?.content ?? [])
    into.logProbs.push({ token, logprob, ...(top?.length ? { top } : {}) })
  for (const id of choice?.token_ids ?? []) into.tokenIds.push(id)
  into.promptTokens = chunk.usage?.prompt_tokens ?? into.promptTokens
  into.completionTokens = chunk.usage?.completion_tokens ?? into.completionTokens
  into.cachedTokens = chunk.usage?.prompt_tokens_details?.cached_tokens ?? into.cachedTokens
}
