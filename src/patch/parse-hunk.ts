import type { BodyLine, Hunk, StatedRange } from './diff-model.ts'

const HEADER = /^@@+ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/
/** What models write when they do not know the numbers: `@@`, `@@ ... @@`, `@@ def f():`. */
const BARE_HEADER = /^@@(?:\s|$)/

export const isHunkHeader = (line: string): boolean => HEADER.test(line) || BARE_HEADER.test(line)

/** Whether a file's two header lines start at `at`, followed by a hunk. */
export const startsFile = (lines: readonly string[], at: number): boolean =>
  (lines[at]?.startsWith('--- ') ?? false) &&
  (lines[at + 1]?.startsWith('+++ ') ?? false) &&
  isHunkHeader(lines[at + 2] ?? '')

/** Numbers far beyond any file are no numbers. */
const MAX_LINE = 100_000_000

function parseStated(header: string): StatedRange | null {
  const match = HEADER.exec(header)
  if (!match) return null
  const [oldStart = 0, oldCount = 1, newStart = 0, newCount = 1] = match
    .slice(1, 5)
    .map((text) => (text === undefined ? undefined : Number(text)))
  const range = { oldStart, oldCount, newStart, newCount }
  return Object.values(range).every((value) => value <= MAX_LINE) ? range : null
}

interface Body {
  readonly lines: readonly BodyLine[]
  readonly next: number
  readonly bareBlanks: number
}

const isBlank = (line: string): boolean => line === '' || line === '\r'
const isMarker = (line: string | undefined): boolean => line?.startsWith('\\') ?? false

/** One body line; a blank one is context that lost its space. Undefined when it cannot be one. */
function toBodyLine(line: string, noNewline: boolean): BodyLine | undefined {
  if (isBlank(line)) return { sign: ' ', text: line, noNewline }
  const sign = line[0]
  return sign === ' ' || sign === '+' || sign === '-' ? { sign, text: line.slice(1), noNewline } : undefined
}

/** A mail signature: `-- ` and a version. */
const isSignature = (lines: readonly string[], at: number): boolean =>
  /^-- ?\r?$/.test(lines[at] ?? '') && /^\d+[.\w-]*\s*$|^$/.test(lines[at + 1] ?? '')

/** Exactly as many lines as the header says; undefined when the lines do not fit it. */
function takeCounted(lines: readonly string[], from: number, stated: StatedRange): Body | undefined {
  const taken: BodyLine[] = []
  let { oldCount, newCount } = stated
  let bareBlanks = 0
  let at = from
  while (oldCount > 0 || newCount > 0) {
    const line = lines[at]
    if (line === undefined) return undefined
    const marked = isMarker(lines[at + 1])
    const body = toBodyLine(line, marked)
    if (body === undefined) return undefined
    if (isBlank(line)) bareBlanks++
    if (body.sign !== '+') oldCount--
    if (body.sign !== '-') newCount--
    taken.push(body)
    at += marked ? 2 : 1
  }
  if (oldCount < 0 || newCount < 0) return undefined
  const following = lines[at]
  const goesOn =
    following !== undefined &&
    !isBlank(following) &&
    toBodyLine(following, false) !== undefined &&
    !startsFile(lines, at) &&
    !isSignature(lines, at)
  return goesOn ? undefined : { lines: taken, next: at, bareBlanks }
}

/** As many lines as can belong to a hunk; blank lines at its end do not. */
function takeGreedy(lines: readonly string[], from: number): Body {
  const taken: { line: BodyLine; blank: boolean; next: number }[] = []
  let at = from
  for (;;) {
    const line = lines[at]
    if (line === undefined || startsFile(lines, at) || isSignature(lines, at)) break
    const marked = isMarker(lines[at + 1])
    const body = toBodyLine(line, marked)
    if (body === undefined) break
    at += marked ? 2 : 1
    taken.push({ line: body, blank: isBlank(line), next: at })
  }
  while (taken.at(-1)?.blank) taken.pop()
  return {
    lines: taken.map((entry) => entry.line),
    next: taken.at(-1)?.next ?? from,
    bareBlanks: taken.filter((entry) => entry.blank).length,
  }
}

/** Reads the hunk whose header stands at `at`. Counts that do not fit are counted again. */
export function parseHunk(
  lines: readonly string[],
  at: number,
): { readonly hunk: Hunk; readonly next: number; readonly bareBlanks: number } {
  const stated = parseStated(lines[at] ?? '')
  const counted = stated === null ? undefined : takeCounted(lines, at + 1, stated)
  const body = counted ?? takeGreedy(lines, at + 1)
  return {
    hunk: { stated, lines: body.lines, recounted: counted === undefined, line: at + 1 },
    next: body.next,
    bareBlanks: body.bareBlanks,
  }
}
