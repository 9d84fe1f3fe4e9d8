import type { ControlRow, Standings } from '../../src/schema/rating.ts'
import { grouped, percent } from './format.ts'
import { roundsPath } from './paths.ts'
import { Scroll } from './scroll.tsx'
import { controlName } from './words.ts'

interface ControlsProps {
  readonly standings: Standings
}

function Row({ control, season }: { readonly control: ControlRow; readonly season: string }) {
  const filter = { [control.role]: control.control }
  return (
    <tr>
      <th scope="row">
        <a href={roundsPath(season, filter)}>{controlName(control.control)}</a>
      </th>
      <td>{control.role === 'submitter' ? 'as a patch' : 'as tests'}</td>
      <td>{control.expected}</td>
      <td class="n">{control.survived === null ? 'none counted' : percent(control.survived)}</td>
      <td class="n">
        {grouped(control.counted)} of {grouped(control.rounds)}
      </td>
      <td>
        <span class={control.holds ? 'good' : 'bad'}>
          <span aria-hidden="true">{control.holds ? '✓' : '✕'}</span>{' '}
          {control.holds ? 'holds' : 'does not hold'}
        </span>
      </td>
    </tr>
  )
}

/** The season's own check: what must come out whatever the competitors do. */
export function ControlsTable({ standings }: ControlsProps) {
  const { controls, season } = standings
  if (controls.length === 0) return null
  return (
    <section aria-labelledby="controls">
      <h2 id="controls">Controls</h2>
      <p class="note">
        Played like everybody, rated like nobody: if one of these does not hold, the judge is wrong, not the
        competitors.
      </p>
      <Scroll label="Controls">
        <table class="plain">
          <thead>
            <tr>
              <th scope="col">Control</th>
              <th scope="col">Role</th>
              <th scope="col">Expected</th>
              <th scope="col" class="n">
                Patch survived
              </th>
              <th scope="col" class="n">
                Rounds counted
              </th>
              <th scope="col">Found</th>
            </tr>
          </thead>
          <tbody>
            {controls.map((control) => (
              <Row key={`${control.control} ${control.role}`} control={control} season={season} />
            ))}
          </tbody>
        </table>
      </Scroll>
    </section>
  )
}
