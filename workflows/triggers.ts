import { entries, items, sourceOf, type Token } from './token.ts'

/** Whether the workflow's `on` names the event. Branch, tag and path filters are not applied: the arena asks for the run. */
export function triggers(on: Token | undefined, event: string): boolean {
  const names = [sourceOf(on), ...items(on).map(sourceOf), ...entries(on).map(([name]) => name)]
  return names.includes(event)
}
