import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { TestKey, Verdict } from '../../src/schema/verdict.ts'
import { decideVerdict } from '../../src/verdict/decide.ts'
import {
  afterCourt,
  type CourtFinding,
  type CourtRound,
  holdCourt,
  overSpecifiedFor,
} from '../../src/verdict/kill-court.ts'
import { paperPoints } from '../../src/verdict/points.ts'
import { fairRound, reviewWith, SHARP } from '../helpers/worlds.ts'

/** A round as it was judged; y and points are the verdict's own. */
type Judged = CourtRound & {
  readonly verdict: CourtRound['verdict'] & Pick<Verdict, 'y' | 'points' | 'flags'>
}

const LANGUAGES = ['cpp', 'go', 'python', 'rust']
const TEAMS = ['ada', 'bob', 'cyd', 'dan', 'eve']
const keyOf = (name: string): TestKey => ({ leg: 'test', file: 'tests/t', case: name })

interface Bench {
  readonly task?: string
  /** Submitter → whether the upstream tests call its patch right. Everybody reviews. */
  readonly patches: Readonly<Record<string, 'yes' | 'no' | 'unknown'>>
  /** Reviewer → test → the submitters whose patches it fails. */
  readonly tests: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>>
  /** `reviewer test submitter` that infrastructure broke. */
  readonly broken?: readonly string[]
}

/** Every round of a task in which everybody submits and reviews. */
function judged({ task = 'one', patches, tests, broken = [] }: Bench): readonly Judged[] {
  return Object.entries(patches).flatMap(([submitter, resolved]) =>
    Object.entries(tests).flatMap(([reviewer, own]): readonly Judged[] => {
      if (submitter === reviewer) return []
      const names = Object.keys(own)
      const undecided = names.filter((name) => broken.includes(`${reviewer} ${name} ${submitter}`))
      const failing = names.filter((name) => own[name]?.includes(submitter) && !undecided.includes(name))
      const kind =
        names.length === 0 ? 'reviewer-forfeit' : failing.length > 0 ? 'reviewer-win' : 'submitter-win'
      return [
        {
          id: `${task} ${submitter} ${reviewer}`,
          taskId: task,
          submitter,
          reviewer,
          control: false,
          verdict: {
            kind,
            y: kind === 'reviewer-win' ? 0 : 1,
            points: paperPoints(kind, false),
            flags: [],
            playable: 'yes',
            resolved,
            admitted: names.map(keyOf),
            killedBy: failing.map((name) => ({ ...keyOf(name), outcome: 'failed' })),
            ...(undecided.length > 0 ? { undecided: undecided.map(keyOf) } : {}),
          },
        },
      ]
    }),
  )
}

const hold = (rounds: readonly CourtRound[], teamOf: (name: string) => string = (name) => name) =>
  holdCourt({ protocol: 'blind', teamOf, rounds })
const names = ({ overSpecified }: CourtFinding) =>
  overSpecified.map(({ task, reviewer, key }) => `${task} ${reviewer} ${key.case}`)
const settle = (rounds: readonly Judged[], court: CourtFinding) =>
  rounds.map((round) => ({ ...round, verdict: afterCourt(round.verdict, overSpecifiedFor(court, round)) }))
const others = (...own: readonly string[]) => TEAMS.filter((name) => !own.includes(name))
const right = Object.fromEntries(TEAMS.map((name) => [name, 'yes' as const]))

describe('planted tests', () => {
  // dan solves it in the same words as eve, as people sometimes do; bob is wrong, and fair tests say so.
  const season = LANGUAGES.flatMap((task) =>
    judged({
      task,
      patches: { ...right, bob: 'no' },
      tests: {
        ada: { 'private name': others('ada'), fair: ['bob'] },
        bob: { 'exact message': others('bob', 'dan'), fair: [] },
        cyd: { order: others('cyd', 'ada'), sharp: ['bob', 'dan'] },
        dan: { timing: others('dan', 'eve'), fair: ['bob'] },
        eve: { fair: ['bob'], 'also fair': [] },
      },
    }),
  )
  const court = hold(season)
  const settled = settle(season, court)

  test('are all caught, and no fair one is', () => {
    expect(names(court)).toEqual(
      LANGUAGES.flatMap((task) => [
        `${task} ada private name`,
        `${task} bob exact message`,
        `${task} cyd order`,
        `${task} dan timing`,
      ]),
    )
  })

  test('no longer kill right patches; wrong ones stay killed, and nobody forfeits', () => {
    const changes = new Set<string>()
    season.forEach((round, index) => {
      const after = settled[index]
      if (!after) throw new Error('a round was lost')
      if (after.verdict.kind !== round.verdict.kind)
        changes.add(`${round.verdict.kind} → ${after.verdict.kind}, resolved ${round.verdict.resolved}`)
      // The sharp test is fair: dan's patch passes the upstream tests and dies all the same.
      const fairlyKilled =
        round.submitter === 'bob' || (round.submitter === 'dan' && round.reviewer === 'cyd')
      const killers = after.verdict.killedBy.map((key) => key.case)
      if (!fairlyKilled) expect(killers, round.id).toEqual([])
      if (round.submitter === 'bob') expect(after.verdict).toEqual(round.verdict)
    })
    expect([...changes]).toEqual(['reviewer-win → submitter-win, resolved yes'])
  })

  test('give the points and y of what the verdict has become', () => {
    const turned = settled.filter((round, index) => round.verdict.kind !== season[index]?.verdict.kind)
    expect(turned.length).toBeGreaterThan(0)
    for (const { verdict } of turned) {
      expect(verdict).toMatchObject({ y: 1, points: { submitter: 1, reviewer: 0 } })
      expect(verdict.flags).toContain('over-specified')
    }
  })

  test('are found the same however often and in whatever order the court is held', () => {
    fc.assert(
      fc.property(fc.shuffledSubarray([...season], { minLength: season.length }), (rounds) => {
        expect(hold(rounds)).toEqual(court)
      }),
      { numRuns: 20 },
    )
    // The court sees verdicts as judged: what it said before is no argument, and saying it twice changes nothing.
    expect(settle(settled, court)).toEqual(settled)
  })
})

