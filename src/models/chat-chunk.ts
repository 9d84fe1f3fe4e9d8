import { z } from 'zod'
import type { TokenLogProb, ToolCall } from '../schema/model.ts'

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
  prompt_tokens: z.number().int().nonnegative().nullish(),
  completion_tokens: z.number().int().nonnegative().nullish(),
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

/** The parts of an answer so far. */
export interface Collected {
  text: string[]
  reasoning: string[]
  refused: boolean
  finish: string | null
  promptTokens: number | null
  completionTokens: number | null
  logProbs: TokenLogProb[]
  /** By the index that the server gives; arguments come in pieces. */
  toolCalls: Map<number, ToolCall>
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
  toolCalls: new Map(),
  pieces: 0,
})

/** Calls of one answer that are kept: a hostile server makes any number. */
const MOST_TOOL_CALLS = 128

function collectToolCalls(into: Collected, parts: readonly z.infer<typeof ToolCallPart>[]): void {
  parts.forEach((part, position) => {
    const index = part.index ?? position
    const before = into.toolCalls.get(index)
    if (!before && into.toolCalls.size >= MOST_TOOL_CALLS) return
    into.toolCalls.set(index, {
      id: part.id || (before?.id ?? ''),
      name: part.function?.name || (before?.name ?? ''),
      arguments: (before?.arguments ?? '') + (part.function?.arguments ?? ''),
    })
  })
}

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
  const toolCalls = part?.tool_calls ?? []
  collectToolCalls(into, toolCalls)
  if (text !== '' || reasoning !== '' || toolCalls.length > 0) into.pieces++
  if (choice?.finish_reason) into.finish = choice.finish_reason
  for (const { token, logprob, top_logprobs: top } of choice?.logprobs?.content ?? [])
    into.logProbs.push({ token, logprob, ...(top?.length ? { top } : {}) })
  into.promptTokens = chunk.usage?.prompt_tokens ?? into.promptTokens
  into.completionTokens = chunk.usage?.completion_tokens ?? into.completionTokens
}
