import { diffLines } from '../patch/line-diff.ts'
import { splitLines } from '../patch/text-lines.ts'

export interface Reverted {
  /** The text with one hunk as it was. */
  readonly text: string
  /** 0-based line of the hunk in the text as it is now. */
  readonly line: number
  readonly before: string
  readonly after: string
}

/** Lines of `now`, 0-based, that are not in `old`, or behind which something of `old` is gone. */
export function changedLines(old: string, now: string): ReadonlySet<number> {
  const steps = diffLines(splitLines(old), splitLines(now))
  return new Set(steps.filter(({ sign }) => sign !== ' ').map((step) => step.new))
}

/** The text with each of its hunks put back to what it was, one at a time. */
export function revertHunks(old: string, now: string): readonly Reverted[] {
  const before = splitLines(old)
  const after = splitLines(now)
  const steps = diffLines(before, after)
  const hunks: { first: number; last: number }[] = []
  steps.forEach(({ sign }, index) => {
    if (sign === ' ') return
    const open = hunks.at(-1)
    if (open && open.last === index - 1) open.last = index
    else hunks.push({ first: index, last: index })
  })
  return hunks.map(({ first, last }) => {
    const hunk = steps.slice(first, last + 1)
    const isInside = (index: number): boolean => index >= first && index <= last
    const lines = steps.flatMap((step, index) => {
      const kept = isInside(index) ? step.sign === '-' : step.sign !== '-'
      return kept ? [(step.sign === '-' ? before[step.old] : after[step.new]) ?? ''] : []
    })
    const linesOf = (sign: '+' | '-'): string =>
      hunk
        .filter((step) => step.sign === sign)
        .map((step) => (sign === '-' ? before[step.old] : after[step.new]) ?? '')
        .join('')
    return { text: lines.join(''), line: hunk[0]?.new ?? 0, before: linesOf('+'), after: linesOf('-') }
  })
}
