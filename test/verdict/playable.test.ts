import { describe, expect, test } from 'vitest'
import { judgePatch } from '../../src/verdict/playable.ts'
import { ciRun, fairRound, forfeited, oneLeg } from '../helpers/worlds.ts'

const judge = (changes: Parameters<typeof fairRound>[0]) => judgePatch(fairRound(changes))

describe('a playable patch', () => {
  test.each(['does-not-apply', 'empty', 'endpoint'] as const)('%s is a forfeit with its reason', (reason) => {
    expect(judge({ submission: forfeited(reason), patch: null })).toMatchObject({ playable: 'no', reason })
  })

  test.each([
    ['fails', 'failed', 'failed'],
    ['is skipped', 'skipped', 'skipped'],
    ['errs', 'errored', 'errored'],
    ['is no longer reported', 'absent', 'absent'],
  ] as const)('is refused when a case that passed %s', (_, status, found) => {
    const finding = judge({ patch: oneLeg({ a: status, b: 'failed' }) })
    expect(finding).toMatchObject({ playable: 'no', reason: 'breaks-tests' })
    expect(finding.broken).toEqual([{ leg: 'test', case: 'unit::a', found }])
  })

  test('may leave failing what failed at base, and what golden breaks', () => {
    expect(judge({ patch: oneLeg({ a: 'passed' }) }).playable).toBe('yes')
    const golden = oneLeg({ a: 'absent', b: 'passed' })
    expect(judge({ golden, patch: oneLeg({ a: 'failed' }) }).playable).toBe('yes')
  })

  test('without a golden patch is compared with base alone', () => {
    expect(judge({ golden: null }).playable).toBe('yes')
    expect(judge({ golden: null, patch: oneLeg({ a: 'failed' }) }).playable).toBe('no')
  })

  test('keeps every leg: a lint leg that turns red, a leg that is gone', () => {
    const both = (lint: 'success' | 'failure') =>
      ciRun({ test: { processes: { p: { cases: { a: 'passed' } } } }, lint: { status: lint } })
    const kept = both('success')
    const red = judge({ base: kept, golden: kept, patch: both('failure') })
    expect(red).toMatchObject({ playable: 'no', reason: 'breaks-leg' })
    expect(red.broken).toEqual([{ leg: 'lint', case: null, found: 'failure' }])
    const gone = judge({ base: kept, golden: kept, patch: oneLeg({ a: 'passed' }) })
    expect(gone.broken).toEqual([{ leg: 'lint', case: null, found: 'absent' }])
  })

  test('legs of one matrix are asked apart', () => {
    const two = (second: 'passed' | 'failed') =>
      ciRun({
        'test (1)': { processes: { p: { cases: { a: 'passed' } } } },
        'test (2)': { processes: { p: { cases: { a: second } } } },
      })
    const finding = judge({ base: two('passed'), golden: two('passed'), patch: two('failed') })
    expect(finding.broken).toEqual([{ leg: 'test (2)', case: 'unit::a', found: 'failed' }])
  })

  test('two jobs with the same display name hide nothing from each other', () => {
    const named = (first: 'passed' | 'failed') => {
      const [one, two] = [oneLeg({ a: first }), oneLeg({ z: 'passed' })]
      return { ...one, legs: [...one.legs, ...two.legs.map((leg) => ({ ...leg, job: 'other' }))] }
    }
    const finding = judge({ base: named('passed'), golden: named('passed'), patch: named('failed') })
    expect(finding.broken).toEqual([{ leg: 'test', case: 'unit::a', found: 'failed' }])
  })

  test('a step that fails under continue-on-error leaves its leg a success', () => {
    const tolerated = { ...oneLeg({ a: 'passed' }) }
    const step = {
      index: 0,
      name: 'flaky',
      uses: null,
      outcome: 'failure' as const,
      conclusion: 'success' as const,
      exitCode: 1,
      durationMs: 1,
      log: null,
      droppedBytes: 0,
      notes: [],
    }
    const patch = { ...tolerated, legs: tolerated.legs.map((leg) => ({ ...leg, steps: [step] })) }
    expect(judge({ patch }).playable).toBe('yes')
  })

  test('a case that passes plainly and not when armed is flaky, and does not pass', () => {
    const patch = ciRun({ test: { processes: { p: { cases: { a: 'passed' }, armed: { a: 'failed' } } } } })
    const finding = judge({ patch })
    expect(finding).toMatchObject({ playable: 'no', reason: 'breaks-tests', flags: ['flaky'] })
    expect(finding.broken[0]?.found).toBe('failed when armed')
  })

  test('a case that two processes report passes only if it passes in both', () => {
    const twice = (second: 'passed' | 'failed') =>
      ciRun({ test: { processes: { p: { cases: { a: 'passed' } }, q: { cases: { a: second } } } } })
    const finding = judge({ base: twice('passed'), golden: twice('passed'), patch: twice('failed') })
    expect(finding.broken).toEqual([{ leg: 'test', case: 'unit::a', found: 'failed' }])
    const bound = judge({ base: twice('failed'), golden: twice('passed'), patch: twice('failed') })
    expect(bound.playable).toBe('yes')
  })

  test('a case that disagrees on golden binds nobody', () => {
    const golden = ciRun({ test: { processes: { p: { cases: { a: 'passed' }, armed: { a: 'failed' } } } } })
    expect(judge({ golden, patch: oneLeg({ a: 'failed' }) }).playable).toBe('yes')
  })
})

