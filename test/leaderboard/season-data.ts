import type { SeasonData } from '../../leaderboard/snapshot/season-data.ts'
import { createStream } from '../../src/ratings/random.ts'
import { digestOfValue } from '../../src/schema/canonical.ts'
import type { Round } from '../../src/schema/match.ts'
import { roundOf } from './season-rounds.ts'

const NAMES = ['ada', 'bob', 'cyd', 'dan', 'eve']
const key = (name: string) => ({ leg: 'test (3.11, "x")', file: 'tests/t', case: name })

/**
 * A blind season of five teams on twelve tasks in two languages, each against each: who is earlier in the alphabet has
 * more right patches, and tests that kill more of the wrong ones. eve's tests ask for an exact message on every other task.
 */
export function seasonData(): SeasonData & { readonly rounds: readonly Round[] } {
  const next = createStream(11, 0)
  const tasks = Array.from({ length: 12 }, (_, t) => ({
    id: `t${String(t).padStart(2, '0')}`,
    language: t % 2 === 0 ? 'go' : 'rust',
    repository: 'example/one',
  }))
  const below = (share: number): boolean => next() / 2 ** 32 < share
  const rounds = tasks.flatMap(({ id: task }, t) =>
    NAMES.flatMap((submitter, i) => {
      const isRight = below(0.9 - i / 8)
      return NAMES.flatMap((reviewer, j) => {
        if (i === j) return []
        const isPlanted = reviewer === 'eve' && t % 2 === 1
        const survives = !isPlanted && (isRight || below(0.1 + j / 6))
        const name = isPlanted ? 'exact message' : 'fair'
        return [
          roundOf({
            task,
            submitter,
            reviewer,
            kind: survives ? 'submitter-win' : 'reviewer-win',
            verdict: {
              resolved: isRight ? 'yes' : 'no',
              admitted: [key(name), key('another')],
              killedBy: survives ? [] : [{ ...key(name), outcome: 'failed' }],
            },
          }),
        ]
      })
    }),
  )
  return {
    season: { id: 'demo', title: 'Demo', digest: digestOfValue('season'), protocol: 'blind' },
    anchors: [],
    tasks,
    competitors: NAMES.map((id) => ({ id, label: id, team: id, control: null, retired: false })),
    rounds,
  }
}
