import { describe, expect, test } from 'vitest'
import { fitBradleyTerry } from '../../src/ratings/bradley-terry.ts'
import { connectedComponents, strongComponents } from '../../src/ratings/connectivity.ts'
import { playElo } from '../../src/ratings/elo.ts'
import { logGamma, quantile } from '../../src/ratings/numbers.ts'
import { comparePaired } from '../../src/ratings/paired-bootstrap.ts'
import { eValue, passAtK, passHatK, wilson } from '../../src/ratings/proportions.ts'
import { createStream, POISSON_1, poissonOf } from '../../src/ratings/random.ts'
import { logLikelihoodRatio, sequentialBounds } from '../../src/ratings/sequential.ts'
import { ratingState } from '../../src/ratings/state.ts'
import { studentQuantile } from '../../src/ratings/student.ts'

const rounded = (value: number, places: number) => Number(value.toFixed(places))

describe('Bradley-Terry', () => {
  test('plain, from counts', () => {
    const wins = [
      ['A', 'B', 7],
      ['B', 'A', 3],
      ['A', 'C', 8],
      ['C', 'A', 2],
      ['B', 'C', 6],
      ['C', 'B', 4],
    ] as const
    const fit = fitBradleyTerry(wins.map(([winner, loser, count]) => ({ winner, loser, count })))
    if (fit.kind !== 'fitted') throw new Error('everybody lost to somebody')
    const strengths = [...fit.strength.values()]
    expect(strengths.map((value) => rounded(value, 9))).toEqual([0.740569935, -0.149102255, -0.59146768])
    expect(strengths.map((value) => rounded(1500 + (400 / Math.LN10) * value, 4))).toEqual([
      1628.6502, 1474.0983, 1397.2515,
    ])
  })

  test('says that a distance is not known when a group never lost', () => {
    const wins = [
      { winner: 'A', loser: 'B', count: 5 },
      { winner: 'B', loser: 'C', count: 1 },
      { winner: 'C', loser: 'B', count: 1 },
    ]
    expect(fitBradleyTerry(wins)).toEqual({ kind: 'unbounded', groups: [['A'], ['B', 'C']] })
  })
})

test('online Elo', () => {
  const games = [
    { a: 'A', b: 'B', score: 1 },
    { a: 'B', b: 'C', score: 0.5 },
    { a: 'A', b: 'C', score: 0 },
    { a: 'C', b: 'B', score: 1 },
  ]
  const ratings = playElo(games)
  expect(['A', 'B', 'C'].map((name) => rounded(ratings.get(name) ?? 0, 6))).toEqual([
    1499.811587, 1484.548193, 1515.64022,
  ])
})

test.each([
  [0, 10, 0, 0.277533],
  [1, 1, 0.206549, 1],
  [7, 10, 0.396778, 0.892209],
  [10, 10, 0.722467, 1],
  [70, 100, 0.604151, 0.781051],
  [480, 1000, 0.449171, 0.510982],
  [0, 0, 0, 1],
])('Wilson %d/%d', (successes, trials, low, high) => {
  expect(wilson(successes, trials).map((value) => rounded(value, 6))).toEqual([low, high])
})

test.each([
  [5, 2, 1, 0.4, 0.4],
  [5, 2, 3, 0.9, 0],
  [10, 3, 5, 0.916666667, 0],
  [10, 10, 4, 1, 1],
  [10, 0, 4, 0, 0],
  [200, 37, 10, 0.877374567, 1.6e-8],
  [8, 6, 4, 1, 0.214285714],
  [4, 1, 4, 1, 0],
  [8, 3, 2, 0.642857143, 0.107142857],
])('pass@k and pass^k of n=%d c=%d k=%d', (n, c, k, at, hat) => {
  expect(rounded(passAtK(n, c, k), 9)).toBe(at)
  expect(rounded(passHatK(n, c, k), 9)).toBe(hat < 1e-6 ? rounded(hat, 9) : hat)
})

describe('GSPRT', () => {
  test.each([
    ['losses, draws, wins', [30, 45, 60], 0, 50, 4.42647, 4.712423],
    ['pairs of games', [10, 40, 100, 60, 15], 0, 20, 2.210674, 2.252522],
  ] as const)('%s', (_, counts, elo0, elo1, exact, approximate) => {
    const ratio = logLikelihoodRatio(counts, elo0, elo1)
    expect(rounded(ratio.exact, 6)).toBe(exact)
    expect(rounded(ratio.approximate, 6)).toBe(approximate)
  })

  test('bounds at 5 % and 5 %', () => {
    expect(sequentialBounds(0.05, 0.05).map((value) => rounded(value, 6))).toEqual([-2.944439, 2.944439])
  })
})

