import type { Standings } from '../schema/rating.ts'

export interface Column {
  readonly title: string
  readonly align: 'left' | 'right'
}

/** Plain text in columns, two spaces apart. */
export function renderTable(columns: readonly Column[], rows: readonly (readonly string[])[]): string {
  const widths = columns.map((column, index) =>
    Math.max(column.title.length, ...rows.map((row) => row[index]?.length ?? 0)),
  )
  const line = (cells: readonly string[]): string =>
    columns
      .map((column, index) => {
        const cell = cells[index] ?? ''
        const width = widths[index] ?? 0
        return column.align === 'right' ? cell.padStart(width) : cell.padEnd(width)
      })
      .join('  ')
      .trimEnd()
  return [line(columns.map((column) => column.title)), ...rows.map(line)].join('\n')
}

const whole = (value: number | null): string => (value === null ? '–' : String(Math.round(value)))
const share = (value: number | null): string => (value === null ? '–' : `${Math.round(value * 100)} %`)

/** The standings as a terminal shows them, controls and remarks included. */
export function renderStandings(standings: Standings): string {
  const left = (title: string): Column => ({ title, align: 'left' })
  const right = (title: string): Column => ({ title, align: 'right' })
  const table = renderTable(
    [
      left('competitor'),
      right('points'),
      right('patch'),
      right('review'),
      right('rating'),
      left('95 %'),
      right('won'),
      right('lost'),
      right('split'),
      right('void'),
      right('forfeits'),
      right('resolved'),
      left('state'),
    ],
    standings.rows.map((row) => [
      row.label,
      String(row.points),
      String(row.patchPoints),
      String(row.reviewPoints),
      whole(row.rating),
      row.low === null || row.high === null ? '–' : `${whole(row.low)}–${whole(row.high)}`,
      String(row.wins),
      String(row.losses),
      String(row.draws),
      String(row.voids),
      String(row.forfeits),
      share(row.resolvedShare),
      row.state,
    ]),
  )
  const controls = renderTable(
    [
      left('control'),
      left('role'),
      right('rounds counted'),
      right('patch survived'),
      left('expected'),
      left('holds'),
    ],
    standings.controls.map((row) => [
      row.control,
      row.role,
      `${row.counted} of ${row.rounds}`,
      share(row.survived),
      row.expected,
      row.holds ? 'yes' : 'NO',
    ]),
  )
  return [
    `${standings.title}: ${standings.rounds} rounds on ${standings.tasks.length} tasks, ${standings.voidRounds} void`,
    '',
    table,
    ...(standings.controls.length > 0 ? ['', controls] : []),
    ...(standings.remarks.length > 0 ? ['', ...standings.remarks] : []),
    '',
  ].join('\n')
}
