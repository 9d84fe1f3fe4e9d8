/** Lines with their own ends: joined they are the text again. The last one may have none. */
export const splitLines = (text: string): readonly string[] => text.match(/[^\n]*\n|[^\n]+$/g) ?? []

/** A line without its end. */
export const contentOf = (line: string): string => line.replace(/\r?\n$/, '')

export const endOf = (line: string): string => /\r?\n$/.exec(line)?.[0] ?? ''

/** The line end that most lines of the text have; a line feed where there is none. */
export function usualEnd(lines: readonly string[]): string {
  const crlf = lines.filter((line) => line.endsWith('\r\n')).length
  const ended = lines.filter((line) => line.endsWith('\n')).length
  return crlf * 2 > ended ? '\r\n' : '\n'
}

/** 0-based places where `wanted` stands in `lines`, at most `most`; linear in both (Knuth, Morris, Pratt). */
export function findRuns(
  lines: readonly string[],
  wanted: readonly string[],
  most: number,
): readonly number[] {
  if (wanted.length === 0 || wanted.length > lines.length) return []
  const fallback: number[] = [0]
  for (let at = 1, matched = 0; at < wanted.length; at++) {
    while (matched > 0 && wanted[at] !== wanted[matched]) matched = fallback[matched - 1] ?? 0
    if (wanted[at] === wanted[matched]) matched++
    fallback.push(matched)
  }
  const found: number[] = []
  for (let at = 0, matched = 0; at < lines.length && found.length < most; at++) {
    while (matched > 0 && lines[at] !== wanted[matched]) matched = fallback[matched - 1] ?? 0
    if (lines[at] === wanted[matched]) matched++
    if (matched === wanted.length) {
      found.push(at - wanted.length + 1)
      matched = fallback[matched - 1] ?? 0
    }
  }
  return found
}
