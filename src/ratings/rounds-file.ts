import { InputError } from '../errors.ts'
import { parseCsv } from './csv.ts'
import type { RatedRound } from './rounds.ts'

const REQUIRED = ['task', 'submitter', 'reviewer', 'outcome'] as const
const KNOWN: readonly string[] = [...REQUIRED, 'weight', 'battle', 'rated']
const REMEDY = 'expected the columns task,submitter,reviewer,outcome[,weight][,battle][,rated]'

export interface RoundsFile {
  readonly rounds: readonly RatedRound[]
  /** Columns, or members, that say nothing to the ratings. */
  readonly ignored: readonly string[]
  /** Rounds that the file itself calls unrated (`rated` is 0). */
  readonly unrated: number
  /** Whether a weight is given: a weighted round is no battle of its own. */
  readonly weighted: boolean
}

/** One round as text, however it was written. */
interface RoundText {
  readonly line: number
  readonly textOf: (name: string) => string | undefined
  /** How the place of a field is called: `column 4 (outcome)`. */
  readonly called: (name: string) => string
}

function readRound(text: RoundText, place: string): RatedRound | null {
  const { line, textOf, called } = text
  const wrong = (name: string, message: string) =>
    new InputError(`${called(name)}: ${message}`, { place, line })
  const given = (name: string): string => {
    const value = textOf(name)
    if (value === undefined || value === '') throw wrong(name, 'must not be empty')
    return value
  }
  const rated = textOf('rated')
  if (rated !== undefined && rated !== '0' && rated !== '1')
    throw wrong('rated', `expected 1 or 0, found '${rated}'`)
  const [task, submitter, reviewer] = [given('task'), given('submitter'), given('reviewer')]
  if (rated === '0') return null
  if (submitter === reviewer) throw wrong('reviewer', `'${reviewer}' is the submitter too`)
  const outcome = textOf('outcome')
  if (outcome !== '0' && outcome !== '1')
    throw wrong('outcome', `expected 1 (the patch survives) or 0 (it is killed), found '${outcome ?? ''}'`)
  const weightText = textOf('weight')
  const weight = Number(weightText)
  if (weightText !== undefined && (weightText === '' || !Number.isFinite(weight) || weight <= 0))
    throw wrong('weight', `expected a positive number, found '${weightText}'`)
  const battle = textOf('battle')
  return {
    task,
    submitter,
    reviewer,
    y: outcome === '1' ? 1 : 0,
    ...(weightText === undefined ? {} : { weight }),
    ...(battle ? { battle } : {}),
  }
}

function csvRounds(text: string, place: string): { names: readonly string[]; texts: readonly RoundText[] } {
  const { names, rows } = parseCsv(text, place)
  const missing = REQUIRED.filter((name) => !names.includes(name))
  if (missing.length > 0) {
    const found = names.every((name) => name === '') ? 'nothing' : names.join(',')
    throw new InputError(`no column ${missing.join(', ')}; found ${found}`, {
      place,
      line: 1,
      remedy: REMEDY,
    })
  }
  const twice = names.find((name, index) => names.indexOf(name) !== index)
  if (twice !== undefined) throw new InputError(`column '${twice}' stands twice`, { place, line: 1 })
  const at = new Map(names.map((name, index) => [name, index]))
  return {
    names,
    texts: rows.map(({ line, fields }) => ({
      line,
      textOf: (name) => fields[at.get(name) ?? -1],
      called: (name) => `column ${(at.get(name) ?? -1) + 1} (${name})`,
    })),
  }
}

function jsonRounds(text: string, place: string): { names: readonly string[]; texts: readonly RoundText[] } {
  const names = new Set<string>()
  const texts = text.split('\n').flatMap((source, index): readonly RoundText[] => {
    if (source.trim() === '') return []
    const line = index + 1
    let value: unknown
    try {
      value = JSON.parse(source)
    } catch (cause) {
      throw new InputError('not a JSON object on one line', { place, line, cause })
    }
    if (value === null || typeof value !== 'object' || Array.isArray(value))
      throw new InputError('expected a JSON object', { place, line, remedy: REMEDY })
    const members = new Map(Object.entries(value))
    for (const name of members.keys()) names.add(name)
    return [
      {
        line,
        textOf: (name) => {
          const member = members.get(name)
          return member === undefined || member === null ? undefined : String(member)
        },
        called: (name) => name,
      },
    ]
  })
  return { names: [...names], texts }
}

/**
 * Reads rounds from CSV with a first row of names, or from NDJSON, a JSON object a line: task, submitter, reviewer and
 * outcome (1 the patch survives, 0 it is killed); optionally weight, battle (tells repeats of a task and pair apart) and
 * rated (0 leaves the round out). Columns may stand in any order. Throws InputError with line and column.
 */
export function parseRounds(text: string, place: string): RoundsFile {
  const { names, texts } = /^\uFEFF?\s*\{/.test(text) ? jsonRounds(text, place) : csvRounds(text, place)
  const read = texts.map((round) => readRound(round, place))
  const rounds = read.filter((round) => round !== null)
  return {
    rounds,
    ignored: names.filter((name) => !KNOWN.includes(name)),
    unrated: read.length - rounds.length,
    weighted: rounds.some(({ weight }) => weight !== undefined),
  }
}
