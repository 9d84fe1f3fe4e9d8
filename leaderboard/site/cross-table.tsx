import type { StandingRow, Standings } from '../../src/schema/rating.ts'
import type { RoundSummary } from '../../src/schema/view.ts'
import { roundPath, roundsPath } from './paths.ts'
import { Scroll } from './scroll.tsx'
import { oneLine } from './visible.ts'
import { languageShort, verdictWords } from './words.ts'

interface CrossTableProps {
  readonly standings: Standings
  readonly rounds: readonly RoundSummary[]
}

/** More marks than this in a field are a number instead. */
const MARKS_PER_FIELD = 6

type Fields = ReadonlyMap<string, readonly RoundSummary[]>

const fieldKey = (submitter: string, reviewer: string): string => `${submitter} ${reviewer}`

function fieldsOf(rounds: readonly RoundSummary[]): Fields {
  const fields = new Map<string, RoundSummary[]>()
  for (const round of rounds) {
    const key = fieldKey(round.submitter, round.reviewer)
    const field = fields.get(key)
    if (field) field.push(round)
    else fields.set(key, [round])
  }
  return fields
}

/** One mark a task, always in the place of its task. */
function Marks({ standings, rounds }: CrossTableProps) {
  return (
    <div class="quarters">
      {standings.tasks.map(({ id, language }) => {
        const round = rounds.find(({ taskId }) => taskId === id)
        if (!round) return <i key={id} class="m none" />
        const words = verdictWords(round.verdict)
        return (
          <a
            key={id}
            class={`m ${words.mark}`}
            href={roundPath(round.id)}
            title={`${languageShort(language)}: ${words.label}`}
          >
            {`${languageShort(language)}: ${words.label}`}
          </a>
        )
      })}
    </div>
  )
}

/** Patches that survived, of the rounds that were decided. */
function Share({ standings, rounds }: CrossTableProps) {
  const [first] = rounds
  if (!first) return null
  const { submitter, reviewer } = first
  const { survived, killed } = tallyOf(rounds)
  const text = `${survived} of ${survived + killed} patches survived`
  return (
    <a href={roundsPath(standings.season, { submitter, reviewer })} title={text}>
      {survived}/{survived + killed}
    </a>
  )
}

function Field(props: CrossTableProps & { readonly self: boolean }) {
  if (props.rounds.length === 0)
    return <td class={props.self ? 'self' : undefined}>{props.self ? '' : '·'}</td>
  const few =
    props.standings.tasks.length <= MARKS_PER_FIELD && props.rounds.length <= props.standings.tasks.length
  const { standings, rounds } = props
  return (
    <td>
      {few ? (
        <Marks standings={standings} rounds={rounds} />
      ) : (
        <Share standings={standings} rounds={rounds} />
      )}
    </td>
  )
}

interface Tally {
  readonly survived: number
  readonly killed: number
}

function tallyOf(rounds: readonly RoundSummary[]): Tally {
  const sides = rounds.map(({ verdict }) => verdictWords(verdict).side)
  return {
    survived: sides.filter((side) => side === 'patch').length,
    killed: sides.filter((side) => side === 'tests').length,
  }
}

/** What a line of the table comes to: patches that survived in a row, that were killed in a column. */
function Total({ rounds, count }: { readonly rounds: readonly RoundSummary[]; readonly count: keyof Tally }) {
  const tally = tallyOf(rounds)
  return (
    <td class="total">
      <b>{tally[count]}</b>/{tally.survived + tally.killed}
    </td>
  )
}

const NameCell = ({ row, scope }: { readonly row: StandingRow; readonly scope: 'row' | 'col' }) => (
  <th scope={scope}>
    <bdi>{oneLine(row.label, 40)}</bdi>
  </th>
)

/** Patches against tests: which survived which, each mark a link to its round. */
export function CrossTable({ standings, rounds }: CrossTableProps) {
  const { rows, tasks } = standings
  if (rows.length === 0 || rounds.length === 0) return null
  const fields = fieldsOf(rounds)
  return (
    <section aria-labelledby="cross">
      <h2 id="cross">Patches against tests</h2>
      <p class="note">
        A row is a competitor’s patches, a column the tests they met.{' '}
        {tasks.length <= MARKS_PER_FIELD ? (
          <>
            One mark a task, read as{' '}
            <span class="key quarters">
              {tasks.map(({ id, language }) => (
                <i key={id} title={id}>
                  {languageShort(language)}
                </i>
              ))}
            </span>
            ; each opens its round.
          </>
        ) : (
          'A field says how many patches survived of the rounds that were decided.'
        )}
      </p>
      <Scroll label="Patches against tests">
        <table class="cross">
          <thead>
            <tr>
              <td>
                <span class="patch">patches ↓</span> <span class="tests">tests →</span>
              </td>
              {rows.map((row) => (
                <NameCell key={row.competitor} row={row} scope="col" />
              ))}
              <th scope="col" class="total">
                survived
              </th>
            </tr>
          </thead>
          <tbody>
            {rows.map((submitter) => (
              <tr key={submitter.competitor}>
                <NameCell row={submitter} scope="row" />
                {rows.map(({ competitor }) => (
                  <Field
                    key={competitor}
                    standings={standings}
                    rounds={fields.get(fieldKey(submitter.competitor, competitor)) ?? []}
                    self={competitor === submitter.competitor}
                  />
                ))}
                <Total
                  count="survived"
                  rounds={rounds.filter((round) => round.submitter === submitter.competitor)}
                />
              </tr>
            ))}
          </tbody>
          <tfoot>
            <tr>
              <th scope="row">killed</th>
              {rows.map(({ competitor }) => (
                <Total
                  key={competitor}
                  count="killed"
                  rounds={rounds.filter((round) => round.reviewer === competitor)}
                />
              ))}
              <td />
            </tr>
          </tfoot>
        </table>
      </Scroll>
    </section>
  )
}
