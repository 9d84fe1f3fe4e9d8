import type { ControlRow } from '../src/schema/rating.ts'
import type { StandingCompetitor, StandingRound } from './rated-battles.ts'

interface Expectation {
  readonly role: ControlRow['role']
  readonly expected: string
  /** Of the rounds that were not void, how many have an admitted test, and in how many of those the patch survived. */
  readonly holds: (played: number, counted: number, survived: number) => boolean
}

/** What must come out, by control, in the order of the page. */
const EXPECTATIONS: ReadonlyMap<string, Expectation> = new Map([
  [
    'golden',
    {
      role: 'submitter',
      expected: 'always survives',
      holds: (_, counted, survived) => survived === counted,
    },
  ],
  ['no-op', { role: 'submitter', expected: 'never survives', holds: (_, __, survived) => survived === 0 }],
  [
    'upstream-tests',
    { role: 'reviewer', expected: 'always admitted', holds: (played, counted) => counted === played },
  ],
  ['empty-tests', { role: 'reviewer', expected: 'never admitted', holds: (_, counted) => counted === 0 }],
  [
    'always-fail-tests',
    { role: 'reviewer', expected: 'never admitted', holds: (_, counted) => counted === 0 },
  ],
])

/**
 * The controls of a season with what must come out: outside every fit, counted over the rounds with an admitted test.
 * Void rounds say nothing and are in `rounds` only.
 */
export function controlRows(
  rounds: readonly StandingRound[],
  competitors: readonly StandingCompetitor[],
): readonly ControlRow[] {
  return [...EXPECTATIONS].flatMap(([name, { role, expected, holds }]) => {
    const ids = new Set(competitors.filter(({ control }) => control === name).map(({ id }) => id))
    if (ids.size === 0) return []
    const own = rounds.filter((round) => ids.has(round[role]))
    const played = own.filter(({ verdict }) => verdict.kind !== 'void')
    const counted = played.filter(({ verdict }) => verdict.admitted.length > 0)
    const survived = counted.filter(({ verdict }) => verdict.y === 1).length
    return [
      {
        control: name,
        role,
        rounds: own.length,
        counted: counted.length,
        survived: counted.length === 0 ? null : survived / counted.length,
        expected,
        holds: holds(played.length, counted.length, survived),
      },
    ]
  })
}
