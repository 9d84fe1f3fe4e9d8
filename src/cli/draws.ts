import type { PlayedSeason } from '../arena/play-season.ts'
import { renderTable } from './table.ts'

const left = (title: string) => ({ title, align: 'left' as const })
const right = (title: string) => ({ title, align: 'right' as const })

const share = (value: number | null | undefined): string =>
  value === null || value === undefined ? '–' : `${Math.round(value * 100)} %`

/** What drawing several patches was worth, and how much of it the choice made of them; '' where none were drawn. */
export function renderDraws(draws: PlayedSeason['draws']): string {
  if (draws.length === 0) return ''
  const table = renderTable(
    [
      left('draws of'),
      right('tasks'),
      right('k'),
      right('Best@1'),
      right('Best@k'),
      right('chosen'),
      right('random'),
      right('oracle'),
      right('captured'),
      right('scored'),
    ],
    draws.map((row) => [
      row.competitor,
      String(row.tasks),
      String(row.k),
      share(row.bestAt[0]),
      share(row.bestAt.at(-1)),
      share(row.chosen),
      share(row.random),
      share(row.oracle),
      share(row.captured),
      `${row.scored} of ${row.patches}`,
    ]),
  )
  return `\n${table}\n`
}
