/** The languages with braces whose literals and comments we can tell from code. */
export type BraceLanguage = 'go' | 'rust' | 'cpp'

/**
 * The text with comments, and what stands inside string and character literals, blanked out: same length, same lines, so
 * that offsets hold and every brace that is left is one of the code. Never throws: an open literal ends with the text.
 */
export function maskCode(text: string, language: BraceLanguage): string {
  let masked = ''
  let at = 0
  while (at < text.length) {
    const end = endOfComment(text, at, language) ?? endOfLiteral(text, at, language)
    if (end === undefined) {
      masked += text[at]
      at += 1
    } else {
      masked += text.slice(at, end).replaceAll(/[^\r\n]/g, ' ')
      at = end
    }
  }
  return masked
}

function endOfComment(text: string, at: number, language: BraceLanguage): number | undefined {
  if (text.startsWith('//', at)) {
    const end = text.indexOf('\n', at)
    return end === -1 ? text.length : end
  }
  if (!text.startsWith('/*', at)) return undefined
  let depth = 1
  let end = at + 2
  while (end < text.length && depth > 0) {
    if (text.startsWith('*/', end)) {
      depth -= 1
      end += 2
    } else if (language === 'rust' && text.startsWith('/*', end)) {
      depth += 1
      end += 2
    } else end += 1
  }
  return end
}

const after = (text: string, mark: string, from: number): number => {
  const found = text.indexOf(mark, from)
  return found === -1 ? text.length : found + mark.length
}

const isWord = (char: string | undefined): boolean => char !== undefined && /\w/.test(char)

function endOfLiteral(text: string, at: number, language: BraceLanguage): number | undefined {
  const char = text[at]
  const raw = endOfRawString(text, at, language)
  if (raw !== undefined) return raw
  if (char === '"') return endOfQuoted(text, at, '"')
  if (char !== "'") return undefined
  // A digit separator: 1'000.
  if (language === 'cpp' && /[0-9a-fA-F]/.test(text[at - 1] ?? '') && isWord(text[at + 1])) return undefined
  if (language === 'rust' && text[at + 1] !== '\\') {
    // One character and a quote is a character, anything else a lifetime or a label.
    const [first = ''] = text.slice(at + 1, at + 3)
    return text[at + 1 + first.length] === "'" ? at + 2 + first.length : undefined
  }
  return endOfQuoted(text, at, "'")
}

function endOfRawString(text: string, at: number, language: BraceLanguage): number | undefined {
  if (language === 'go') return text[at] === '`' ? after(text, '`', at + 1) : undefined
  if (language === 'rust') {
    if (
      text[at] !== 'r' ||
      (isWord(text[at - 1]) && !/(^|\W)[bc]$/.test(text.slice(Math.max(0, at - 2), at)))
    )
      return undefined
    const hashes = /^r(#*)"/.exec(text.slice(at, at + 260))?.[1]
    return hashes === undefined ? undefined : after(text, `"${hashes}`, at + 2 + hashes.length)
  }
  if (text[at] !== 'R' || text[at + 1] !== '"') return undefined
  if (isWord(text[at - 1]) && !/(^|\W)(u8|[uUL])$/.test(text.slice(Math.max(0, at - 3), at))) return undefined
  const delimiter = /^R"([^()\\\s]{0,16})\(/.exec(text.slice(at, at + 20))?.[1]
  return delimiter === undefined ? undefined : after(text, `)${delimiter}"`, at + 2)
}

function endOfQuoted(text: string, at: number, quote: string): number {
  let end = at + 1
  while (end < text.length) {
    if (text[end] === '\\') end += 2
    else if (text[end] === quote) return end + 1
    else end += 1
  }
  return text.length
}

/** The offset of the bracket that closes the one at `open` in masked code; undefined when there is none. */
export function closingBracket(masked: string, open: number): number | undefined {
  const pairs: Readonly<Record<string, string>> = { '(': ')', '[': ']', '{': '}' }
  const opener = masked[open] ?? ''
  const closer = pairs[opener]
  if (closer === undefined) return undefined
  let depth = 0
  for (let at = open; at < masked.length; at += 1) {
    if (masked[at] === opener) depth += 1
    else if (masked[at] === closer) {
      depth -= 1
      if (depth === 0) return at
    }
  }
  return undefined
}

/** 1-based line of an offset. */
export const lineOf = (text: string, offset: number): number => text.slice(0, offset).split('\n').length

/** Lines `from` to `to`, 1-based and inclusive, as text. */
export const linesOf = (text: string, from: number, to: number): string =>
  text
    .split('\n')
    .slice(from - 1, to)
    .join('\n')

/** Puts lines behind the given 1-based line. */
export function insertAfterLine(text: string, line: number, lines: readonly string[]): string {
  const rows = text.split('\n')
  const after = rows.slice(line)
  return [...rows.slice(0, line), ...lines, ...(after.length > 0 ? after : [''])].join('\n')
}
