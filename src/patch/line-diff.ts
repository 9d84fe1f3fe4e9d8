/** One step from old lines to new ones; `old` and `new` are 0-based places. */
export interface DiffStep {
  readonly sign: ' ' | '+' | '-'
  readonly old: number
  readonly new: number
}

/** Edits beyond this are shown as one block removed and one added: the search is quadratic in them. */
const MOST_EDITS = 1500

/** Myers' greedy search (An O(ND) Difference Algorithm, 1986); undefined when more than MOST_EDITS edits are needed. */
function shortestTrace(a: readonly string[], b: readonly string[]): Int32Array[] | undefined {
  const limit = Math.min(a.length + b.length, MOST_EDITS)
  const offset = limit + 1
  const furthest = new Int32Array(2 * limit + 3)
  const trace: Int32Array[] = []
  const at = (diagonal: number): number => furthest[diagonal + offset] ?? 0
  for (let edits = 0; edits <= limit; edits++) {
    trace.push(furthest.slice())
    for (let diagonal = -edits; diagonal <= edits; diagonal += 2) {
      const down = diagonal === -edits || (diagonal !== edits && at(diagonal - 1) < at(diagonal + 1))
      let x = down ? at(diagonal + 1) : at(diagonal - 1) + 1
      let y = x - diagonal
      while (x < a.length && y < b.length && a[x] === b[y]) {
        x++
        y++
      }
      furthest[diagonal + offset] = x
      if (x >= a.length && y >= b.length) return trace
    }
  }
  return undefined
}

function walkBack(a: readonly string[], b: readonly string[], trace: readonly Int32Array[]): DiffStep[] {
  const limit = Math.min(a.length + b.length, MOST_EDITS)
  const offset = limit + 1
  const steps: DiffStep[] = []
  let x = a.length
  let y = b.length
  for (let edits = trace.length - 1; edits >= 0; edits--) {
    const furthest = trace[edits]
    const at = (diagonal: number): number => furthest?.[diagonal + offset] ?? 0
    const diagonal = x - y
    const down = diagonal === -edits || (diagonal !== edits && at(diagonal - 1) < at(diagonal + 1))
    const before = down ? diagonal + 1 : diagonal - 1
    const fromX = edits === 0 ? 0 : at(before)
    const fromY = edits === 0 ? 0 : fromX - before
    while (x > fromX && y > fromY) steps.push({ sign: ' ', old: --x, new: --y })
    if (edits === 0) break
    if (down) steps.push({ sign: '+', old: x, new: --y })
    else steps.push({ sign: '-', old: --x, new: y })
  }
  return steps.reverse()
}

/** How to come from old to new lines: the shortest way, or for very different ones all out and all in. */
export function diffLines(a: readonly string[], b: readonly string[]): readonly DiffStep[] {
  let start = 0
  while (start < a.length && start < b.length && a[start] === b[start]) start++
  let end = 0
  while (end < a.length - start && end < b.length - start && a[a.length - 1 - end] === b[b.length - 1 - end])
    end++
  const oldMiddle = a.slice(start, a.length - end)
  const newMiddle = b.slice(start, b.length - end)
  const trace = shortestTrace(oldMiddle, newMiddle)
  const middle =
    trace === undefined
      ? [
          ...oldMiddle.map((_, index): DiffStep => ({ sign: '-', old: index, new: 0 })),
          ...newMiddle.map((_, index): DiffStep => ({ sign: '+', old: oldMiddle.length, new: index })),
        ]
      : walkBack(oldMiddle, newMiddle, trace)
  const same = (from: number, to: number, count: number): DiffStep[] =>
    Array.from({ length: count }, (_, index) => ({ sign: ' ', old: from + index, new: to + index }))
  return [
    ...same(0, 0, start),
    ...middle.map((step) => ({ sign: step.sign, old: step.old + start, new: step.new + start })),
    ...same(a.length - end, b.length - end, end),
  ]
}

/** 0-based places in the new lines that the old ones do not have. */
export const addedLines = (a: readonly string[], b: readonly string[]): readonly number[] =>
  diffLines(a, b)
    .filter((step) => step.sign === '+')
    .map((step) => step.new)
