import { InputError } from '../errors.ts'

export interface CsvRow {
  /** 1-based, of the row's first line. */
  readonly line: number
  readonly fields: readonly string[]
}

export interface CsvTable {
  /** Of the first row, trimmed, in lower case. */
  readonly names: readonly string[]
  readonly rows: readonly CsvRow[]
}

/** A quoted field, which may hold commas, line ends and doubled quotes, or a plain one; and what ends it. */
const FIELD = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n|\n|$)/y

/**
 * Reads CSV (RFC 4180) with a first row of names. Plain fields are trimmed, blank lines are skipped, a byte order mark is
 * passed over. Throws InputError with the line and the column (both from 1). `place`: the file's name for the message.
 */
export function parseCsv(text: string, place: string): CsvTable {
  const field = new RegExp(FIELD)
  const rows: CsvRow[] = []
  let fields: string[] = []
  let line = 1
  let first = 1
  field.lastIndex = text.startsWith('\uFEFF') ? 1 : 0
  for (;;) {
    const match = field.exec(text)
    if (!match)
      throw new InputError(`column ${fields.length + 1}: a quote that does not enclose the field`, {
        place,
        line,
      })
    const [whole, quoted, plain = '', end] = match
    fields.push(quoted === undefined ? plain.trim() : quoted.replaceAll('""', '"'))
    line += whole.includes('\n') ? whole.split('\n').length - 1 : 0
    if (end === ',') continue
    if (fields.length > 1 || fields[0] !== '' || rows.length === 0) rows.push({ line: first, fields })
    fields = []
    first = line
    if (end === '' || field.lastIndex >= text.length) break
  }
  const [head, ...body] = rows
  const names = (head?.fields ?? []).map((name) => name.trim().toLowerCase())
  for (const row of body)
    if (row.fields.length !== names.length)
      throw new InputError(`${row.fields.length} columns where the first line has ${names.length}`, {
        place,
        line: row.line,
      })
  return { names, rows: body }
}

const quoted = (field: string): string =>
  /[",\r\n]|^\s|\s$/.test(field) ? `"${field.replaceAll('"', '""')}"` : field

/** CSV with a first row of names; every line ends with a line feed. */
export const toCsv = (names: readonly string[], rows: readonly (readonly string[])[]): string =>
  [names, ...rows].map((row) => `${row.map(quoted).join(',')}\n`).join('')
