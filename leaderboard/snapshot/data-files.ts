import { InputError } from '../../src/errors.ts'
import { parseCsv, toCsv } from '../../src/ratings/csv.ts'
import { parseInput } from '../../src/schema/parse.ts'
import { TestKey, Verdict } from '../../src/schema/verdict.ts'
import type { StandingCompetitor, StandingRound } from '../rated-battles.ts'
import type { RatedSeason } from '../standings.ts'
import type { SeasonData } from './season-data.ts'

/** Names of a snapshot's data files, and their columns. */
export const COLUMNS = {
  'rounds.csv': [
    'task',
    'submitter',
    'reviewer',
    'outcome',
    'rated',
    'battle',
    'round',
    'control',
    'language',
    'repository',
    'verdict',
    'verdict_as_judged',
    'outcome_as_judged',
    'submitter_points_as_judged',
    'reviewer_points_as_judged',
    'playable',
    'resolved',
    'patch',
    'flags_as_judged',
  ],
  'tests.csv': [
    'task',
    'submitter',
    'reviewer',
    'round',
    'leg',
    'file',
    'case',
    'result',
    'detail',
    'over_specified',
  ],
  'competitors.csv': ['competitor', 'label', 'team', 'control', 'retired'],
} as const

export type DataFile = keyof typeof COLUMNS
export type DataFiles = Readonly<Record<DataFile, string>>
export const DATA_FILES = Object.keys(COLUMNS) as readonly DataFile[]

const byText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)
const flag = (value: boolean): string => (value ? '1' : '0')
const number = (value: number | null): string => (value === null ? '' : String(value))

/** One row as text: what rows are ordered by. */
const rowText = (row: readonly string[]): string => toCsv(row, [])

const inOrder = (rows: readonly (readonly string[])[]): readonly (readonly string[])[] =>
  rows
    .map((row) => ({ row, text: rowText(row) }))
    .sort((a, b) => byText(a.text, b.text))
    .map(({ row }) => row)

/** A file in canonical form: its rows in code-unit order. Throws InputError when it is not CSV with these columns. */
export function canonicalFile(name: DataFile, text: string): string {
  const { names, rows } = parseCsv(text, name)
  const wanted = COLUMNS[name]
  if (names.join() !== wanted.join())
    throw new InputError(`the columns are ${names.join()}`, {
      place: name,
      line: 1,
      remedy: `expected ${wanted.join()}`,
    })
  return toCsv(wanted, inOrder(rows.map(({ fields }) => fields)))
}

/** The rows of a canonical file by its task; of a file without tasks nothing. */
export function rowsByTask(
  name: DataFile,
  text: string,
): ReadonlyMap<string, readonly (readonly string[])[]> {
  const { names, rows } = parseCsv(text, name)
  const at = names.indexOf('task')
  const byTask = new Map<string, (readonly string[])[]>()
  if (at < 0) return byTask
  for (const { fields } of rows) {
    const task = fields[at] ?? ''
    const own = byTask.get(task)
    if (own) own.push(fields)
    else byTask.set(task, [fields])
  }
  return byTask
}

function resultOf(verdict: StandingRound['verdict'], key: TestKey) {
  const isKey = (other: TestKey): boolean =>
    other.leg === key.leg && other.file === key.file && other.case === key.case
  const killing = verdict.killedBy.find(isKey)
  if (killing) return { result: 'failed', detail: killing.outcome }
  if (verdict.undecided?.some(isKey)) return { result: 'undecided', detail: '' }
  return { result: verdict.playable === 'yes' ? 'passed' : 'not-run', detail: '' }
}