test.each([
  [5, 5, 0.246094],
  [9, 1, 9.496094],
  [14, 3, 9.001923],
  [40, 20, 3.066398],
])('e-value of %d wins and %d losses', (wins, losses, value) => {
  expect(rounded(eValue(wins, losses), 6)).toBe(value)
})

describe('the paired bootstrap', () => {
  test('compares two lists on the same tasks', () => {
    const x = [0.8, 0.6, 1, 0.4, 0.2, 0.9, 0.7, 0.5, 1, 0.3]
    const y = [0.6, 0.6, 0.9, 0.5, 0, 0.7, 0.8, 0.3, 0.9, 0.1]
    const difference = comparePaired(x, y, { seed: 42, replicates: 10_000 })
    expect(rounded(difference.mean, 9)).toBe(0.1)
    expect(rounded(difference.se, 6)).toBe(0.039441)
    expect([rounded(difference.low, 6), rounded(difference.high, 6)]).toEqual([0.02, 0.17])
    expect(difference.atMostZero).toBe(0.0078)
  })

  test('refuses lists that do not pair', () => {
    expect(() => comparePaired([1, 2], [1], { seed: 1, replicates: 1 })).toThrow(/2 and 1/)
  })
})

describe('random numbers', () => {
  test('sfc32 by stream', () => {
    const [first, second] = [createStream(42, 0), createStream(42, 1)]
    expect([first(), first(), first(), first()]).toEqual([2834941501, 862905087, 383601768, 3789314637])
    expect([second(), second()]).toEqual([1477062816, 2655589469])
  })

  test('the Poisson table', () => {
    expect(POISSON_1.slice(0, 6)).toEqual([
      1580030168, 3160060337, 3950075421, 4213413783, 4279248373, 4292415291,
    ])
    expect([0, 1580030167, 1580030168, 3160060337, 2 ** 32 - 1].map(poissonOf)).toEqual([0, 0, 1, 2, 12])
  })
})

describe('quantiles', () => {
  test.each([
    [1, 12.7062047364],
    [2, 4.3026527297],
    [3, 3.1824463053],
    [5, 2.5705818356],
    [30, 2.0422724563],
    [1000, 1.9623390808],
  ])('Student with %d degrees of freedom', (degrees, value) => {
    expect(studentQuantile(0.975, degrees)).toBeCloseTo(value, 8)
  })

  test('type 7', () => {
    expect([0, 0.25, 0.5, 1].map((p) => quantile([1, 2, 4, 8], p))).toEqual([1, 1.75, 3, 8])
  })

  test('log Γ', () => {
    expect(logGamma(0.5)).toBeCloseTo(Math.log(Math.sqrt(Math.PI)), 13)
    expect(logGamma(11)).toBeCloseTo(Math.log(3_628_800), 12)
  })
})

describe('who can be compared', () => {
  test('pools that never met are told apart', () => {
    const met = [
      ['d', 'c'],
      ['a', 'b'],
      ['b', 'e'],
    ] as const
    expect(connectedComponents(met)).toEqual([
      ['a', 'b', 'e'],
      ['c', 'd'],
    ])
  })

  test('groups that never lost to the rest come first', () => {
    const beats = [
      ['a', 'b'],
      ['b', 'c'],
      ['c', 'b'],
      ['c', 'd'],
    ] as const
    expect(strongComponents(beats)).toEqual([['a'], ['b', 'c'], ['d']])
    expect(strongComponents([...beats, ['d', 'a']])).toHaveLength(1)
  })

  test.each([
    [{ battles: 9, tasks: 40, opponents: 9, se: 10, connected: true }, 'record'],
    [{ battles: 90, tasks: 40, opponents: 9, se: 10, connected: false }, 'record'],
    [{ battles: 10, tasks: 29, opponents: 9, se: 10, connected: true }, 'provisional'],
    [{ battles: 90, tasks: 30, opponents: 4, se: 10, connected: true }, 'provisional'],
    [{ battles: 90, tasks: 30, opponents: 5, se: 75.1, connected: true }, 'provisional'],
    [{ battles: 90, tasks: 30, opponents: 5, se: 75, connected: true }, 'rated'],
  ] as const)('state of %o: %s', (basis, state) => {
    expect(ratingState(basis)).toBe(state)
  })
})