describe('over-specified', () => {
  test.each([
    [
      'it fails every right patch of two other teams',
      ['bob', 'cyd'],
      { ada: 'yes', bob: 'yes', cyd: 'yes' },
      true,
    ],
    ['it fails right patches of one team only', ['bob'], { ada: 'yes', bob: 'yes', cyd: 'no' }, false],
    ['it fails exactly half of them', ['bob', 'cyd'], { ...right }, false],
    ['it fails more than half of them', ['bob', 'cyd', 'dan'], { ...right }, true],
    ['it fails wrong patches only', ['bob', 'cyd'], { ada: 'yes', bob: 'no', cyd: 'no', dan: 'yes' }, false],
    [
      'nobody knows which patches are right',
      ['bob', 'cyd'],
      { ada: 'yes', bob: 'unknown', cyd: 'unknown' },
      false,
    ],
  ] as const)('%s', (_, failing, patches, found) => {
    const court = hold(judged({ patches, tests: { ada: { t: failing } } }))
    expect(names(court)).toEqual(found ? ['one ada t'] : [])
  })

  test("variants of the author's team say nothing, and variants of another are one team", () => {
    const teamOf = (name: string) => name.slice(0, 1)
    const patches = { a1: 'yes', a2: 'yes', b1: 'yes', b2: 'yes', c1: 'yes' } as const
    const test = (failing: readonly string[]) =>
      names(hold(judged({ patches, tests: { a1: { t: failing } } }), teamOf))
    expect(test(['a2', 'b1'])).toEqual([])
    expect(test(['b1', 'b2'])).toEqual([])
    expect(test(['b1', 'c1'])).toEqual(['one a1 t'])
  })

  test('results that infrastructure broke count for nothing', () => {
    const world = { patches: right, tests: { ada: { t: ['bob', 'cyd', 'dan'], u: [] } } }
    expect(names(hold(judged(world)))).toEqual(['one ada t'])
    // Two failing of three known ones are still more than half; one of two is not, and is one team.
    expect(names(hold(judged({ ...world, broken: ['ada t dan'] })))).toEqual(['one ada t'])
    expect(names(hold(judged({ ...world, broken: ['ada t dan', 'ada t cyd'] })))).toEqual([])
  })

  test('rounds of a patch that disagree about the upstream tests say nothing of it', () => {
    const tests = { ada: { t: ['bob', 'cyd'] }, dan: { u: [] } }
    const rounds = judged({ patches: { ada: 'yes', bob: 'yes', cyd: 'yes' }, tests })
    const torn = rounds.map((round) =>
      round.submitter === 'cyd' && round.reviewer === 'dan'
        ? { ...round, verdict: { ...round.verdict, resolved: 'no' as const } }
        : round,
    )
    expect(names(hold(rounds))).toEqual(['one ada t'])
    expect(names(hold(torn))).toEqual([])
  })
})

describe('a kill', () => {
  const killOf = (bench: Bench, submitter: string, reviewer: string, teamOf?: (name: string) => string) =>
    hold(judged(bench), teamOf).kills.find(
      (kill) => kill.submitter === submitter && kill.reviewer === reviewer,
    )

  test('is corroborated by the upstream tests', () => {
    const bench = { patches: { ada: 'yes', bob: 'no', cyd: 'yes' }, tests: { ada: { t: ['bob'] } } } as const
    expect(killOf(bench, 'bob', 'ada')).toMatchObject({ kind: 'corroborated', by: 'oracle' })
  })

  test("is corroborated by a third team's fair test", () => {
    const bench = { patches: right, tests: { ada: { t: ['bob'] }, cyd: { u: ['bob'] } } }
    expect(killOf(bench, 'bob', 'ada')).toMatchObject({
      kind: 'corroborated',
      by: { reviewer: 'cyd', key: keyOf('u') },
    })
  })

  test.each([
    ['nobody else says so', { ada: { t: ['bob'] } }],
    ['only the same author says so', { ada: { t: ['bob'], u: ['bob'] } }],
    ['only an over-specified test says so', { ada: { t: ['bob'] }, cyd: { u: ['ada', 'bob', 'dan'] } }],
  ] as const)('is contested when %s', (_, tests) => {
    expect(killOf({ patches: right, tests }, 'bob', 'ada')).toMatchObject({ kind: 'contested', by: null })
  })

  test("is contested when only a variant of the reviewer's own team says so", () => {
    const patches = { a1: 'yes', a2: 'yes', b1: 'yes', c1: 'yes' } as const
    const bench = { patches, tests: { a1: { t: ['b1'] }, a2: { u: ['b1'] } } }
    expect(killOf(bench, 'b1', 'a1', (name) => name.slice(0, 1))).toMatchObject({ kind: 'contested' })
  })
})

