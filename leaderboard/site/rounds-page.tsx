import type { Standings } from '../../src/schema/rating.ts'
import type { RoundSummary } from '../../src/schema/view.ts'
import { type Frame, renderDocument } from './document.tsx'
import { plural, signed } from './format.ts'
import { VerdictTag } from './mark.tsx'
import { type RoundFilter, roundPath, roundsPath, seasonPath } from './paths.ts'
import { Scroll } from './scroll.tsx'
import { oneLine } from './visible.ts'
import { controlName, languageName, VERDICT_ORDER, verdictWords } from './words.ts'

export interface RoundsPageData {
  readonly standings: Standings
  readonly rounds: readonly RoundSummary[]
  readonly wanted: RoundFilter
}

const PER_PAGE = 100

function matching(rounds: readonly RoundSummary[], wanted: RoundFilter): readonly RoundSummary[] {
  const fits = (filter: string | undefined, value: string): boolean =>
    filter === undefined || filter === value
  return rounds.filter(
    (round) =>
      fits(wanted.task, round.taskId) &&
      fits(wanted.submitter, round.submitter) &&
      fits(wanted.reviewer, round.reviewer) &&
      fits(wanted.verdict, round.verdict),
  )
}

type Choice = readonly [value: string, text: string]

interface SelectProps {
  readonly name: keyof RoundFilter
  readonly label: string
  readonly chosen: string | undefined
  readonly choices: readonly Choice[]
}

function Select({ name, label, chosen, choices }: SelectProps) {
  return (
    <label>
      {label}
      <select name={name}>
        <option value="">all</option>
        {choices.map(([value, text]) => (
          <option key={value} value={value} selected={value === chosen}>
            {text}
          </option>
        ))}
      </select>
    </label>
  )
}

type NameOf = (id: string) => string

/** Labels of the competitors; who has no row in the standings is a control. */
function namesIn({ rows }: Standings): NameOf {
  const labels = new Map(rows.map((row) => [row.competitor, oneLine(row.label, 60)]))
  return (id) => labels.get(id) ?? `control: ${controlName(id)}`
}

function Filters({ standings, rounds, wanted, nameOf }: RoundsPageData & { readonly nameOf: NameOf }) {
  const choices = (ids: readonly string[], text: (id: string) => string): readonly Choice[] =>
    [...new Set(ids)].sort().map((id) => [id, text(id)])
  return (
    <form class="filters" action={roundsPath(standings.season)}>
      <Select
        name="task"
        label="Task"
        chosen={wanted.task}
        choices={choices(
          rounds.map(({ taskId }) => taskId),
          (id) => id,
        )}
      />
      <Select
        name="submitter"
        label="Patch by"
        chosen={wanted.submitter}
        choices={choices(
          rounds.map(({ submitter }) => submitter),
          nameOf,
        )}
      />
      <Select
        name="reviewer"
        label="Tests by"
        chosen={wanted.reviewer}
        choices={choices(
          rounds.map(({ reviewer }) => reviewer),
          nameOf,
        )}
      />
      <Select
        name="verdict"
        label="Verdict"
        chosen={wanted.verdict}
        choices={VERDICT_ORDER.map((kind) => [kind, verdictWords(kind).label])}
      />
      <button type="submit">Show</button>
    </form>
  )
}

function Row({ round, nameOf }: { readonly round: RoundSummary; readonly nameOf: NameOf }) {
  return (
    <tr class={round.control ? 'control' : undefined}>
      <th scope="row">
        <a href={roundPath(round.id)}>
          <bdi>{nameOf(round.submitter)}</bdi> against <bdi>{nameOf(round.reviewer)}</bdi>
        </a>
        <small>
          {round.taskId}, {languageName(round.language)}
          {round.control && ', not rated'}
        </small>
      </th>
      <td>
        <VerdictTag kind={round.verdict} />
      </td>
      <td class="n">{signed(round.submitterPoints)}</td>
      <td class="n">{signed(round.reviewerPoints)}</td>
      <td class="n">{round.admitted}</td>
      <td class="n">{round.killedBy.length}</td>
    </tr>
  )
}

interface PagesProps {
  readonly season: string
  readonly wanted: RoundFilter
  readonly page: number
  readonly last: number
}

function Pages({ season, wanted, page, last }: PagesProps) {
  if (last <= 1) return null
  return (
    <nav class="pages" aria-label="Pages of rounds">
      {page > 1 && <a href={roundsPath(season, { ...wanted, page: page - 1 })}>← before</a>}
      <span>
        page {page} of {last}
      </span>
      {page < last && <a href={roundsPath(season, { ...wanted, page: page + 1 })}>after →</a>}
    </nav>
  )
}

/** Every round of a season, those that match, a page at a time. */
export function renderRoundsPage(data: RoundsPageData, frame: Frame): string {
  const { standings, wanted } = data
  const found = matching(data.rounds, wanted)
  const last = Math.max(1, Math.ceil(found.length / PER_PAGE))
  const page = Math.min(wanted.page ?? 1, last)
  const title = oneLine(standings.title, 120)
  const nameOf = namesIn(standings)
  return renderDocument({
    title: `Rounds of ${title}`,
    description: `Every round of ${title} with its verdict.`,
    frame,
    canonical: roundsPath(standings.season, wanted),
    children: (
      <>
        <div class="masthead">
          <p class="eyebrow">
            <a href={seasonPath(standings.season)}>{title}</a>
          </p>
          <h1>Rounds</h1>
        </div>
        <Filters {...data} nameOf={nameOf} />
        <p class="facts">{plural(found.length, 'round')}</p>
        {found.length === 0 ? (
          <p class="lead">
            No round is like this. <a href={roundsPath(standings.season)}>Show all of them.</a>
          </p>
        ) : (
          <Scroll label="Rounds">
            <table class="plain rounds">
              <thead>
                <tr>
                  <th scope="col">Patch against tests</th>
                  <th scope="col">Verdict</th>
                  <th scope="col" class="n">
                    Patch points
                  </th>
                  <th scope="col" class="n">
                    Review points
                  </th>
                  <th scope="col" class="n">
                    Admitted
                  </th>
                  <th scope="col" class="n">
                    Killing
                  </th>
                </tr>
              </thead>
              <tbody>
                {found.slice((page - 1) * PER_PAGE, page * PER_PAGE).map((round) => (
                  <Row key={round.id} round={round} nameOf={nameOf} />
                ))}
              </tbody>
            </table>
          </Scroll>
        )}
        <Pages season={standings.season} wanted={wanted} page={page} last={last} />
      </>
    ),
  })
}
