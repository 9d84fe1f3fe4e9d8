import { InputError } from '../errors.ts'
import type { RatedRound } from './rounds.ts'

const COLUMNS = ['task', 'submitter', 'reviewer', 'outcome'] as const
const REMEDY = 'expected the columns task,submitter,reviewer,outcome[,weight]'

/** The fields of one line; a quoted field may hold commas and doubled quotes, but no line end. */
function fieldsOf(text: string, place: string, line: number): readonly string[] {
  const fields: string[] = []
  let rest = text
  for (;;) {
    const quoted = /^"((?:[^"]|"")*)"(?=,|$)/.exec(rest)
    const plain = quoted ? null : /^[^",]*(?=,|$)/.exec(rest)
    const match = quoted ?? plain
    if (!match)
      throw new InputError(`column ${fields.length + 1}: a quote that does not enclose the field`, {
        place,
        line,
      })
    fields.push(quoted ? (quoted[1] ?? '').replaceAll('""', '"') : match[0].trim())
    rest = rest.slice(match[0].length)
    if (rest === '') return fields
    rest = rest.slice(1)
  }
}

function readLine(fields: readonly string[], width: number, place: string, line: number): RatedRound {
  const wrong = (column: number, name: string, message: string) =>
    new InputError(`column ${column} (${name}): ${message}`, { place, line })
  if (fields.length !== width)
    throw new InputError(`${fields.length} columns where the first line has ${width}`, { place, line })
  const [task = '', submitter = '', reviewer = '', outcome, weightText] = fields
  for (const [index, name] of [task, submitter, reviewer].entries())
    if (name === '') throw wrong(index + 1, COLUMNS[index] ?? '', 'must not be empty')
  if (submitter === reviewer) throw wrong(3, 'reviewer', `'${reviewer}' is the submitter too`)
  if (outcome !== '0' && outcome !== '1')
    throw wrong(4, 'outcome', `expected 1 (the patch survives) or 0 (it is killed), found '${outcome}'`)
  const y = outcome === '1' ? 1 : 0
  if (weightText === undefined) return { task, submitter, reviewer, y }
  const weight = Number(weightText)
  if (weightText === '' || !Number.isFinite(weight) || weight <= 0)
    throw wrong(5, 'weight', `expected a positive number, found '${weightText}'`)
  return { task, submitter, reviewer, y, weight }
}

/**
 * Reads rounds from CSV with a first line of names: `task,submitter,reviewer,outcome[,weight]`. Blank lines are skipped.
 * Throws InputError with line and column (both from 1). `place`: the file's name for the message.
 */
export function parseRounds(text: string, place: string): readonly RatedRound[] {
  const [head = '', ...lines] = text.replace(/^\uFEFF/, '').split(/\r?\n/)
  const names = fieldsOf(head, place, 1).map((name) => name.toLowerCase())
  const wanted: readonly string[] = names.length > COLUMNS.length ? [...COLUMNS, 'weight'] : COLUMNS
  wanted.forEach((name, index) => {
    const found = names[index]
    if (found !== name)
      throw new InputError(`column ${index + 1}: expected '${name}', found '${found ?? 'nothing'}'`, {
        place,
        line: 1,
        remedy: REMEDY,
      })
  })
  if (names.length > wanted.length)
    throw new InputError(`column ${wanted.length + 1}: one column too many`, {
      place,
      line: 1,
      remedy: REMEDY,
    })
  return lines.flatMap((line, index) =>
    line.trim() === '' ? [] : [readLine(fieldsOf(line, place, index + 2), names.length, place, index + 2)],
  )
}
