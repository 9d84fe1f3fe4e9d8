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
  readonly kind: 'patch' | 'tests'
  readonly signal?: AbortSignal
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
  readonly tokenLogProbs: { token: string; logprob: number }[] | null
  readonly durationMs: number
  readonly error: string | null
}

/** Something that answers: an endpoint or recorded answers. */
export interface ChatModel {
  /** Never throws for what the endpoint does. Throws ArenaError when the arena's own world is broken. */
  ask(request: AskRequest): Promise<ModelReply>
  /** Ends open connections. */
  close(): Promise<void>
}
