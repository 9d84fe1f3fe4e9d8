import { grouped } from './format.ts'
import { spaced } from './words.ts'

/** How often each outcome occurs, passed first, then by name. */
export function countOutcomes(outcomes: readonly string[]): readonly (readonly [string, number])[] {
  const counts = new Map<string, number>()
  for (const outcome of outcomes) counts.set(outcome, (counts.get(outcome) ?? 0) + 1)
  const rank = (outcome: string): string => (outcome === 'passed' ? '' : outcome)
  return [...counts].sort(([a], [b]) => (rank(a) < rank(b) ? -1 : 1))
}

export const outcomesText = (counts: readonly (readonly [string, number])[]): string =>
  counts.map(([outcome, count]) => `${grouped(count)} ${spaced(outcome)}`).join(', ')