describe('the court is not held', () => {
  const rounds = judged({
    patches: { ada: 'yes', bob: 'yes', cyd: 'yes' },
    tests: { ada: { t: ['bob', 'cyd'] } },
  })
  test.each([
    ['a season that is not blind', { protocol: 'sighted' as const }, /not blind/],
    ['fewer than three teams', { teamOf: (name: string) => (name === 'ada' ? 'x' : 'y') }, /2 teams/],
    [
      'a season without an oracle',
      {
        rounds: rounds.map((round) => ({
          ...round,
          verdict: { ...round.verdict, resolved: 'unknown' as const },
        })),
      },
      /no upstream tests/,
    ],
    ['controls alone', { rounds: rounds.map((round) => ({ ...round, control: true })) }, /0 teams/],
  ])('over %s', (_, change, reason) => {
    const court = holdCourt({ protocol: 'blind', teamOf: (name) => name, rounds, ...change })
    expect(court).toMatchObject({ overSpecified: [], kills: [] })
    expect(court.notHeld).toMatch(reason)
  })
})

describe('after the court a verdict is what the judge says with the list', () => {
  const CASES = ['f a', 'f b', 'g c']
  const anyKeys = fc.dictionary(
    fc.constantFrom('one', 'two'),
    fc.dictionary(
      fc.constantFrom(...CASES),
      fc.constantFrom('passed' as const, 'failed' as const, 'absent' as const),
      {
        minKeys: 1,
      },
    ),
    { minKeys: 1 },
  )
  const anyList = fc.array(
    fc.record({ leg: fc.constantFrom('one', 'two'), name: fc.constantFrom(...CASES) }),
    { maxLength: 6 },
  )

  test('over random tests, legs and lists, right and wrong patches', () => {
    let turned = 0
    fc.assert(
      fc.property(anyKeys, anyList, fc.boolean(), (world, list, isRight) => {
        const keys = Object.fromEntries(
          Object.entries(world).map(([leg, cases]) => [
            leg,
            Object.fromEntries(Object.entries(cases).map(([name, patch]) => [name, { ...SHARP, patch }])),
          ]),
        )
        const overSpecified = list.map(({ leg, name }) => ({
          leg,
          file: name.slice(0, 1),
          case: name.slice(2),
        }))
        // Without FAIL_TO_PASS nobody knows; a case that the repository's own run reports is the oracle here.
        const evidence = fairRound({ ...reviewWith(keys), failToPass: [isRight ? 'unit::a' : 'unit::b'] })
        const oracle = { kind: 'tests' as const, tree: evidence.base.tree, legs: [] }
        const without = decideVerdict({ ...evidence, oracle })
        const withList = decideVerdict({ ...evidence, oracle, overSpecified })
        const after = afterCourt(without, overSpecified)
        const told = ({ kind, y, points, killedBy }: Verdict) => ({ kind, y, points, killedBy })
        expect(without.resolved).toBe(isRight ? 'yes' : 'no')
        expect(told(after)).toEqual(told(withList))
        if (after.kind !== without.kind) turned++
      }),
      // The same worlds each time, so that it is known how many the list turns.
      { numRuns: 300, seed: 20_260_101 },
    )
    expect(turned).toBeGreaterThan(5)
  })

  test('a kill stands while a fair test of the same round is not known', () => {
    const [round] = judged({
      patches: { bob: 'yes' },
      tests: { ada: { t: ['bob'], u: ['bob'] } },
      broken: ['ada u bob'],
    })
    if (!round) throw new Error('no round')
    expect(afterCourt(round.verdict, [keyOf('t')])).toBe(round.verdict)
    expect(afterCourt(round.verdict, [keyOf('t'), keyOf('u')]).kind).toBe('submitter-win')
  })

  test('the judge names what it did not know, where that changed nothing', () => {
    const review = reviewWith({
      test: { 'f a': { ...SHARP, patch: 'failed' }, 'f b': { ...SHARP, patch: 'infra' } },
    })
    const verdict = decideVerdict(fairRound(review))
    expect(verdict).toMatchObject({
      kind: 'reviewer-win',
      undecided: [{ leg: 'test', file: 'f', case: 'b' }],
    })
    expect('undecided' in decideVerdict(fairRound())).toBe(false)
  })
})
