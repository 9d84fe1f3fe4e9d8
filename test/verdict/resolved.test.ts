import { describe, expect, test } from 'vitest'
import type { CaseOutcome } from '../../src/schema/test-result.ts'
import { isResolved } from '../../src/verdict/resolved.ts'
import { fairRound, forfeited, oneLeg, testsRun } from '../helpers/worlds.ts'

const lists = {
  failToPass: ['tests/up::fix'],
  passToPass: ['unit::a'],
  oracleCases: [{ file: 'tests/up', case: 'fix' }],
}
const judge = (outcome: CaseOutcome, changes: Parameters<typeof fairRound>[0] = {}) =>
  isResolved(
    fairRound({ ...lists, oracle: testsRun({ test: { 'tests/up fix': outcome } }), ...changes }),
    false,
  )

describe('resolved', () => {
  test.each([
    ['passed', 'yes'],
    ['failed', 'no'],
    ['skipped', 'no'],
    ['errored', 'no'],
    ['absent', 'no'],
    ['timed_out', 'no'],
    ['out_of_memory', 'no'],
    ['not_built', 'no'],
    ['infra', 'unknown'],
  ] as const)('a FAIL_TO_PASS case that is %s: %s', (outcome, resolved) => {
    expect(judge(outcome)).toBe(resolved)
  })

  test('a required case that no run reports: no', () => {
    expect(judge('passed', { failToPass: ['tests/up::fix', 'tests/up::other'] })).toBe('no')
    expect(judge('passed', { passToPass: ['unit::gone'] })).toBe('no')
  })

  test('a PASS_TO_PASS case that the patch breaks: no; a case that upstream holds is asked there', () => {
    expect(judge('passed', { patch: oneLeg({ a: 'failed' }) })).toBe('no')
    const oracle = testsRun({ test: { 'tests/up fix': 'passed', 'unit a': 'failed' } })
    expect(judge('passed', { oracle })).toBe('no')
  })

  test('it must hold in every leg', () => {
    const oracle = testsRun({
      'test (1)': { 'tests/up fix': 'passed' },
      'test (2)': { 'tests/up fix': 'absent' },
    })
    expect(judge('passed', { oracle })).toBe('no')
  })

  test('parameters of a case are asked by their own names', () => {
    const run = testsRun({ test: { 'tests/up fix': 'failed' } })
    const parts = [
      { suite: 'tests/up', name: 'fix[1]', status: 'passed' as const },
      { suite: 'tests/up', name: 'fix[2]', status: 'failed' as const },
    ]
    const oracle = {
      ...run,
      legs: run.legs.map((leg) => ({
        ...leg,
        files: leg.files.map((file) => ({
          ...file,
          cases: file.cases.map((result) => ({ ...result, parts })),
        })),
      })),
    }
    expect(judge('passed', { oracle, failToPass: ['tests/up::fix[1]'] })).toBe('yes')
    expect(judge('passed', { oracle, failToPass: ['tests/up::fix[2]'] })).toBe('no')
  })

  test('what a case reported before it hung is not believed', () => {
    const run = testsRun({ test: { 'tests/up fix': 'passed' } })
    const hung = (outcome: CaseOutcome) => ({
      ...run,
      legs: run.legs.map((leg) => ({
        ...leg,
        files: leg.files.map((file) => ({
          ...file,
          cases: file.cases.map((result) => ({ ...result, outcome })),
        })),
      })),
    })
    expect(judge('passed', { oracle: hung('passed') })).toBe('yes')
    expect(judge('passed', { oracle: hung('timed_out') })).toBe('no')
    expect(judge('passed', { oracle: hung('absent') })).toBe('no')
    expect(judge('passed', { oracle: hung('infra') })).toBe('unknown')
  })

  test('nothing to ask is unknown; no patch and a forged one resolve nothing', () => {
    expect(judge('passed', { failToPass: [] })).toBe('unknown')
    expect(judge('passed', { oracle: null })).toBe('unknown')
    expect(judge('passed', { submission: forfeited(), patch: null, oracle: null })).toBe('no')
    expect(
      isResolved(fairRound({ ...lists, oracle: testsRun({ test: { 'tests/up fix': 'passed' } }) }), true),
    ).toBe('no')
  })

  test('a broken leg leaves it unknown unless another answer settles it', () => {
    const oracle = testsRun({ one: { 'tests/up fix': 'passed' }, two: 'broken' })
    expect(judge('passed', { oracle })).toBe('unknown')
    const settled = testsRun({ one: { 'tests/up fix': 'failed' }, two: 'broken' })
    expect(judge('passed', { oracle: settled })).toBe('no')
  })
})
