import { describe, expect, test } from 'vitest'
import type { TestsRun } from '../../src/schema/ci-run.ts'
import { decideVerdict } from '../../src/verdict/decide.ts'
import { paperPoints, releasedCounters } from '../../src/verdict/points.ts'
import {
  ciRun,
  fairRound,
  forfeited,
  oneLeg,
  oneTest,
  reviewWith,
  SHARP,
  T,
  testsRun,
} from '../helpers/worlds.ts'

const NO_PATCH = { submission: forfeited(), patch: null } as const
const NOT_ASKED = { review: { kind: 'not-asked' }, tests: null } as const
const DULL = oneTest({ base: 'passed', commentedBase: 'passed' })
const WRONG = oneTest({ golden: ['failed', 'failed', 'failed'] })

describe('the verdict table', () => {
  test.each([
    ['a failed reference probe', { probe: 'failed' }, 'void', null, 0, 0],
    ["the end of the operator's budget", { budget: 'ended' }, 'void', null, 0, 0],
    [
      'no patch and no reviewer',
      { ...NO_PATCH, review: forfeited('endpoint'), tests: null },
      'no-contest',
      null,
      -1,
      0,
    ],
    ['no patch, tests that pass at base', { ...NO_PATCH, ...DULL }, 'no-contest', null, -1, 0],
    ['no patch, tests that fail on golden', { ...NO_PATCH, ...WRONG }, 'no-contest', null, -1, -1],
    ['no patch, a sharp test', NO_PATCH, 'submitter-forfeit', 0, -1, 0],
    [
      'no patch, reviewer not asked (sighted)',
      { ...NO_PATCH, ...NOT_ASKED, protocol: 'sighted' },
      'submitter-forfeit',
      0,
      -1,
      0,
    ],
    [
      'no patch, reviewer not asked (paper)',
      { ...NO_PATCH, ...NOT_ASKED, protocol: 'paper' },
      'submitter-forfeit',
      0,
      -1,
      0,
    ],
    ['a patch, no reviewer', { review: forfeited('endpoint'), tests: null }, 'reviewer-forfeit', 1, 1, 0],
    ['a patch, tests that pass at base', DULL, 'reviewer-forfeit', 1, 1, 0],
    ['a patch, tests that fail on golden', WRONG, 'reviewer-forfeit', 1, 1, -1],
    ['a patch that passes a sharp test', {}, 'submitter-win', 1, 1, 0],
    ['a patch that fails a sharp test', oneTest({ patch: 'failed' }), 'reviewer-win', 0, -1, 1],
  ] as const)('%s', (_, changes, kind, y, submitter, reviewer) => {
    const verdict = decideVerdict(fairRound(changes))
    expect(verdict).toMatchObject({ kind, y, points: { submitter, reviewer } })
  })

  test('names the tests that kill, and the reasons of both roles', () => {
    const killed = decideVerdict(fairRound(oneTest({ patch: 'absent' })))
    expect(killed.killedBy).toEqual([{ ...T, outcome: 'absent' }])
    expect(killed.admitted).toEqual([T])
    const nothing = decideVerdict(fairRound({ ...NO_PATCH, ...WRONG }))
    expect(nothing).toMatchObject({ submitterReason: 'does-not-apply', reviewerReason: 'not-admitted' })
    expect(nothing.rejected).toMatchObject([{ ...T, why: 'fails-on-golden' }])
  })

  test('one failing admitted test among passing ones is enough', () => {
    const keys = { 'f a': SHARP, 'f b': { ...SHARP, patch: 'timed_out' as const }, 'g a': SHARP }
    const verdict = decideVerdict(fairRound(reviewWith({ test: keys })))
    expect(verdict.kind).toBe('reviewer-win')
    expect(verdict.killedBy).toEqual([{ leg: 'test', file: 'f', case: 'b', outcome: 'timed_out' }])
    expect(verdict.flags).toContain('timed-out')
  })

  test('a test set without cases is a forfeit with its reason', () => {
    const overCap = [{ file: 'tests/t', case: 'late' }]
    const verdict = decideVerdict(fairRound({ review: { kind: 'tests', cases: [], overCap }, tests: null }))
    expect(verdict).toMatchObject({ kind: 'reviewer-forfeit', reviewerReason: 'no-cases' })
    expect(verdict.rejected).toMatchObject([{ case: 'late', why: 'over-the-cap' }])
  })

  test('in a blind round the reviewer must be asked', () => {
    const verdict = decideVerdict(fairRound({ ...NO_PATCH, ...NOT_ASKED }))
    expect(verdict).toMatchObject({ kind: 'void', voidBecause: ['tests: the reviewer was not asked'] })
  })
})