/** The data as canonical files. What the court and the models make of a round stands in columns of its own. */
export function toFiles(
  { tasks, competitors, rounds }: SeasonData,
  { settled, sorted, court }: RatedSeason,
): DataFiles {
  const taskOf = new Map(tasks.map((task) => [task.id, task]))
  const after = new Map(settled.map((round) => [round.id, round.verdict]))
  const rated = new Set(sorted.rated.map(({ battle, submitter }) => `${battle} ${submitter}`))
  const unfair = new Set(
    court.overSpecified.map(({ task, reviewer, key }) =>
      JSON.stringify([task, reviewer, key.leg, key.file, key.case]),
    ),
  )
  const roundRows = rounds.map((round) => {
    const { verdict } = round
    const now = after.get(round.id) ?? verdict
    const { language = '', repository = '' } = taskOf.get(round.taskId) ?? {}
    return [
      round.taskId,
      round.submitter,
      round.reviewer,
      number(now.y),
      flag(!round.control && rated.has(`${round.battle} ${round.submitter}`)),
      round.battle,
      round.id,
      flag(round.control),
      language,
      repository,
      now.kind,
      verdict.kind,
      number(verdict.y),
      String(verdict.points.submitter),
      String(verdict.points.reviewer),
      verdict.playable,
      verdict.resolved,
      round.patch,
      [...verdict.flags].sort(byText).join(' '),
    ]
  })
  const testRows = rounds.flatMap((round) =>
    round.verdict.admitted.map((key) => {
      const { result, detail } = resultOf(round.verdict, key)
      const { taskId, submitter, reviewer, id } = round
      const name = JSON.stringify([taskId, reviewer, key.leg, key.file, key.case])
      return [
        taskId,
        submitter,
        reviewer,
        id,
        key.leg,
        key.file,
        key.case,
        result,
        detail,
        flag(unfair.has(name)),
      ]
    }),
  )
  const competitorRows = competitors.map(({ id, label, team, control, retired }) => [
    id,
    label,
    team,
    control ?? '',
    flag(retired ?? false),
  ])
  return {
    'rounds.csv': toCsv(COLUMNS['rounds.csv'], inOrder(roundRows)),
    'tests.csv': toCsv(COLUMNS['tests.csv'], inOrder(testRows)),
    'competitors.csv': toCsv(COLUMNS['competitors.csv'], inOrder(competitorRows)),
  }
}

type Row = Readonly<Record<string, string>>

const recordsOf = (
  name: DataFile,
  text: string,
): readonly { readonly line: number; readonly record: Row }[] => {
  const { names, rows } = parseCsv(text, name)
  return rows.map(({ line, fields }) => ({
    line,
    record: Object.fromEntries(names.map((column, index) => [column, fields[index] ?? ''])),
  }))
}

const RoundVerdict = Verdict.pick({
  kind: true,
  y: true,
  points: true,
  playable: true,
  resolved: true,
  flags: true,
})

const yOf = (text: string): number | string | null =>
  text === '' ? null : text === '0' || text === '1' ? Number(text) : text

/** The data that files hold; columns that follow from others are passed over. Throws InputError with file and line. */
export function fromFiles(files: DataFiles, known: Pick<SeasonData, 'season' | 'anchors'>): SeasonData {
  const admitted = new Map<string, { key: TestKey; result: string; detail: string }[]>()
  for (const { line, record } of recordsOf('tests.csv', files['tests.csv'])) {
    const { round = '', leg, file, case: name, result = '', detail = '' } = record
    if (!['passed', 'failed', 'undecided', 'not-run'].includes(result))
      throw new InputError(`result: found '${result}'`, { place: 'tests.csv', line })
    const own = admitted.get(round) ?? []
    admitted.set(round, own)
    own.push({ key: TestKey.parse({ leg, file, case: name }), result, detail })
  }
  const tasks = new Map<string, SeasonData['tasks'][number]>()
  const rounds = recordsOf('rounds.csv', files['rounds.csv']).map(({ line, record }): StandingRound => {
    const { task = '', round: id = '', language = '', repository = '' } = record
    tasks.set(task, { id: task, language, repository })
    const keys = admitted.get(id) ?? []
    const undecided = keys.filter(({ result }) => result === 'undecided').map(({ key }) => key)
    const verdict = parseInput(
      RoundVerdict,
      {
        kind: record.verdict_as_judged,
        y: yOf(record.outcome_as_judged ?? ''),
        points: {
          submitter: Number(record.submitter_points_as_judged),
          reviewer: Number(record.reviewer_points_as_judged),
        },
        playable: record.playable,
        resolved: record.resolved,
        flags: (record.flags_as_judged ?? '').split(' ').filter(Boolean),
      },
      `rounds.csv:${line}`,
    )
    return {
      id,
      battle: record.battle ?? '',
      taskId: task,
      submitter: record.submitter ?? '',
      reviewer: record.reviewer ?? '',
      control: record.control === '1',
      patch: record.patch ?? '',
      verdict: {
        ...verdict,
        admitted: keys.map(({ key }) => key),
        killedBy: keys
          .filter(({ result }) => result === 'failed')
          .map(({ key, detail }) => ({ ...key, outcome: detail })),
        ...(undecided.length > 0 ? { undecided } : {}),
      },
    }
  })
  const competitors = recordsOf('competitors.csv', files['competitors.csv']).map(
    ({ record }): StandingCompetitor => ({
      id: record.competitor ?? '',
      label: record.label ?? '',
      team: record.team ?? '',
      control: record.control || null,
      retired: record.retired === '1',
    }),
  )
  return {
    ...known,
    tasks: [...tasks.values()].sort((a, b) => byText(a.id, b.id)),
    competitors: [...competitors].sort((a, b) => byText(a.id, b.id)),
    rounds,
  }
}
