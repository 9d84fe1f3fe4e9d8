import { CHARACTERS_PER_TOKEN } from '../schema/model.ts'

/** What one generation will be asked with. */
export interface PlannedGeneration {
  readonly competitor: string
  /** Characters of the first messages together. */
  readonly promptCharacters: number
  readonly maxOutputTokens: number
}

export interface CallEstimate {
  readonly competitor: string
  /** When every first answer can be used. */
  readonly leastCalls: number
  /** When every answer but the last of each generation cannot. */
  readonly mostCalls: number
  /** For `leastCalls`; a rough number, see CHARACTERS_PER_TOKEN. */
  readonly leastPromptTokens: number
  readonly mostPromptTokens: number
  /** Every answer as long as it may be. */
  readonly mostOutputTokens: number
}

/**
 * Calls and tokens before a battle is played. An asking after an unusable answer carries the earlier exchange again.
 * `attempts`: answers asked for before a role forfeits.
 */
export function estimateCalls(
  generations: readonly PlannedGeneration[],
  attempts: number,
): readonly CallEstimate[] {
  const byCompetitor = new Map<string, CallEstimate>()
  for (const { competitor, promptCharacters, maxOutputTokens } of generations) {
    const promptTokens = Math.ceil(promptCharacters / CHARACTERS_PER_TOKEN)
    const before = byCompetitor.get(competitor)
    // Asking n sends the prompt and the n − 1 answers before it.
    const mostPrompt = attempts * promptTokens + maxOutputTokens * ((attempts * (attempts - 1)) / 2)
    byCompetitor.set(competitor, {
      competitor,
      leastCalls: (before?.leastCalls ?? 0) + 1,
      mostCalls: (before?.mostCalls ?? 0) + attempts,
      leastPromptTokens: (before?.leastPromptTokens ?? 0) + promptTokens,
      mostPromptTokens: (before?.mostPromptTokens ?? 0) + mostPrompt,
      mostOutputTokens: (before?.mostOutputTokens ?? 0) + attempts * maxOutputTokens,
    })
  }
  return [...byCompetitor.values()]
}
