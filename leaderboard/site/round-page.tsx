import type { RoundView } from '../../src/schema/view.ts'
import { Cell } from './cell.tsx'
import { type Frame, renderDocument } from './document.tsx'
import { Excerpt } from './excerpt.tsx'
import { GenerationView } from './generation.tsx'
import { roundPath, roundsPath, seasonPath } from './paths.ts'
import { Provenance } from './provenance.tsx'
import { TestsTable } from './tests-table.tsx'
import { VerdictHead } from './verdict-head.tsx'
import { sentenceText, verdictSentence } from './verdict-sentence.ts'
import { oneLine } from './visible.ts'
import { languageName } from './words.ts'

const SECTIONS = [
  ['issue', 'Issue'],
  ['patch', 'Patch'],
  ['tests', 'Tests'],
  ['ci', 'CI runs'],
  ['provenance', 'Provenance'],
] as const

function Trail({ view }: { readonly view: RoundView }) {
  const { season, taskId } = view.round
  return (
    <p class="eyebrow">
      <a href={seasonPath(season)}>{season}</a> / <a href={roundsPath(season, { task: taskId })}>{taskId}</a>{' '}
      / {languageName(view.task.language)}
    </p>
  )
}

export function renderRoundPage(view: RoundView, frame: Frame): string {
  const { round } = view
  const names = { submitter: oneLine(view.submitterLabel, 80), reviewer: oneLine(view.reviewerLabel, 80) }
  const whole = `/api/v1/rounds/${round.id}`
  return renderDocument({
    title: `${names.submitter} against ${names.reviewer} on ${round.taskId}`,
    description: sentenceText(verdictSentence(round.verdict), names),
    frame,
    canonical: roundPath(round.id),
    children: (
      <>
        <Trail view={view} />
        <VerdictHead view={view} names={names} />
        <nav class="jump" aria-label="Parts of this page">
          {SECTIONS.map(([id, title]) => (
            <a key={id} href={`#${id}`}>
              {title}
            </a>
          ))}
        </nav>
        <section aria-labelledby="issue">
          <h2 id="issue">Issue</h2>
          <p class="note">
            {oneLine(view.task.repository, 120)} at <code>{view.task.baseCommit.slice(0, 12)}</code>
          </p>
          <Excerpt text={view.task.issue} label="Issue text" whole={whole} />
        </section>
        <section aria-labelledby="patch" class="of-patch">
          <h2 id="patch">Patch</h2>
          <GenerationView generation={view.patch} label="patch" whole={whole} />
        </section>
        <section aria-labelledby="tests" class="of-tests">
          <h2 id="tests">Tests</h2>
          <TestsTable view={view} />
          {view.tests ? (
            <GenerationView
              generation={view.tests}
              label="tests"
              whole={whole}
              killers={round.verdict.killedBy}
            />
          ) : (
            <p>The reviewer was not asked: the patch had lost before.</p>
          )}
        </section>
        <section aria-labelledby="ci">
          <h2 id="ci">CI runs</h2>
          <p class="note">
            Everything that the verdict was decided from, each a run of its own in a fresh sandbox.
          </p>
          {view.cells.map((cell) => (
            <Cell key={`${cell.role} ${cell.key}`} cell={cell} />
          ))}
        </section>
        <Provenance view={view} whole={whole} />
      </>
    ),
  })
}
