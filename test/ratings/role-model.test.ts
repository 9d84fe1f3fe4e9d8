import { describe, expect, test } from 'vitest'
import { logistic } from '../../src/ratings/numbers.ts'
import { fitRoleModel } from '../../src/ratings/role-model.ts'
import {
  againstAnchors,
  contrastError,
  contrastValue,
  POINTS_PER_LOGIT,
  shownRating,
} from '../../src/ratings/strength.ts'
import { NAMES, ROUNDS, reordered } from './data.ts'

const fit = fitRoleModel(ROUNDS)
const FIRST = { task: 't1', submitter: 'A', reviewer: 'B' }
const digits = (value: number | null | undefined, places: number) => (value ?? Number.NaN).toFixed(places)
const all = (values: ReadonlyMap<string, number>, places = 6) =>
  [...values.values()].map((v) => digits(v, places))

describe('the role model', () => {
  test('settles at the documented optimum', () => {
    expect(fit.iterations).toBe(6)
    expect(digits(fit.penalisedLogLikelihood, 9)).toBe('-21.121419111')
    expect(digits(fit.mu, 6)).toBe('0.306211')
    expect(all(fit.submitter)).toEqual(['0.420742', '0.144899', '-0.615578', '0.049937'])
    expect(all(fit.reviewer)).toEqual(['0.479738', '0.035057', '0.620930', '-1.135726'])
    expect(all(fit.task)).toEqual([
      '-0.367744',
      '-0.131174',
      '0.456712',
      '-0.274127',
      '-0.272036',
      '0.588368',
    ])
  })

  test('shows ratings, and their errors against the mean of the anchors', () => {
    const shown = NAMES.map((name) => shownRating(fit, name, NAMES))
    expect(shown.map(({ rating }) => digits(rating, 3))).toEqual([
      '1656.430',
      '1531.262',
      '1500.930',
      '1311.379',
    ])
    const errors = NAMES.map((name) => contrastError(fit, againstAnchors(name, NAMES)))
    const points = (value: number | null) => digits(POINTS_PER_LOGIT * (value ?? Number.NaN), 3)
    expect(errors.map(({ model }) => points(model))).toEqual(['117.156', '122.926', '119.328', '134.708'])
    expect(errors.map(({ clustered }) => points(clustered))).toEqual([
      '120.990',
      '166.906',
      '170.988',
      '90.017',
    ])
    const raw = NAMES.map((name) => contrastError(fit, new Map([[name, 1]])))
    expect(raw.map(({ model }) => points(model))).toEqual(['209.531', '212.812', '210.754', '219.827'])
    expect(shown[1]?.se).toBeCloseTo(166.906, 3)
    // t with 5 degrees of freedom: 2.570582.
    expect((shown[1]?.high ?? 0) - (shown[1]?.rating ?? 0)).toBeCloseTo(2.5705818 * 166.906, 2)
  })

  test('compares two competitors', () => {
    const contrast = new Map([
      ['A', 1],
      ['B', -1],
    ])
    const { model, clustered } = contrastError(fit, contrast)
    expect(digits(POINTS_PER_LOGIT * contrastValue(fit, contrast), 3)).toBe('125.168')
    expect(digits(POINTS_PER_LOGIT * model, 3)).toBe('187.619')
    expect(digits(POINTS_PER_LOGIT * (clustered ?? 0), 3)).toBe('235.385')
  })

  test('has sums of zero by itself', () => {
    for (const values of [fit.submitter, fit.reviewer, fit.task])
      expect([...values.values()].reduce((a, b) => a + b, 0)).toBeCloseTo(0, 10)
  })

  test('is the same to the bit whatever the order of the rounds', () => {
    const other = fitRoleModel(reordered(ROUNDS))
    expect(other.submitter).toEqual(fit.submitter)
    expect(other.task).toEqual(fit.task)
    expect(other.penalisedLogLikelihood).toBe(fit.penalisedLogLikelihood)
    const weighted = ROUNDS.map((round, index) => ({ ...round, task: 't', weight: 0.1 * (1 + (index % 7)) }))
    expect(fitRoleModel(reordered(weighted)).overall).toEqual(fitRoleModel(weighted).overall)
  })

  test('takes a weight of two as the round twice', () => {
    const doubled = fitRoleModel(ROUNDS.map((round) => ({ ...round, weight: 2 })))
    const repeated = fitRoleModel([...ROUNDS, ...ROUNDS])
    expect(doubled.overall).toEqual(repeated.overall)
  })

  test('swap identity: the task and the advantage of a role cancel out', () => {
    const [mu, d] = [0.3, 0.2]
    const [a, b] = [
      { s: 0.4, r: 0.5 },
      { s: 0.1, r: 0 },
    ]
    const p1 = logistic(mu + a.s - b.r - d)
    const p2 = logistic(mu + b.s - a.r - d)
    const [win, loss] = [p1 * (1 - p2), p2 * (1 - p1)]
    expect([p1, p2, win, loss].map((value) => digits(value, 6))).toEqual([
      '0.622459',
      '0.425557',
      '0.357567',
      '0.160665',
    ])
    expect(digits(win / (win + loss), 6)).toBe('0.689974')
    expect(win / (win + loss)).toBeCloseTo(logistic(0.8), 12)
  })

  test.each([
    ['nothing', []],
    ['one battle', ROUNDS.slice(0, 2)],
  ] as const)('stays finite on %s', (_, rounds) => {
    const small = fitRoleModel(rounds)
    for (const value of [...small.overall.values(), small.mu, small.penalisedLogLikelihood])
      expect(Number.isFinite(value)).toBe(true)
    const { used, clustered } = contrastError(small, new Map([['A', 1]]))
    expect(Number.isFinite(used)).toBe(true)
    expect(clustered).toBeNull()
  })

  test.each([
    [1, Number.POSITIVE_INFINITY],
    [0, Number.NEGATIVE_INFINITY],
  ] as const)('when every round ends with %d nobody is stronger than another', (y, mu) => {
    const alike = fitRoleModel(ROUNDS.map((round) => ({ ...round, y })))
    expect(alike.mu).toBe(mu)
    for (const name of NAMES) {
      const { rating, se, low, high } = shownRating(alike, name, NAMES)
      expect(rating).toBe(1500)
      // The prior's own: s and r have variance 2 each, against the mean of four.
      expect(se).toBeCloseTo(POINTS_PER_LOGIT * Math.sqrt(4 * 0.75), 9)
      expect(low).toBeLessThan(high ?? 0)
    }
    const almost = fitRoleModel([
      ...ROUNDS.map((round) => ({ ...round, y })),
      { ...FIRST, y: y === 1 ? 0 : 1 },
    ])
    expect(Number.isFinite(almost.mu)).toBe(true)
  })

  test('a clean sweep is finite, since the prior holds it', () => {
    const sweep = Array.from({ length: 50 }, (_, index) => [
      { task: `t${index}`, submitter: 'A', reviewer: 'B', y: 1 as const },
      { task: `t${index}`, submitter: 'B', reviewer: 'A', y: 0 as const },
    ]).flat()
    const swept = fitRoleModel(sweep)
    expect(swept.overall.get('A')).toBeGreaterThan(1)
    expect(Number.isFinite(swept.overall.get('A'))).toBe(true)
  })

  test('exchanging two names exchanges their ratings', () => {
    const swap = (name: string) => (name === 'A' ? 'B' : name === 'B' ? 'A' : name)
    const mirrored = fitRoleModel(
      ROUNDS.map((round) => ({ ...round, submitter: swap(round.submitter), reviewer: swap(round.reviewer) })),
    )
    for (const name of NAMES)
      expect(mirrored.overall.get(swap(name))).toBeCloseTo(fit.overall.get(name) ?? 0, 9)
  })
})
