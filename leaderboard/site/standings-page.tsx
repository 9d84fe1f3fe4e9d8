import type { Standings } from '../../src/schema/rating.ts'
import type { RoundSummary } from '../../src/schema/view.ts'
import { Balance } from './balance.tsx'
import { ControlsTable } from './controls-table.tsx'
import { Court } from './court.tsx'
import { CrossTable } from './cross-table.tsx'
import { type Frame, renderDocument } from './document.tsx'
import { plural } from './format.ts'
import { roundsPath, seasonPath } from './paths.ts'
import { StandingsTable } from './standings-table.tsx'
import { oneLine } from './visible.ts'
import { languageName } from './words.ts'

export interface StandingsPageData {
  readonly standings: Standings
  readonly rounds: readonly RoundSummary[]
}

function Remarks({ remarks }: Pick<Standings, 'remarks'>) {
  if (remarks.length === 0) return null
  return (
    <div class="remarks" role="note">
      {remarks.map((remark) => (
        <p key={remark}>{remark}</p>
      ))}
    </div>
  )
}

function Tasks({ standings }: Pick<StandingsPageData, 'standings'>) {
  return (
    <section aria-labelledby="tasks">
      <h2 id="tasks">Tasks</h2>
      <ul class="tasks">
        {standings.tasks.map(({ id, language }) => (
          <li key={id}>
            <span class="lang">{languageName(language)}</span>
            <a href={roundsPath(standings.season, { task: id })}>{id}</a>
          </li>
        ))}
      </ul>
    </section>
  )
}

function Nothing() {
  return (
    <section class="message">
      <h2>Nothing settled yet</h2>
      <p class="lead">No round of this season has a verdict. A season that was stopped goes on with</p>
      <pre class="command">arena season FILE</pre>
    </section>
  )
}

export function renderStandingsPage({ standings, rounds }: StandingsPageData, frame: Frame): string {
  const title = oneLine(standings.title, 120)
  const rated = rounds.filter((round) => !round.control)
  const facts = [
    plural(standings.rows.length, 'competitor'),
    plural(standings.tasks.length, 'task'),
    plural(standings.battles, 'battle'),
    plural(standings.rounds, 'round'),
    `${standings.protocol} protocol`,
  ]
  return renderDocument({
    title,
    description: `Standings of ${title}: ${facts.join(', ')}.`,
    frame,
    here: 'standings',
    canonical: seasonPath(standings.season),
    children: (
      <>
        <div class="masthead">
          <p class="eyebrow">Standings</p>
          <h1>{title}</h1>
          <p class="facts">
            {facts.map((fact) => (
              <span key={fact}>{fact}</span>
            ))}
          </p>
        </div>
        {standings.rows.length === 0 && rounds.length === 0 ? (
          <Nothing />
        ) : (
          <>
            <Remarks remarks={standings.remarks} />
            <StandingsTable rows={standings.rows} season={standings.season} />
            <Balance rounds={rated} season={standings.season} />
            <CrossTable standings={standings} rounds={rated} />
            <Court standings={standings} />
            <ControlsTable standings={standings} />
            <Tasks standings={standings} />
          </>
        )}
      </>
    ),
  })
}
