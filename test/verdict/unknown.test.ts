import { describe, expect, test } from 'vitest'
import type { CaseOutcome } from '../../src/schema/test-result.ts'
import { decideVerdict } from '../../src/verdict/decide.ts'
import type { Evidence } from '../../src/verdict/evidence.ts'
import { judgePatch } from '../../src/verdict/playable.ts'
import { ciRun, fairRound, type KeyWorld, type LegWorld, reviewWith, type Status } from '../helpers/worlds.ts'

/**
 * The rule for what infrastructure broke, taken literally: put every value in place of each unknown result; if all
 * give the same answer that is the answer, else it is open. Tried for every small world.
 */

/** `tryAll(['x', null])`: every list in which each null is replaced by each of the values. */
function tryAll<T>(places: readonly (T | null)[], values: readonly T[]): readonly (readonly T[])[] {
  return places.reduce<readonly (readonly T[])[]>(
    (lists, place) =>
      lists.flatMap((list) => (place === null ? values : [place]).map((value) => [...list, value])),
    [[]],
  )
}

const LEGS: readonly LegWorld[] = (['success', 'failure'] as const).flatMap((status) =>
  (['passed', 'absent'] as const).flatMap((a: Status) =>
    (['passed', 'absent'] as const).flatMap((z: Status) =>
      (['failed', 'passed'] as const).map((sentinel) => ({
        status,
        processes: { p: { cases: { a, z }, sentinel, exitCode: 1 } },
      })),
    ),
  ),
)

/** A leg with a case that no other leg has. */
const WITH_MORE: LegWorld = { processes: { p: { cases: { a: 'passed', z: 'passed', y: 'passed' } } } }

test('playable is open exactly when the broken legs could make it both', () => {
  const indices = [...LEGS, WITH_MORE].map((_, index) => index)
  const run = (index: number | null) =>
    ciRun({ test: index === null ? { status: 'infra_error' } : (LEGS[index] ?? WITH_MORE) })
  const judge = (places: readonly (number | null)[]) => {
    const [base = null, golden = null, patch = null] = places
    return judgePatch(fairRound({ base: run(base), golden: run(golden), patch: run(patch) })).playable
  }
  const known = new Map(tryAll([null, null, null], indices).map((places) => [places.join(), judge(places)]))
  // The patch never has the case that may hide in base and golden: else yet another one could.
  const worlds = tryAll<number | null>([null, null, null], [...indices, null]).filter(
    ([, , patch]) => patch !== LEGS.length,
  )
  const wrong = worlds.filter((places) => {
    const answers = new Set(tryAll(places, indices).map((values) => known.get(values.join())))
    const [only] = answers
    return judge(places) !== (answers.size === 1 ? only : 'unknown')
  })
  expect(worlds.length).toBeGreaterThan(5_000)
  expect(wrong).toEqual([])
})

describe('the verdict is void exactly when the broken results could change it', () => {
  const VALUES = ['passed', 'failed', 'skipped'] as const
  type Value = (typeof VALUES)[number]

  const keyOf = (outcomes: readonly (Value | null)[]): KeyWorld => {
    const [
      base = 'infra',
      commentedBase = 'infra',
      g1 = 'infra',
      g2 = 'infra',
      g3 = 'infra',
      patch = 'infra',
    ] = outcomes.map((outcome): CaseOutcome => outcome ?? 'infra')
    return { base, commentedBase, golden: [g1, g2, g3], patch }
  }
  const NO_PATCH = { submission: { kind: 'forfeit', reason: 'empty', detail: '' }, patch: null } as const

  test.each([
    ['a playable patch', {}],
    ['no patch', NO_PATCH],
  ] as const)('one test and %s', (_, changes) => {
    const judge = (outcomes: readonly (Value | null)[]) =>
      decideVerdict(fairRound({ ...reviewWith({ test: { 'f t': keyOf(outcomes) } }), ...changes })).kind
    const open = [null, null, null, null, null, null]
    const known = new Map(tryAll(open, VALUES).map((outcomes) => [outcomes.join(), judge(outcomes)]))
    const wrong = tryAll<Value | null>(open, [...VALUES, null]).filter((outcomes) => {
      const answers = new Set(tryAll(outcomes, VALUES).map((values) => known.get(values.join())))
      const [only] = answers
      return judge(outcomes) !== (answers.size === 1 ? only : 'void')
    })
    expect(wrong).toEqual([])
  })

  test('two tests and a lint leg', () => {
    const SHORT = ['passed', 'failed'] as const
    type Short = (typeof SHORT)[number]
    const judge = (outcomes: readonly (Short | null)[]) => {
      const [
        base1 = null,
        golden1 = null,
        patch1 = null,
        base2 = null,
        golden2 = null,
        patch2 = null,
        lint = null,
      ] = outcomes
      const leg = (value: Short | null): LegWorld => ({
        status: value === null ? 'infra_error' : value === 'passed' ? 'success' : 'failure',
        lint: true,
      })
      const keys = {
        'f t': keyOf([base1, base1, golden1, golden1, golden1, patch1]),
        'g t': keyOf([base2, base2, golden2, golden2, golden2, patch2]),
      }
      const linted = { plain: ciRun({ lint: leg('passed') }), withTests: ciRun({ lint: leg(lint) }) }
      return decideVerdict(fairRound(reviewWith({ test: keys }, linted))).kind
    }
    const open = [null, null, null, null, null, null, null]
    const known = new Map(tryAll(open, SHORT).map((outcomes) => [outcomes.join(), judge(outcomes)]))
    const wrong = tryAll<Short | null>(open, [...SHORT, null]).filter((outcomes) => {
      const answers = new Set(tryAll(outcomes, SHORT).map((values) => known.get(values.join())))
      const [only] = answers
      return judge(outcomes) !== (answers.size === 1 ? only : 'void')
    })
    expect(wrong).toEqual([])
  })

  test('a patch and a test together', () => {
    const VALUE = ['passed', 'failed'] as const
    type Either = (typeof VALUE)[number]
    const judge = (outcomes: readonly (Either | null)[]) => {
      const [kept = null, base = null, golden = null, patch = null] = outcomes
      const leg: LegWorld =
        kept === null
          ? { status: 'infra_error' }
          : { status: kept === 'passed' ? 'success' : 'failure', processes: { p: { cases: { a: kept } } } }
      const round: Evidence = fairRound({
        patch: ciRun({ test: leg }),
        ...reviewWith({ test: { 'f t': keyOf([base, base, golden, golden, golden, patch]) } }),
      })
      return decideVerdict(round).kind
    }
    const open = [null, null, null, null]
    for (const outcomes of tryAll<Either | null>(open, [...VALUE, null])) {
      const answers = new Set(tryAll(outcomes, VALUE).map(judge))
      const [only] = answers
      expect(judge(outcomes)).toBe(answers.size === 1 ? only : 'void')
    }
  })
})