describe('a forged result', () => {
  const forging = (process: object) => ({
    patch: ciRun({ test: { processes: { p: { cases: { a: 'passed' }, ...process } } } }),
  })

  test.each([
    ['the sentinel is reported passed', { sentinel: 'passed', exitCode: 1 }],
    ['exit code 0 without a failed sentinel', { sentinel: 'absent', exitCode: 0 }],
  ] as const)('%s', (_, process) => {
    expect(judge(forging(process))).toMatchObject({ playable: 'no', reason: 'forged', forged: ['test: p'] })
  })

  test.each([
    ['a signal', { sentinel: 'absent', exitCode: null }],
    ['any other exit code', { sentinel: 'absent', exitCode: 101 }],
  ] as const)('a sentinel that is absent after %s is a crash: its cases are absent', (_, process) => {
    const finding = judge(forging(process))
    expect(finding).toMatchObject({ playable: 'no', reason: 'breaks-tests', forged: [] })
    expect(finding.broken).toEqual([{ leg: 'test', case: 'unit::a', found: 'absent when armed' }])
  })

  test('a process that is missing from the armed run has no cases', () => {
    expect(judge(forging({ armed: null }))).toMatchObject({
      playable: 'no',
      reason: 'breaks-tests',
      forged: [],
    })
  })

  test('nobody is convicted by a process that could not be armed', () => {
    const unarmed = ciRun({
      test: { processes: { p: { cases: { a: 'passed' }, sentinel: 'absent', exitCode: 0 } } },
    })
    const armed = oneLeg({ a: 'passed' })
    for (const [base, golden] of [
      [unarmed, armed],
      [armed, unarmed],
      [unarmed, unarmed],
    ] as const) {
      const finding = judge({ base, golden, patch: unarmed })
      expect(finding).toMatchObject({ playable: 'yes', forged: [], flags: ['unarmed', 'all-unarmed'] })
    }
  })

  test('one process that cannot be armed leaves the others armed', () => {
    const sentinel = { 0: 'absent', 1: 'failed' } as const
    const processes = (exitCode: 0 | 1) => ({
      test: {
        processes: {
          doc: { cases: { d: 'passed' as const }, armed: null },
          p: { cases: { a: 'passed' as const }, sentinel: sentinel[exitCode], exitCode },
        },
      },
    })
    const kept = ciRun(processes(1))
    const honest = judge({ base: kept, golden: kept, patch: kept })
    expect(honest).toMatchObject({ playable: 'yes', flags: ['unarmed'] })
    expect(judge({ base: kept, golden: kept, patch: ciRun(processes(0)) }).forged).toEqual(['test: p'])
  })
})

describe('results that infrastructure broke', () => {
  const broken = oneLeg({}, { status: 'infra_error', processes: {} })

  test.each([
    ['in the patch', { patch: broken }],
    ['at base, where the patch fails', { base: broken, patch: oneLeg({ a: 'failed' }) }],
    ['on golden, where the patch fails', { golden: broken, patch: oneLeg({ a: 'failed' }) }],
    ['at base and on golden, since they may have had more cases', { base: broken, golden: broken }],
  ])('leave it open %s', (_, changes) => {
    const finding = judge(changes)
    expect(finding.playable).toBe('unknown')
    expect(finding.unknown[0]).toContain('the daemon did not answer')
  })

  test.each([
    ['at base, where golden and patch agree', { base: broken }, 'yes'],
    ['on golden, where the patch keeps base', { golden: broken }, 'yes'],
    [
      'in a patch that binds nothing',
      { base: oneLeg({ b: 'failed' }, { status: 'failure', armed: false }), patch: broken },
      'yes',
    ],
  ] as const)('change nothing %s', (_, changes, playable) => {
    expect(judge(changes).playable).toBe(playable)
  })

  test('save no patch that breaks another leg', () => {
    const legs = (status: 'passed' | 'failed', infra: boolean) =>
      ciRun({
        one: { processes: { p: { cases: { a: status } } } },
        two: infra ? { status: 'infra_error' } : { processes: { p: { cases: { a: 'passed' } } } },
      })
    const finding = judge({
      base: legs('passed', false),
      golden: legs('passed', false),
      patch: legs('failed', true),
    })
    expect(finding).toMatchObject({ playable: 'no', unknown: [] })
  })
})
