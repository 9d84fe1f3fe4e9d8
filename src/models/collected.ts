import type { TokenLogProb, ToolCall } from '../schema/model.ts'

/** The parts of an answer so far, whatever API it came by. */
export interface Collected {
  text: string[]
  reasoning: string[]
  refused: boolean
  /** Why it ended, in OpenAI's words where there is one. */
  finish: string | null
  promptTokens: number | null
  /** Of the prompt's tokens those that the server had read before. */
  cachedTokens: number | null
  completionTokens: number | null
  logProbs: TokenLogProb[]
  tokenIds: number[]
  /** By the index that the server gives; arguments come in pieces. */
  toolCalls: Map<number, ToolCall>
  /** Events that brought something of an answer: at least as many tokens were made. */
  pieces: number
}

export const emptyCollected = (): Collected => ({
  text: [],
  reasoning: [],
  refused: false,
  finish: null,
  promptTokens: null,
  cachedTokens: null,
  completionTokens: null,
  logProbs: [],
  tokenIds: [],
  toolCalls: new Map(),
  pieces: 0,
})

/** Calls of one answer that are kept: a hostile server makes any number. */
const MOST_TOOL_CALLS = 128

/** Adds a piece of a tool call; what is empty in it leaves what was said before. */
export function addToolCall(into: Collected, index: number, piece: Partial<ToolCall>): void {
  const before = into.toolCalls.get(index)
  if (!before && into.toolCalls.size >= MOST_TOOL_CALLS) return
  into.toolCalls.set(index, {
    id: piece.id || (before?.id ?? ''),
    name: piece.name || (before?.name ?? ''),
    arguments: (before?.arguments ?? '') + (piece.arguments ?? ''),
  })
}
