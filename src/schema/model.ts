/** Rule of thumb for English and code; tokenizers differ by a third either way. */
export const CHARACTERS_PER_TOKEN = 4

/** One message of a chat. */
export interface ChatMessage {
  readonly role: 'system' | 'user' | 'assistant'
  readonly content: string
}

export interface AskRequest {
  readonly messages: readonly ChatMessage[]
  /** 1 for the first asking. */
  readonly attempt: number
  readonly taskId: string
  readonly kind: 'patch' | 'tests' | 'verify'
  readonly signal?: AbortSignal
  /** Asks for the log probability of each answer token and of this many alternatives at its place, 0 to 20. */
  readonly logProbs?: number
  /** Tokens of the answer; it may only lower what the competitor's settings say. */
  readonly maxOutputTokens?: number
  /** Hard limits of this answer: what goes beyond them ends it as a fault. Bytes are those of the whole response. */
  readonly ceiling?: { readonly tokens?: number; readonly bytes?: number }
  /** Instead of the competitor's own, 0 to 2. */
  readonly temperature?: number
  /** Which of several samples of the same asking this is; 0 when left out. It only tells recorded ones apart. */
  readonly repeat?: number
  /** Which of several drawn from the same asking in one season, from 0. It only tells recorded ones apart. */
  readonly sample?: number
  /** Which time the role is asked in a battle whose rounds follow each other, from 1. It only chooses recorded answers. */
  readonly round?: number
}

export interface TokenLogProb {
  readonly token: string
  /** Natural logarithm. */
  readonly logprob: number
  /** What could have stood in its place, most likely first, the token itself included; absent where none was given. */
  readonly top?: readonly { readonly token: string; readonly logprob: number }[]
}

/** A function that the model wants called. Its arguments are the model's own text and may be no JSON. */
export interface ToolCall {
  readonly id: string
  readonly name: string
  readonly arguments: string
}

/** What a model gave back. A fault of the endpoint is a value too: `error` says it, and what came before it is kept. */
export interface ModelReply {
  /** The request as sent, without headers. */
  readonly request: unknown
  /** The answer's bytes as they came, cut at the byte cap; null when none came. Secrets are cut out. */
  readonly raw: Buffer | null
  readonly text: string
  readonly reasoning: string
  /** `stop`, `length`, `content_filter`, … as the endpoint says; null when it says nothing. */
  readonly stopReason: string | null
  readonly promptTokens: number | null
  readonly completionTokens: number | null
  /** Of the prompt's tokens those that the server had read before; absent where it does not say. */
  readonly cachedTokens?: number
  /** Null where none were given. */
  readonly tokenLogProbs: readonly TokenLogProb[] | null
  /** Absent where there are none. */
  readonly toolCalls?: readonly ToolCall[]
  /** From the first sending to the end, without `waitedMs`. */
  readonly durationMs: number
  /** Milliseconds in which the endpoint was asked by others, as many as it takes; absent where nothing is sent. */
  readonly waitedMs?: number
  /** From the last sending to its first text. */
  readonly firstTextMs?: number
  /** Sendings, the first one counted. */
  readonly tries?: number
  /** Ids of the answer's tokens, where the server gives them. */
  readonly tokenIds?: readonly number[]
  readonly error: string | null
}

/** Something that answers: an endpoint or recorded answers. */
export interface ChatModel {
  /** Never throws for what the endpoint does. Throws ArenaError when the arena's own world is broken. */
  ask(request: AskRequest): Promise<ModelReply>
  /** Ends open connections. */
  close(): Promise<void>
}
