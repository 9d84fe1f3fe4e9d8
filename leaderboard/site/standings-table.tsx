import type { StandingRow } from '../../src/schema/rating.ts'
import { grouped, percent, rounded, signed } from './format.ts'
import { roundsPath } from './paths.ts'
import { Scroll } from './scroll.tsx'
import { oneLine } from './visible.ts'
import { type Axis, AxisTicks, axisOf, intervalText, Whisker } from './whisker.tsx'

interface TableProps {
  readonly rows: readonly StandingRow[]
  readonly season: string
}

/** Only rated competitors have a rank; it counts rated ones alone. */
function ranksOf(rows: readonly StandingRow[]): ReadonlyMap<string, number> {
  const rated = rows.filter((row) => row.state === 'rated')
  return new Map(rated.map((row, index) => [row.competitor, index + 1]))
}

const STATES: Readonly<Record<StandingRow['state'], string>> = {
  rated: 'rated',
  provisional: 'provisional',
  record: 'record only',
  retired: 'retired',
}

function RoleCell({ points, rating }: { readonly points: number; readonly rating: number | null }) {
  return (
    <td class="n">
      {signed(points)}
      <small>{rating === null ? '–' : signed(Math.round(rating))}</small>
    </td>
  )
}

interface RowProps {
  readonly row: StandingRow
  readonly rank: number | undefined
  /** Where nobody has a rank there is no column for it. */
  readonly showRank: boolean
  readonly axis: Axis | null
  readonly season: string
}

function Row({ row, rank, showRank, axis, season }: RowProps) {
  const interval = intervalText(row)
  return (
    <tr class={row.state}>
      {showRank && (
        <td class="rank">
          {rank ?? '–'}
          {row.rankBest !== null && (
            <small>
              {row.rankBest}–{row.rankWorst}
            </small>
          )}
        </td>
      )}
      <th scope="row">
        <a href={roundsPath(season, { submitter: row.competitor })}>
          <bdi>{oneLine(row.label, 80)}</bdi>
        </a>
        <small>
          <span class="state">{STATES[row.state]}</span>
          {row.label !== row.competitor && <span class="id">{oneLine(row.competitor, 60)}</span>}
        </small>
      </th>
      <td class="n points">{signed(row.points)}</td>
      <td class="n rating">
        {row.rating === null ? '–' : rounded(row.rating)}
        {interval && <small>{interval}</small>}
      </td>
      <td class="plot">{axis && <Whisker axis={axis} {...row} />}</td>
      <RoleCell points={row.patchPoints} rating={row.patchRating} />
      <RoleCell points={row.reviewPoints} rating={row.reviewRating} />
      <td class="n">
        {row.wins}–{row.losses}–{row.draws}
      </td>
      <td class="n">{grouped(row.rounds)}</td>
      <td class="n">{grouped(row.voids)}</td>
      <td class="n">{grouped(row.forfeits)}</td>
      <td class="n">{row.resolvedShare === null ? '–' : percent(row.resolvedShare)}</td>
    </tr>
  )
}

export function StandingsTable({ rows, season }: TableProps) {
  const axis = axisOf(rows)
  const ranks = ranksOf(rows)
  return (
    <section aria-labelledby="table">
      <h2 id="table" class="hidden">
        Table
      </h2>
      <Scroll label="Standings">
        <table class="standings">
          <thead>
            <tr>
              {ranks.size > 0 && (
                <th scope="col">
                  Rank<small>95 %</small>
                </th>
              )}
              <th scope="col">Competitor</th>
              <th scope="col" class="n">
                Points
              </th>
              <th scope="col" class="n">
                Rating<small>95 % interval</small>
              </th>
              <td class="plot">{axis && <AxisTicks axis={axis} />}</td>
              <th scope="col" class="n side patch">
                Patch<small>points, rating</small>
              </th>
              <th scope="col" class="n side tests">
                Review<small>points, rating</small>
              </th>
              <th scope="col" class="n">
                Record<small>won–lost–split</small>
              </th>
              <th scope="col" class="n">
                Rounds
              </th>
              <th scope="col" class="n">
                Void
              </th>
              <th scope="col" class="n">
                Forfeits
              </th>
              <th scope="col" class="n">
                Resolved<small>upstream tests</small>
              </th>
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <Row
                key={row.competitor}
                row={row}
                rank={ranks.get(row.competitor)}
                showRank={ranks.size > 0}
                axis={axis}
                season={season}
              />
            ))}
          </tbody>
        </table>
      </Scroll>
      <p class="note under">
        A rating is the sum of the skills for patches and for tests, with difficulty taken out; its interval
        counts a task as one observation. Points are those of the SwingArena paper.{' '}
        <a href="/method#ratings">More on both</a>
      </p>
    </section>
  )
}
