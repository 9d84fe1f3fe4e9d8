import type { StandingRow, Standings } from '../../src/schema/rating.ts'
import { plural, rounded, signed } from './format.ts'
import { roundPath } from './paths.ts'
import { Scroll } from './scroll.tsx'
import { oneLine } from './visible.ts'

const ratingOf = (row: StandingRow | undefined): string =>
  row?.rating === null || row?.rating === undefined ? '–' : rounded(row.rating)

/** The rows as judged beside those after the court. */
function BeforeAndAfter({
  rows,
  asJudged,
}: Pick<Standings, 'rows'> & { readonly asJudged: readonly StandingRow[] }) {
  const before = new Map(asJudged.map((row) => [row.competitor, row]))
  return (
    <Scroll label="As judged, and after the court">
      <table class="plain">
        <thead>
          <tr>
            <th scope="col">Competitor</th>
            <th scope="col" class="n">
              Points<small>as judged → after</small>
            </th>
            <th scope="col" class="n">
              Rating<small>as judged → after</small>
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => {
            const judged = before.get(row.competitor)
            return (
              <tr key={row.competitor}>
                <th scope="row">
                  <bdi>{oneLine(row.label, 80)}</bdi>
                </th>
                <td class="n">
                  {judged ? signed(judged.points) : '–'} → {signed(row.points)}
                </td>
                <td class="n">
                  {ratingOf(judged)} → {ratingOf(row)}
                </td>
              </tr>
            )
          })}
        </tbody>
      </table>
    </Scroll>
  )
}

/** What the kill court found: which tests, which verdicts, and the table without it. Nothing where no court was held. */
export function Court({ standings }: { readonly standings: Standings }) {
  const { court, rows, asJudged } = standings
  if (court.notHeld !== null) return null
  const { corroborated, contested } = court.kills
  return (
    <section aria-labelledby="court">
      <h2 id="court">Kill court</h2>
      <p class="note">
        {plural(corroborated + contested, 'kill')} as judged: {corroborated} corroborated by the upstream
        tests or by a third team’s, {contested} contested. A test is over-specified when it fails right
        patches of two other teams and more than half of all; it then kills no right patch.
      </p>
      {court.overSpecified.length > 0 && (
        <ul>
          {court.overSpecified.map(({ task, reviewer, key, fails, of }) => (
            <li key={`${task} ${reviewer} ${key.leg} ${key.file} ${key.case}`}>
              <code>{oneLine(key.case, 120)}</code> of <bdi>{oneLine(reviewer, 80)}</bdi> on {task}, leg{' '}
              {oneLine(key.leg, 60)}: fails {fails} of {of} right patches
            </li>
          ))}
        </ul>
      )}
      {court.changed.length > 0 && (
        <>
          <p>Verdicts that turned from reviewer-win to submitter-win:</p>
          <ul>
            {court.changed.map(({ round, task, submitter, reviewer }) => (
              <li key={round}>
                <a href={roundPath(round)}>
                  <bdi>{oneLine(submitter, 80)}</bdi> against <bdi>{oneLine(reviewer, 80)}</bdi> on {task}
                </a>
              </li>
            ))}
          </ul>
        </>
      )}
      {asJudged && <BeforeAndAfter rows={rows} asJudged={asJudged} />}
    </section>
  )
}
