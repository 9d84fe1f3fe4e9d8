import { z } from 'zod'
import { addToolCall, type Collected } from './collected.ts'

const Count = z.number().int().nonnegative()

const Usage = z.looseObject({
  input_tokens: Count.nullish(),
  cache_creation_input_tokens: Count.nullish(),
  cache_read_input_tokens: Count.nullish(),
  output_tokens: Count.nullish(),
})

/** `text`, `thinking`, `redacted_thinking`, `tool_use`, and whatever comes later, which is not read. */
const Block = z.looseObject({
  type: z.string(),
  text: z.string().nullish(),
  thinking: z.string().nullish(),
  id: z.string().nullish(),
  name: z.string().nullish(),
  input: z.unknown().optional(),
})

/** A whole answer; `message_start` carries the same with nothing in it yet. */
export const AnthropicMessage = z.looseObject({
  type: z.literal('message'),
  content: z.array(Block),
  stop_reason: z.string().nullish(),
  usage: Usage.nullish(),
})

const Delta = z.looseObject({
  text: z.string().nullish(),
  thinking: z.string().nullish(),
  partial_json: z.string().nullish(),
  stop_reason: z.string().nullish(),
})

/** One event of a stream. Events of other types (`ping`, `content_block_stop`) say nothing that is read. */
export const AnthropicEvent = z.looseObject({
  type: z.string(),
  index: z.number().nullish(),
  message: z.looseObject({ usage: Usage.nullish() }).nullish(),
  content_block: Block.nullish(),
  delta: Delta.nullish(),
  usage: Usage.nullish(),
  error: z.looseObject({ type: z.string().nullish(), message: z.string().nullish() }).nullish(),
})
export type AnthropicEvent = z.infer<typeof AnthropicEvent>

/** Anthropic's reasons in OpenAI's words; others stay as they are. */
const STOP_REASONS: ReadonlyMap<string, string> = new Map([
  ['end_turn', 'stop'],
  ['stop_sequence', 'stop'],
  ['max_tokens', 'length'],
  ['model_context_window_exceeded', 'length'],
  ['tool_use', 'tool_calls'],
])

function addUsage(into: Collected, usage: z.infer<typeof Usage> | null | undefined): void {
  if (!usage) return
  const { input_tokens: read, cache_creation_input_tokens: made, cache_read_input_tokens: cached } = usage
  // Its input tokens are those beside the cache.
  if (read != null) into.promptTokens = read + (made ?? 0) + (cached ?? 0)
  into.cachedTokens = cached ?? into.cachedTokens
  into.completionTokens = usage.output_tokens ?? into.completionTokens
}

function addStop(into: Collected, reason: string | null | undefined): void {
  if (!reason) return
  into.finish = STOP_REASONS.get(reason) ?? reason
}

interface Piece {
  readonly text?: string | null | undefined
  readonly thinking?: string | null | undefined
  readonly tool?: { readonly id?: string; readonly name?: string; readonly arguments?: string } | undefined
}

function addPiece(into: Collected, index: number, { text, thinking, tool }: Piece): void {
  if (text) into.text.push(text)
  if (thinking) into.reasoning.push(thinking)
  if (tool) addToolCall(into, index, tool)
  if (text || thinking || tool) into.pieces++
}

const toolOf = (block: z.infer<typeof Block>, input: string): Piece['tool'] =>
  block.type === 'tool_use' ? { id: block.id ?? '', name: block.name ?? '', arguments: input } : undefined

/** Adds one event to what was collected. */
export function collectEvent(into: Collected, event: AnthropicEvent): void {
  const index = event.index ?? 0
  addUsage(into, event.message?.usage)
  addUsage(into, event.usage)
  const block = event.content_block
  if (block) addPiece(into, index, { text: block.text, thinking: block.thinking, tool: toolOf(block, '') })
  const { delta } = event
  if (!delta) return
  const input = delta.partial_json
  addPiece(into, index, { ...delta, tool: input ? { arguments: input } : undefined })
  addStop(into, delta.stop_reason)
}

/** Takes a whole answer. */
export function collectMessage(into: Collected, message: z.infer<typeof AnthropicMessage>): void {
  message.content.forEach((block, index) => {
    const input = JSON.stringify(block.input ?? {})
    addPiece(into, index, { text: block.text, thinking: block.thinking, tool: toolOf(block, input) })
  })
  addStop(into, message.stop_reason)
  addUsage(into, message.usage)
}
