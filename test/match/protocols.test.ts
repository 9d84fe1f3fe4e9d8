import { describe, expect, test } from 'vitest'
import { protocols } from '../../src/match/protocols/index.ts'
import { NOTHING_YET, type RoundSoFar, type Step } from '../../src/match/protocols/step.ts'
import type { Feedback } from '../../src/schema/feedback.ts'
import type { Protocol } from '../../src/schema/match.ts'
import { competitor, generation } from './fakes.ts'

const PATCH = generation('patch', competitor('a'))
const TESTS = generation('tests', competitor('b'))

/** In a word, with what is shown. */
const nameOf = (step: Step): string => {
  if (step.kind === 'run-ci') return `run-ci ${step.tests}`
  if (step.kind !== 'generate') return step.kind
  const asks = step.asks.map(({ kind, sample, patch, hints, feedback }) =>
    [
      kind,
      ...(sample > 0 ? [sample] : []),
      ...(patch ? ['sees patch'] : []),
      ...(hints ? ['hints'] : []),
      ...(feedback.length > 0 ? [`told ${feedback.length}`] : []),
    ].join(' '),
  )
  return `generate ${asks.join(', ')}`
}

/** Plays a round in the mind: every step does what it says, and CI finds what is given. */
function stepsOf(
  protocol: Protocol,
  playable: 'yes' | 'no' | 'unknown',
  start: Partial<RoundSoFar> = {},
): readonly string[] {
  let soFar: RoundSoFar = { ...NOTHING_YET, ...start }
  const names: string[] = []
  for (;;) {
    const step = protocols[protocol].next(soFar)
    expect(protocols[protocol].next({ ...soFar })).toEqual(step)
    names.push(nameOf(step))
    expect(names.length).toBeLessThan(20)
    if (step.kind === 'stop') return names
    if (step.kind === 'generate') {
      const drawn = step.asks.filter(({ kind }) => kind === 'patch').map(() => PATCH)
      const isTests = step.asks.some(({ kind }) => kind === 'tests')
      soFar = {
        ...soFar,
        patches: [...soFar.patches, ...drawn],
        tests: isTests ? TESTS : soFar.tests,
      }
    } else if (step.kind === 'choose') soFar = { ...soFar, chosen: soFar.patches[0] }
    else if (step.kind === 'run-ci') soFar = { ...soFar, ran: step.tests, playable }
    else soFar = { ...soFar, isJudged: true }
  }
}

const told = (kind: 'patch' | 'tests'): Feedback => ({
  turn: 1,
  kind,
  ended: 'It ended.',
  brought: '',
  failures: [],
})

describe('blind', () => {
  test.each(['yes', 'no', 'unknown'] as const)(
    'asks both at once and runs everything, playable or not: %s',
    (p) => {
      expect(stepsOf('blind', p)).toEqual([
        'generate patch, tests',
        'choose',
        'run-ci with-tests',
        'judge',
        'stop',
      ])
    },
  )
})

describe('best-of-k', () => {
  test('draws k patches beside one set of tests, and one of them is chosen before CI runs', () => {
    expect(stepsOf('best-of-k', 'yes', { draws: 3, temperature: 0.8 })).toEqual([
      'generate patch, patch 1, patch 2, tests',
      'choose',
      'run-ci with-tests',
      'judge',
      'stop',
    ])
  })

  test('asks each draw at the recorded temperature', () => {
    const step = protocols['best-of-k'].next({ ...NOTHING_YET, draws: 2, temperature: 0.8 })
    if (step.kind !== 'generate') throw new Error('it asks first')
    expect(step.asks.map(({ kind, temperature }) => [kind, temperature])).toEqual([
      ['patch', 0.8],
      ['patch', 0.8],
      ['tests', undefined],
    ])
  })
})

describe('sighted', () => {
  test('shows the reviewer a playable patch', () => {
    expect(stepsOf('sighted', 'yes')).toEqual([
      'generate patch',
      'choose',
      'run-ci without-tests',
      'generate tests sees patch',
      'run-ci with-tests',
      'judge',
      'stop',
    ])
  })

  test.each(['no', 'unknown'] as const)(
    'ends before the reviewer is asked when playable is %s',
    (playable) => {
      expect(stepsOf('sighted', playable)).toEqual([
        'generate patch',
        'choose',
        'run-ci without-tests',
        'judge',
        'stop',
      ])
    },
  )
})

describe('paper', () => {
  test('tells each role what came of its rounds, and shows the reviewer the patch with hints', () => {
    const start = { told: { patch: [told('patch')], tests: [told('tests'), told('tests')] } }
    expect(stepsOf('paper', 'yes', start)).toEqual([
      'generate patch told 1',
      'choose',
      'run-ci without-tests',
      'generate tests sees patch hints told 2',
      'run-ci with-tests',
      'judge',
      'stop',
    ])
  })
})
