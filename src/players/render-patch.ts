import type { Hint } from '../schema/hint.ts'
import { fill } from './fill.ts'
import { HINTS } from './prompts/hints.ts'

/** Characters of a rival's patch, and of one changed place, that are shown. */
const MOST_PATCH = 32_000
const MOST_PLACE = 4000

/** A diff between the tags of the prompt, which it cannot close itself. */
export function renderPatch(diff: string): string {
  const shown =
    diff.length <= MOST_PATCH
      ? diff
      : `${diff.slice(0, MOST_PATCH)}\n[… ${diff.length - MOST_PATCH} characters more]`
  return shown.trimEnd().replace(/<\/(patch)/gi, '< /$1')
}

const numbered = (text: string, start: number): string =>
  text
    .slice(0, MOST_PLACE)
    .trimEnd()
    .split('\n')
    .map((line, index) => `${start + index}| ${line}\n`)
    .join('')

/** Where the patch changed most, with line numbers; '' without hints. */
export function renderHints(hints: readonly Hint[]): string {
  if (hints.length === 0) return ''
  const places = hints.map(({ path, startLine, endLine, changedLines, text }) =>
    fill(HINTS.place, {
      path,
      start: String(startLine),
      end: String(endLine),
      changed: String(changedLines),
      lines: numbered(text, startLine),
    }),
  )
  return fill(HINTS.frame, { places: places.join('') })
}
