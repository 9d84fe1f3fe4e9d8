import type { Hint } from '../schema/hint.ts'
import type { AppliedChanges, RepoView } from '../schema/tree.ts'
import { diffLines } from './line-diff.ts'
import { readText } from './read-text.ts'
import { splitLines } from './text-lines.ts'

/** Places that are shown, and lines shown around each. */
const MOST = 3
const AROUND = 10

/** The places that a patch changed most, most changed first, with the lines around them. Deleted and binary files have none. */
export function mostChanged(base: RepoView, changes: AppliedChanges): readonly Hint[] {
  const hints = changes.changes.flatMap((change): Hint[] => {
    if (change.change === 'delete') return []
    const after = readText(Buffer.from(change.contentBase64, 'base64'))
    const before = readText(base.read(change.path) ?? Buffer.alloc(0))
    if (after === undefined || before === undefined) return []
    const lines = splitLines(after)
    const places: { from: number; to: number; changed: number }[] = []
    // Where the next line of the patched file stands: a removed line has no place of its own.
    let place = 0
    for (const step of diffLines(splitLines(before), lines)) {
      if (step.sign !== ' ') {
        const last = places.at(-1)
        if (last && place - last.to <= AROUND) {
          last.to = place
          last.changed++
        } else places.push({ from: place, to: place, changed: 1 })
      }
      if (step.sign !== '-') place++
    }
    return places.map(({ from, to, changed }) => {
      const start = Math.max(0, from - AROUND)
      const end = Math.min(lines.length, to + AROUND + 1)
      return {
        path: change.path,
        startLine: start + 1,
        endLine: end,
        changedLines: changed,
        text: lines.slice(start, end).join(''),
      }
    })
  })
  return hints.sort((a, b) => b.changedLines - a.changedLines).slice(0, MOST)
}
