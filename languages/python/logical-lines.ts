/** A logical line of Python: what the language takes as one line, over brackets, strings and continuations. */
export interface LogicalLine {
  /** 1-based, inclusive. */
  readonly startLine: number
  readonly endLine: number
  /** Columns before the first character, a tab counted to the next multiple of eight. */
  readonly indent: number
  /** Its text without comments; the content of strings is left out. */
  readonly code: string
}

/** The logical lines of a file that hold code; blank lines and comments are no lines. Never throws on broken code. */
export function logicalLines(text: string): readonly LogicalLine[] {
  const lines: LogicalLine[] = []
  let at = 0
  let line = 1
  let depth = 0
  let startLine = 1
  let indent = 0
  let code = ''
  const close = (): void => {
    if (code.trim() !== '') lines.push({ startLine, endLine: line, indent, code: code.trim() })
    code = ''
  }
  while (at < text.length) {
    const char = text[at] ?? ''
    if (code === '' && char !== '\n' && char !== '#' && /\S/.test(char)) {
      startLine = line
      indent = columnsBefore(text, at)
    }
    const string = stringEnd(text, at)
    if (string !== undefined) {
      code += '""'
      line += newlines(text.slice(at, string))
      at = string
      continue
    }
    if (char === '#') at = endOf(text, at)
    else if (char === '\n') {
      if (depth === 0) close()
      line += 1
      at += 1
    } else if (char === '\\' && /^\\\r?\n/.test(text.slice(at, at + 3))) {
      at = endOf(text, at) + 1
      line += 1
    } else {
      if ('([{'.includes(char)) depth += 1
      if (')]}'.includes(char)) depth = Math.max(0, depth - 1)
      if (code !== '' || /\S/.test(char)) code += char
      at += 1
    }
  }
  close()
  return lines
}

/** The end of the string literal whose quote stands at `at`; undefined when there is none. Prefixes stay in the code. */
function stringEnd(text: string, at: number): number | undefined {
  const quote = text[at]
  if (quote !== '"' && quote !== "'") return undefined
  const triple = text.startsWith(quote.repeat(3), at)
  const close = triple ? quote.repeat(3) : quote
  let end = at + close.length
  while (end < text.length) {
    if (text[end] === '\\') end += 2
    else if (text.startsWith(close, end)) return end + close.length
    else if (!triple && text[end] === '\n') return end
    else end += 1
  }
  return text.length
}

function columnsBefore(text: string, at: number): number {
  const start = text.lastIndexOf('\n', at - 1) + 1
  let columns = 0
  for (const char of text.slice(start, at))
    columns = char === '\t' ? columns - (columns % 8) + 8 : columns + 1
  return columns
}

const newlines = (text: string): number => text.split('\n').length - 1

function endOf(text: string, at: number): number {
  const end = text.indexOf('\n', at)
  return end === -1 ? text.length : end
}
