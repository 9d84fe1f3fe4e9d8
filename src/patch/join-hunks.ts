import type { PlacedHunk, PlacedLine } from './place-hunks.ts'
import { splitLines } from './text-lines.ts'

const oldCount = (hunk: PlacedHunk): number => hunk.lines.filter((line) => line.sign !== '+').length
const endOfHunk = (hunk: PlacedHunk): number => hunk.start + oldCount(hunk)

/** How many context lines stand at the end, or with `reverse` at the start. */
function contextAt(lines: readonly PlacedLine[], side: 'start' | 'end'): number {
  const other =
    side === 'end'
      ? lines.findLastIndex((line) => line.sign !== ' ')
      : lines.findIndex((line) => line.sign !== ' ')
  if (other === -1) return lines.length
  return side === 'end' ? lines.length - 1 - other : other
}

/** Two hunks that touch or share context lines as one; undefined when both change the same line. */
function merge(first: PlacedHunk, second: PlacedHunk): PlacedHunk | undefined {
  let shared = endOfHunk(first) - second.start
  const tail = Math.min(shared, contextAt(first.lines, 'end'))
  const head = first.lines.slice(0, first.lines.length - tail)
  shared -= tail
  if (shared > contextAt(second.lines, 'start') || second.start + shared < first.start) return undefined
  return { start: first.start, lines: [...head, ...second.lines.slice(shared)] }
}

export type Joined =
  | { readonly kind: 'joined'; readonly hunks: readonly PlacedHunk[]; readonly completed: boolean }
  | { readonly kind: 'overlap'; readonly detail: string }

/** Context lines that git wants behind a hunk. */
const CONTEXT = 3

/**
 * Makes placed hunks such that git takes them: in the order of the file, without shared lines, and with context behind
 * each one that does not reach the file's end (git reads a hunk without it as one that must end the file).
 */
export function joinHunks(text: string, placed: readonly PlacedHunk[]): Joined {
  const file = splitLines(text)
  const sorted = placed.map((hunk, index) => ({ hunk, index }))
  sorted.sort((a, b) => a.hunk.start - b.hunk.start || a.index - b.index)
  let completed = sorted.some((entry, index) => entry.index !== index)
  const joined: PlacedHunk[] = []
  for (const { hunk } of sorted) {
    const previous = joined.at(-1)
    if (previous === undefined || endOfHunk(previous) < hunk.start) {
      joined.push(hunk)
      continue
    }
    const merged = merge(previous, hunk)
    if (merged === undefined)
      return { kind: 'overlap', detail: `two hunks change the same line ${hunk.start + 1}` }
    joined[joined.length - 1] = merged
    completed = true
  }
  const hunks: PlacedHunk[] = []
  for (let index = 0; index < joined.length; index++) {
    let hunk = joined[index]
    if (hunk === undefined) break
    while (contextAt(hunk.lines, 'end') === 0 && endOfHunk(hunk) < file.length) {
      const end = endOfHunk(hunk)
      const next = joined[index + 1]
      const upTo = Math.min(end + CONTEXT, next?.start ?? file.length, file.length)
      const added = file.slice(end, upTo).map((line): PlacedLine => ({ sign: ' ', line }))
      hunk = { start: hunk.start, lines: [...hunk.lines, ...added] }
      completed = true
      if (next === undefined || next.start > upTo) break
      // The gap is closed: what follows is the same hunk.
      hunk = { start: hunk.start, lines: [...hunk.lines, ...next.lines] }
      index++
    }
    hunks.push(hunk)
  }
  return { kind: 'joined', hunks, completed }
}

/** The file after its hunks: what git is expected to make of it. */
export function applyPlaced(text: string, hunks: readonly PlacedHunk[]): string {
  const file = splitLines(text)
  let at = 0
  let result = ''
  for (const hunk of hunks) {
    result += file.slice(at, hunk.start).join('')
    for (const line of hunk.lines) if (line.sign !== '-') result += line.line
    at = endOfHunk(hunk)
  }
  return result + file.slice(at).join('')
}

/** Hunks in the form of a unified diff, numbers and counts included. */
export function formatHunks(hunks: readonly PlacedHunk[]): string {
  let shift = 0
  return hunks
    .map((hunk) => {
      const removed = oldCount(hunk)
      const added = hunk.lines.filter((line) => line.sign !== '-').length
      // An empty range names the line before it.
      const from = removed === 0 ? hunk.start : hunk.start + 1
      const to = (added === 0 ? hunk.start : hunk.start + 1) + shift
      shift += added - removed
      const body = hunk.lines.map(({ sign, line }) =>
        line.endsWith('\n') ? sign + line : `${sign}${line}\n\\ No newline at end of file\n`,
      )
      return `@@ -${from},${removed} +${to},${added} @@\n${body.join('')}`
    })
    .join('')
}
