import { describe, expect, test } from 'vitest'
import { toBattles } from '../../src/ratings/battles.ts'
import { auditZ, fitConditional } from '../../src/ratings/conditional.ts'
import { percentileIntervals, rankIntervals, topShares } from '../../src/ratings/rank-intervals.ts'
import { fitRoleModel } from '../../src/ratings/role-model.ts'
import { againstAnchors, CENTRE, contrastError, POINTS_PER_LOGIT } from '../../src/ratings/strength.ts'
import { bootstrapTasks } from '../../src/ratings/task-bootstrap.ts'
import { ALL, NAMES, ROUNDS, reordered } from './data.ts'

const digits = (value: number | null | undefined, places: number) => (value ?? Number.NaN).toFixed(places)
const points = (value: number | null | undefined) => digits(POINTS_PER_LOGIT * (value ?? Number.NaN), 3)
const shown = (value: number) => digits(CENTRE + POINTS_PER_LOGIT * value, 3)
const fit = fitConditional(ALL)

describe('battles', () => {
  test('pair the two rounds of a task, and leave out a round without its partner', () => {
    expect(ALL).toHaveLength(18)
    expect(ALL[0]).toEqual({ task: 't1', a: 'A', b: 'B', aSurvives: true, bSurvives: false })
    expect(toBattles(ROUNDS.slice(1))).toHaveLength(17)
    expect(toBattles(reordered(ROUNDS))).toEqual(ALL)
  })

  test('repeated battles are kept apart by their ids', () => {
    const twice = ['x', 'y'].flatMap((battle) => ROUNDS.map((round) => ({ ...round, battle })))
    expect(toBattles(twice)).toHaveLength(36)
  })
})

describe('the conditional audit model', () => {
  test('settles at the documented optimum', () => {
    expect(fit.decisive).toBe(12)
    expect(digits(fit.logLikelihood, 9)).toBe('-7.075475904')
    expect([...fit.overall.values()].map((value) => digits(value, 6))).toEqual([
      '0.673623',
      '0.175760',
      '0.005615',
      '-0.854999',
    ])
    expect([...fit.overall.values()].map(shown)).toEqual(['1617.020', '1530.533', '1500.975', '1351.471'])
  })

  test('is empty on nothing', () => {
    expect(fitConditional([])).toMatchObject({ competitors: [], decisive: 0 })
  })

  test('has the documented errors', () => {
    const errors = NAMES.map((name) => contrastError(fit, againstAnchors(name, NAMES)))
    expect(errors.map(({ model }) => points(model))).toEqual(['103.636', '106.233', '104.724', '125.375'])
    expect(errors.map(({ clustered }) => points(clustered))).toEqual([
      '94.238',
      '113.735',
      '131.009',
      '73.035',
    ])
    const raw = NAMES.map((name) => contrastError(fit, new Map([[name, 1]])))
    expect(raw.map(({ model }) => points(model))).toEqual(['202.283', '203.626', '202.842', '214.235'])
  })

  test('audits the role model: no alarm on these data, an alarm when the two were fitted to different worlds', () => {
    const full = fitRoleModel(ROUNDS)
    for (const name of NAMES) {
      const z = auditZ(full, fit, againstAnchors(name, NAMES))
      expect(Math.abs(z ?? Number.NaN)).toBeLessThan(3)
    }
    const many = Array.from({ length: 40 }, (_, copy) =>
      ROUNDS.map((round) => ({ ...round, task: `${round.task}-${copy}` })),
    ).flat()
    const reversed = many.map((round) => ({ ...round, y: round.y === 1 ? (0 as const) : (1 as const) }))
    const alarm = auditZ(fitRoleModel(many), fitConditional(toBattles(reversed)), againstAnchors('A', NAMES))
    expect(Math.abs(alarm ?? 0)).toBeGreaterThan(3)
  })
})

describe('the task bootstrap', () => {
  const bootstrap = bootstrapTasks(ALL, { seed: 20240501, replicates: 2000 })

  test('draws the documented replicates, intervals and shares', () => {
    expect([...(bootstrap.replicates[0] ?? [])].map(shown)).toEqual([
      '1415.047',
      '1752.847',
      '1426.430',
      '1405.676',
    ])
    expect(percentileIntervals(bootstrap).map(([low, high]) => [shown(low), shown(high)])).toEqual([
      ['1392.735', '1829.860'],
      ['1274.345', '1833.700'],
      ['1183.129', '1763.437'],
      ['1153.211', '1500.000'],
    ])
    expect(topShares(bootstrap).map((share) => Number(share.toFixed(6)))).toEqual([
      0.5335, 0.29175, 0.17425, 0.0005,
    ])
  })

  test('ranks by simultaneous intervals', () => {
    const { critical, ranks } = rankIntervals(bootstrap)
    expect(digits(critical, 6)).toBe('2.567148')
    expect(ranks).toEqual(NAMES.map(() => ({ best: 1, worst: 4 })))
  })

  test('gives the same bits whatever the order of battles, and each replicate by itself', () => {
    const fewer = bootstrapTasks(reordered(ALL), { seed: 20240501, replicates: 5 })
    expect(fewer.replicates).toEqual(bootstrap.replicates.slice(0, 5))
  })

  test('separates ranks when the data do', () => {
    const clear = Array.from({ length: 60 }, (_, t) => [
      { task: `t${t}`, a: 'A', b: 'B', aSurvives: t % 12 !== 0, bSurvives: t % 12 === 0 },
      { task: `t${t}`, a: 'B', b: 'C', aSurvives: t % 11 !== 0, bSurvives: t % 11 === 0 },
    ]).flat()
    const { ranks } = rankIntervals(bootstrapTasks(clear, { seed: 1, replicates: 300 }))
    expect(ranks).toEqual([1, 2, 3].map((rank) => ({ best: rank, worst: rank })))
  })
})
