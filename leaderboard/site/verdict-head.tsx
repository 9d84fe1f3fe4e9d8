import type { RoundView } from '../../src/schema/view.ts'
import { signed } from './format.ts'
import { VerdictTag } from './mark.tsx'
import { type Names, resolvedSentence, verdictReasons, verdictSentence } from './verdict-sentence.ts'

interface HeadProps {
  readonly view: RoundView
  readonly names: Names
}

const points = (value: number): string => `${signed(value)} ${Math.abs(value) === 1 ? 'point' : 'points'}`

/** The verdict: in a word, in a sentence, why, and what each side got for it. */
export function VerdictHead({ view, names }: HeadProps) {
  const { verdict, control } = view.round
  const reasons = verdictReasons(verdict)
  return (
    <div class="verdict">
      <VerdictTag kind={verdict.kind} />
      <h1>
        {verdictSentence(verdict).map((part) =>
          typeof part === 'string' ? (
            part
          ) : (
            <bdi key={part.who} class={part.who === 'submitter' ? 'patch' : 'tests'}>
              {names[part.who]}
            </bdi>
          ),
        )}
      </h1>
      {reasons.length > 0 && (
        <ul>
          {reasons.map((reason) => (
            <li key={reason}>{reason}</li>
          ))}
        </ul>
      )}
      <dl class="sides">
        <div class="patch">
          <dt>Patch by</dt>
          <dd>
            <bdi>{names.submitter}</bdi> <b>{points(verdict.points.submitter)}</b>
          </dd>
        </div>
        <div class="tests">
          <dt>Tests by</dt>
          <dd>
            <bdi>{names.reviewer}</bdi> <b>{points(verdict.points.reviewer)}</b>
          </dd>
        </div>
      </dl>
      <p class="note">
        {resolvedSentence(verdict)}{' '}
        {control && 'A control plays in this round, so it is shown apart and rates nobody.'}
      </p>
    </div>
  )
}
