const ESCAPES: Readonly<Record<string, string>> = {
  a: '\x07',
  b: '\b',
  t: '\t',
  n: '\n',
  v: '\v',
  f: '\f',
  r: '\r',
  '"': '"',
  '\\': '\\',
}

/** Characters of a header line that are read. */
export const LONGEST = 20_000

/** A C-style quoted name of git at the start of `text`: its bytes as latin1, and what follows. Undefined when not one. */
export function readQuoted(text: string): { readonly value: string; readonly rest: string } | undefined {
  // No path is that long, and the search keeps a step for every character.
  if (text.length > LONGEST) return undefined
  const match = /^"((?:[^"\\]|\\[abtnvfr"\\]|\\[0-3][0-7]{2})*)"/.exec(text)
  if (match?.[1] === undefined) return undefined
  const value = match[1].replace(/\\([0-3][0-7]{2}|.)/g, (_, code: string) =>
    code.length === 3 ? String.fromCharCode(Number.parseInt(code, 8)) : (ESCAPES[code] ?? code),
  )
  return { value, rest: text.slice(match[0].length) }
}

/** Writes a path (bytes as latin1) as git reads it: quoted when anything in it is not plain. */
export function quotePath(path: string): string {
  if (/^[\x21\x23-\x5b\x5d-\x7e]+$/.test(path)) return path
  const escaped = path.replace(
    /[^\x20\x21\x23-\x5b\x5d-\x7e]/g,
    (character) => `\\${character.charCodeAt(0).toString(8).padStart(3, '0')}`,
  )
  return `"${escaped}"`
}

/** Bytes as latin1 → text, undefined when they are not UTF-8. */
export function utf8FromLatin1(latin1: string): string | undefined {
  const bytes = Buffer.from(latin1, 'latin1')
  const text = bytes.toString('utf8')
  return Buffer.from(text, 'utf8').equals(bytes) ? text : undefined
}

export const latin1FromUtf8 = (text: string): string => Buffer.from(text, 'utf8').toString('latin1')