describe('a run that was not made', () => {
  const round = fairRound()
  const { tests } = round
  test.each([
    ['the patch', { patch: null }],
    ['all tests', { tests: null }],
    ['the tests on the patch', { tests: tests && { ...tests, patch: null } }],
    ['the tests on base', { tests: tests && { ...tests, base: null } }],
    ['a golden run of the tests', { tests: tests && { ...tests, golden: tests.golden.slice(0, 2) } }],
  ])('leaves the round open: %s', (_, changes) => {
    const verdict = decideVerdict(fairRound(changes))
    expect(verdict.kind).toBe('void')
    expect(verdict.voidBecause).toHaveLength(1)
  })
})

describe('flags', () => {
  test('tell that a limit was asked for and nothing enforced it, and decide nothing', () => {
    const limited = (limit: 'memory' | 'time', by: 'none' | 'cgroup-v2') =>
      decideVerdict(fairRound({ patch: oneLeg({ a: 'passed' }, { limits: [{ limit, value: '1', by }] }) }))
    expect(limited('memory', 'none')).toMatchObject({ kind: 'submitter-win', flags: ['limits-not-enforced'] })
    expect(limited('memory', 'cgroup-v2').flags).toEqual([])
    expect(limited('time', 'none').flags).toEqual([])
  })

  const unlimited = oneLeg({ a: 'passed' }, { limits: [{ limit: 'pids', value: '1', by: 'none' }] })
  const testsWithout = (run: TestsRun): TestsRun => ({
    ...run,
    legs: run.legs.map((leg) => ({ ...leg, limits: [{ limit: 'disk', value: '1', by: 'none' }] })),
  })
  const { tests } = fairRound()

  test.each([
    ['base', { base: unlimited }],
    ['golden', { golden: unlimited }],
    ['the tests on base', { tests: tests?.base && { ...tests, base: testsWithout(tests.base) } }],
    ['the tests on golden', { tests: tests && { ...tests, golden: tests.golden.map(testsWithout) } }],
  ])('a forfeited patch is on a machine without limits too: %s', (_, changes) => {
    expect(decideVerdict(fairRound({ ...NO_PATCH, ...changes }))).toMatchObject({
      kind: 'submitter-forfeit',
      flags: ['limits-not-enforced'],
    })
  })

  test('a forfeited patch, and one that was not run, are where nothing could be armed too', () => {
    const unarmed = ciRun({ test: { processes: { p: { cases: { a: 'passed' }, sentinel: 'absent' } } } })
    const flags = ['all-unarmed', 'unarmed']
    expect(decideVerdict(fairRound({ ...NO_PATCH, base: unarmed, golden: unarmed })).flags).toEqual(flags)
    expect(decideVerdict(fairRound({ patch: null, base: unarmed, golden: unarmed })).flags).toEqual(flags)
    expect(decideVerdict(fairRound(NO_PATCH)).flags).toEqual([])
  })
})

describe('points', () => {
  test('the released counters add to at most one verified side', () => {
    const rounds = [
      ['submitter-win', [0, 0, 1, 0]],
      ['reviewer-win', [0, 0, 0, 1]],
      ['submitter-forfeit', [-1, 0, 0, 0]],
      ['reviewer-forfeit', [0, -1, 0, 0]],
      ['no-contest', [-1, -1, 0, 0]],
      ['void', [0, 0, 0, 0]],
    ] as const
    for (const [kind, counters] of rounds) expect(Object.values(releasedCounters({ kind }))).toEqual(counters)
  })

  test('a test that failed on golden costs its reviewer a point only where none of its tests counts', () => {
    expect(paperPoints('reviewer-win', true)).toEqual({ submitter: -1, reviewer: 1 })
    expect(paperPoints('submitter-forfeit', true)).toEqual({ submitter: -1, reviewer: 0 })
    expect(paperPoints('no-contest', true)).toEqual({ submitter: -1, reviewer: -1 })
  })
})

describe('the kill court', () => {
  const oracle = {
    failToPass: ['tests/up::fix'],
    passToPass: ['unit::a'],
    oracleCases: [{ file: 'tests/up', case: 'fix' }],
  }
  const killed = (status: 'passed' | 'failed') => ({
    ...oneTest({ patch: 'failed' }),
    ...oracle,
    oracle: testsRun({ test: { 'tests/up fix': status } }),
    overSpecified: [T],
  })

  test('turns a kill by an over-specified test of a right patch into a win, and only there', () => {
    expect(decideVerdict(fairRound(killed('passed')))).toMatchObject({
      kind: 'submitter-win',
      resolved: 'yes',
      admitted: [T],
      flags: ['over-specified'],
    })
    expect(decideVerdict(fairRound(killed('failed')))).toMatchObject({ kind: 'reviewer-win', resolved: 'no' })
    expect(decideVerdict(fairRound({ ...killed('passed'), oracle: null })).kind).toBe('reviewer-win')
    expect(decideVerdict(fairRound({ ...killed('passed'), overSpecified: [] })).kind).toBe('reviewer-win')
  })

  test('makes no forfeit and saves no unplayable patch', () => {
    const patch = oneLeg({ a: 'failed', b: 'failed' }, { status: 'failure' })
    expect(decideVerdict(fairRound({ ...killed('passed'), patch })).kind).toBe('submitter-forfeit')
  })
})
