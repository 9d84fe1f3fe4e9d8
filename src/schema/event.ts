/** What the arena tells while it works; renderers choose what to show. Times come from the receiver's clock. */
export type ArenaEvent =
  | { kind: 'season-started'; season: string; tasks: number; competitors: number; rounds: number }
  | { kind: 'commit-mined'; commit: string; issue: number; loss: string | null }
  | { kind: 'verification-started'; tasks: number }
  | { kind: 'task-verified'; task: string; stage: string; done: number; total: number }
  | { kind: 'task-prepared'; task: string; language: string }
  | { kind: 'task-left-out'; task: string; reason: string }
  | {
      kind: 'generation'
      task: string
      competitor: string
      role: 'patch' | 'tests'
      outcome: string
      cached: boolean
    }
  | { kind: 'cell-started'; task: string; cell: string }
  | {
      kind: 'cell-finished'
      task: string
      cell: string
      cached: boolean
      durationMs: number
      outcome: string
    }
  | {
      kind: 'round'
      task: string
      submitter: string
      reviewer: string
      verdict: string
      done: number
      total: number
    }
  | {
      kind: 'step'
      leg: string
      step: string
      state: 'started' | 'finished'
      conclusion: string | null
      durationMs: number
    }
  | { kind: 'model-call'; competitor: string; attempt: number; state: string }
  | {
      kind: 'estimate'
      competitor: string
      leastCalls: number
      mostCalls: number
      leastPromptTokens: number
      mostPromptTokens: number
      mostOutputTokens: number
    }
  | { kind: 'warning'; message: string }

/** Progress leaves by this argument; it must not throw and must not block. */
export type OnEvent = (event: ArenaEvent) => void
