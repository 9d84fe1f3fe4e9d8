import type { Failure, Feedback } from '../schema/feedback.ts'
import { fill } from './fill.ts'
import { FEEDBACK } from './prompts/feedback.ts'

/** Characters of an own earlier diff that are shown again. */
const MOST_BROUGHT = 16_000

/** Each line behind a bar, so that no text of a program or a rival can end the block in which it stands. */
const barred = (text: string): string =>
  text
    .trimEnd()
    .split('\n')
    .map((line) => `| ${line}\n`)
    .join('')

const oneLine = (text: string): string => text.replace(/\s+/g, ' ').trim().slice(0, 400)

const renderFailure = ({ leg, what, outcome, log }: Failure): string =>
  fill(FEEDBACK.failure, {
    leg: oneLine(leg),
    what: oneLine(what),
    outcome: oneLine(outcome),
    log: log === '' ? '' : barred(log),
  })

/** What a role is told of its earlier rounds: the last one with its diff, failures and logs, those before in a line each. */
export function renderFeedback(told: readonly Feedback[]): string {
  const last = told.at(-1)
  if (!last) return ''
  const thing = last.kind === 'patch' ? 'patch' : 'tests'
  const earlier = told
    .slice(0, -1)
    .map(({ turn, ended }) => fill(FEEDBACK.earlier, { turn: String(turn), ended: oneLine(ended) }))
  const rounds = [
    ...earlier,
    fill(FEEDBACK.last, {
      turn: String(last.turn),
      ended: oneLine(last.ended),
      thing,
      brought: barred(
        last.brought === '' ? '(nothing that could be applied)' : last.brought.slice(0, MOST_BROUGHT),
      ),
      failures: last.failures.map(renderFailure).join(''),
    }),
  ].join('')
  return fill(FEEDBACK.frame, { things: thing === 'patch' ? 'patches' : 'tests', rounds })
}
