import { Worker } from 'node:worker_threads'
import { build } from 'esbuild'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { tabulateBattleColumns, tabulateBattles } from '../../src/ratings/battle-table.ts'
import { toBattles } from '../../src/ratings/battles.ts'
import { comparePair } from '../../src/ratings/compare.ts'
import { fitConditional } from '../../src/ratings/conditional.ts'
import { fragilityOf } from '../../src/ratings/fragility.ts'
import { overAttempts } from '../../src/ratings/proportions.ts'
import { createStream } from '../../src/ratings/random.ts'
import { basesOf, ratePool } from '../../src/ratings/rate-pool.ts'
import { fitRoleModel, fitRoleTable } from '../../src/ratings/role-model.ts'
import { type RatedRound, tabulate, tabulateColumns, toColumns } from '../../src/ratings/rounds.ts'
import { separate } from '../../src/ratings/separation.ts'
import { betweenTwo, contrastError } from '../../src/ratings/strength.ts'
import { bootstrapBattles, bootstrapRoles, bootstrapScores } from '../../src/ratings/task-bootstrap.ts'
import { ALL, NAMES, ROUNDS } from './data.ts'

const withBattles = (rounds: readonly RatedRound[]) =>
  rounds.map((round) => ({
    ...round,
    battle: JSON.stringify([round.task, ...[round.submitter, round.reviewer].sort()]),
  }))

/** A season in which the earlier name is the stronger one; every pair on every task. */
const league = (names: readonly string[], tasks: number): readonly RatedRound[] => {
  const next = createStream(5, tasks)
  return Array.from({ length: tasks }, (_, t) =>
    names.flatMap((submitter, i) =>
      names.flatMap((reviewer, j): readonly RatedRound[] => {
        const survives = next() / 2 ** 32 < 1 / (1 + Math.exp((i - j) / 2))
        return i === j ? [] : [{ task: `t${t}`, submitter, reviewer, y: survives ? 1 : 0 }]
      }),
    ),
  ).flat()
}

const anyRounds = fc.array(
  fc.record({
    task: fc.constantFrom('t1', 't2', 't10', 'ä'),
    submitter: fc.constantFrom('a', 'b', 'c', 'B'),
    reviewer: fc.constantFrom('a', 'b', 'c', 'B'),
    y: fc.constantFrom(0 as const, 1 as const),
    weight: fc.constantFrom(1, 0.1, 0.7, 3),
  }),
  { maxLength: 40 },
)

describe('sufficient statistics', () => {
  test('whatever the order of rounds and of names, the same bits', () => {
    fc.assert(
      fc.property(anyRounds, fc.nat(), (given, turn) => {
        const rounds = given.filter(({ submitter, reviewer }) => submitter !== reviewer)
        const at = rounds.length === 0 ? 0 : turn % rounds.length
        const turned = [...rounds.slice(at), ...rounds.slice(0, at)].reverse()
        expect(tabulate(turned)).toEqual(tabulate(rounds))
        const fit = fitRoleModel(rounds)
        const other = fitRoleModel(turned)
        for (const part of ['mu', 'overall', 'task', 'covariance', 'influences'] as const)
          expect(other[part]).toEqual(fit[part])
        const columns = toColumns(turned)
        const reversed = {
          ...columns,
          competitors: [...columns.competitors].reverse(),
          submitter: columns.submitter.map((index) => columns.competitors.length - 1 - index),
          reviewer: columns.reviewer.map((index) => columns.competitors.length - 1 - index),
          tasks: ['nobody plays this', ...columns.tasks],
          task: columns.task.map((index) => index + 1),
        }
        expect(tabulateColumns(reversed)).toEqual(tabulate(rounds))
      }),
      { numRuns: 60 },
    )
  })

  test('battles from columns are those from rounds, repeats and missing partners included', () => {
    fc.assert(
      fc.property(anyRounds, fc.array(fc.constantFrom('x', 'y')), (given, ids) => {
        const rounds = given
          .filter(({ submitter, reviewer }) => submitter !== reviewer)
          .map((round, index) => ({ ...round, battle: ids[index] ?? 'x' }))
        expect(tabulateBattleColumns(toColumns(rounds))).toEqual(tabulateBattles(toBattles(rounds)))
      }),
      { numRuns: 60 },
    )
    const { battle: _, ...columns } = toColumns(ROUNDS)
    expect(tabulateBattleColumns(columns)).toEqual(tabulateBattles(ALL))
  })

  test('more competitors than squares of sums can be kept of are refused', () => {
    const many = Array.from({ length: 4097 }, (_, i) => ({
      task: 't',
      submitter: `a${i}`,
      reviewer: 'b',
      y: 1 as const,
    }))
    expect(() => tabulate(many)).toThrow(/4098 competitors: at most 4096/)
  })
})

describe('replicates', () => {
  const rounds = league(['a', 'b', 'c', 'd', 'e'], 13)
  const table = tabulate(rounds)
  const battles = tabulateBattles(toBattles(rounds))

  test('have the same bits on one, two and three workers', async () => {
    const bundle = await build({
      stdin: {
        contents: `
          import { parentPort, workerData } from 'node:worker_threads'
          import { tabulateBattles } from './battle-table.ts'
          import { tabulate } from './rounds.ts'
          import { bootstrapBattles, bootstrapRoles } from './task-bootstrap.ts'
          const { rounds, battles, range } = workerData
          parentPort.postMessage([
            ...bootstrapBattles(tabulateBattles(battles), range).replicates,
            ...bootstrapRoles(tabulate(rounds), range).replicates,
          ])`,
        resolveDir: new URL('../../src/ratings', import.meta.url).pathname,
        loader: 'ts',
      },
      bundle: true,
      format: 'cjs',
      platform: 'node',
      write: false,
    })
    const run = (from: number, to: number): Promise<readonly Float64Array[]> =>
      new Promise((resolve, reject) => {
        const worker = new Worker(bundle.outputFiles[0]?.text ?? '', {
          eval: true,
          workerData: { rounds, battles: toBattles(rounds), range: { seed: 9, from, to } },
        })
        worker.once('message', resolve)
        worker.once('error', reject)
      })
    const whole = await run(0, 30)
    for (const cuts of [
      [0, 11, 30],
      [0, 7, 8, 30],
    ]) {
      const parts = await Promise.all(cuts.slice(1).map((to, index) => run(cuts[index] ?? 0, to)))
      const half = (part: readonly Float64Array[], second: boolean) =>
        part.slice(second ? part.length / 2 : 0, second ? part.length : part.length / 2)
      const joined = [false, true].flatMap((second) => parts.flatMap((part) => half(part, second)))
      expect(joined).toEqual(whole)
    }
  })

  test('of scores spread as the fitted ones do', () => {
    const fit = fitRoleTable(tabulate(league(['a', 'b', 'c'], 60)))
    const range = { seed: 3, from: 0, to: 400 }
    const spread = ({ replicates }: { replicates: readonly Float64Array[] }) => {
      const drawn = replicates.map((one) => (one[0] ?? 0) - (one[1] ?? 0))
      const mean = drawn.reduce((x, y) => x + y) / drawn.length
      return Math.sqrt(drawn.reduce((x, y) => x + (y - mean) ** 2, 0) / drawn.length)
    }
    const many = bootstrapScores(fit, { ...range, to: 8000 })
    const exact = spread(bootstrapRoles(tabulate(league(['a', 'b', 'c'], 60)), range))
    const { clustered } = contrastError(fit, betweenTwo('a', 'b'))
    expect(spread(many) / (clustered ?? 0)).toBeCloseTo(1, 1)
    expect(exact / (clustered ?? 0)).toBeGreaterThan(0.9)
    expect(exact / (clustered ?? 0)).toBeLessThan(1.15)
  })

  test('in which every drawn round ended alike tell nobody from anybody', () => {
    const lopsided: RatedRound[] = [
      { task: 't1', submitter: 'a', reviewer: 'b', y: 1 },
      { task: 't2', submitter: 'b', reviewer: 'a', y: 0 },
    ]
    const { replicates } = bootstrapRoles(tabulate(lopsided), { seed: 1, from: 0, to: 20 })
    expect(replicates.some((one) => one.every((value) => value === 0))).toBe(true)
    for (const one of replicates) for (const value of one) expect(Number.isFinite(value)).toBe(true)
  })

  test('hold the estimate on all tasks', () => {
    const { estimate } = bootstrapRoles(table, { seed: 1, from: 0, to: 0 })
    expect([...estimate]).toEqual([...fitRoleTable(table).overall.values()])
    const conditional = bootstrapBattles(battles, { seed: 1, from: 0, to: 0 })
    expect([...conditional.estimate]).toEqual([...fitConditional(toBattles(rounds)).overall.values()])
  })
})

describe('distances that decisive battles bound', () => {
  test.each([
    ['a', 'at-least'],
    ['b', 'both'],
    ['c', 'both'],
    ['d', 'at-most'],
    ['e', 'none'],
  ] as const)('%s: %s', (name, bounded) => {
    const beats = [
      ['a', 'b'],
      ['b', 'c'],
      ['c', 'b'],
      ['c', 'd'],
      ['e', 'd'],
    ] as const
    const separation = separate(['a', 'b', 'c', 'd', 'e'], beats, ['a', 'b', 'c', 'd', 'e'])
    expect(separation.centre).toEqual(['b', 'c'])
    expect(separation.bounds.get(name)).toBe(bounded)
  })

  test('nothing decisive bounds nothing', () => {
    expect([...separate(['a', 'b'], [], ['a']).bounds.values()]).toEqual(['none', 'none'])
  })
})

describe('two competitors', () => {
  const fit = fitRoleModel(ROUNDS)

  test('are compared by their own contrast', () => {
    const compared = comparePair(fit, ALL, 'A', 'B')
    expect(compared.difference.toFixed(3)).toBe('125.168')
    expect(compared.se.toFixed(3)).toBe('235.385')
    expect(compared).toMatchObject({ wins: 2, losses: 1, draws: 1, claim: null, test: { decision: 'open' } })
    const mirrored = comparePair(fit, ALL, 'B', 'A')
    expect(mirrored.difference).toBe(-compared.difference)
    expect(mirrored).toMatchObject({ wins: 1, losses: 2, draws: 1, eValue: compared.eValue })
  })

  test('one task has one vote, however often it was played', () => {
    const often = Array.from({ length: 30 }, () => ({
      task: 't1',
      a: 'A',
      b: 'B',
      aSurvives: true,
      bSurvives: false,
    }))
    expect(comparePair(fit, often, 'A', 'B')).toMatchObject({ wins: 1, losses: 0, claim: null })
  })

  test('a lead is claimed when it is clear, and denied when there is none', () => {
    const battles = (wins: number, losses: number) =>
      Array.from({ length: wins + losses }, (_, t) => ({
        task: `t${t}`,
        a: 'A',
        b: 'B',
        aSurvives: t < wins,
        bSurvives: t >= wins,
      }))
    expect(comparePair(fit, battles(40, 8), 'A', 'B')).toMatchObject({
      claim: 'a',
      test: { decision: 'lead' },
    })
    expect(comparePair(fit, battles(8, 40), 'A', 'B')).toMatchObject({
      claim: 'b',
      test: { decision: 'no-lead' },
    })
    expect(comparePair(fit, [], 'A', 'B')).toMatchObject({ wins: 0, claim: null, test: { decision: 'open' } })
    expect(comparePair(fit, [], 'A', 'B').eValue).toBeCloseTo(1, 9)
  })
})

describe('how few battles carry the first place', () => {
  test('is at most a few above the smallest number that trying every set finds', () => {
    const rounds = withBattles(ROUNDS)
    const battles = [...new Set(rounds.map(({ battle }) => battle))]
    const firstOf = (gone: ReadonlySet<string>) =>
      [...fitRoleModel(rounds.filter(({ battle }) => !gone.has(battle))).overall].sort(
        ([, x], [, y]) => y - x,
      )[0]?.[0]
    const found = fragilityOf(rounds)
    expect(found).toMatchObject({ first: 'A', of: 18 })
    const sets = (size: number, from = 0): string[][] =>
      size === 0
        ? [[]]
        : battles
            .slice(from)
            .flatMap((battle, at) => sets(size - 1, from + at + 1).map((rest) => [battle, ...rest]))
    const smallest = [1, 2, 3].find((size) => sets(size).some((gone) => firstOf(new Set(gone)) !== 'A'))
    expect(smallest).toBeDefined()
    expect(found?.battles).toBeGreaterThanOrEqual(smallest ?? 0)
    expect(found?.battles).toBeLessThanOrEqual((smallest ?? 0) + 1)
    expect(NAMES).toContain(found?.instead)
  })

  test('there is no such number for a lone one', () => {
    expect(fragilityOf([])).toBeNull()
  })
})

test('Best@k and pass^k are means over the tasks that were tried often enough', () => {
  const tasks = [
    { tried: 5, succeeded: 2 },
    { tried: 10, succeeded: 3 },
    { tried: 2, succeeded: 2 },
  ]
  const three = overAttempts(tasks, 3)
  expect(three?.tasks).toBe(2)
  expect(three?.bestAtK).toBeCloseTo((0.9 + 1 - (7 * 6 * 5) / (10 * 9 * 8)) / 2, 12)
  expect(overAttempts(tasks, 11)).toBeNull()
})

describe('a pool', () => {
  const rounds = withBattles(league(['a', 'b', 'c', 'd', 'e', 'f'], 40))
  const pool = ratePool(rounds, basesOf(rounds), { anchors: ['b', 'c'] })

  test('has simultaneous ranks, and an audit without an alarm', () => {
    expect([...pool.ratings.values()].map(({ state }) => state)).toEqual(Array(6).fill('rated'))
    const ranks = [...pool.ratings.values()].map(({ rank }) => rank)
    for (const [at, rank] of ranks.entries()) {
      expect(rank?.best).toBeLessThanOrEqual(at + 1)
      expect(rank?.worst).toBeGreaterThanOrEqual(at + 1)
    }
    expect(ranks[0]?.worst).toBeLessThan(6)
    expect(pool.auditAlarms).toEqual([])
    expect(pool.centre).toEqual(['b', 'c'])
  })

  test('alarms when the two rounds of a battle hang together, which the headline model cannot know', () => {
    const next = createStream(8, 0)
    const names = ['a', 'b', 'c', 'd', 'e', 'f']
    const odd = withBattles(
      Array.from({ length: 120 }, (_, t) =>
        names.flatMap((x, i) =>
          names.slice(i + 1).flatMap((other): readonly RatedRound[] => {
            const wins = next() / 2 ** 32 < 0.65
            return [
              { task: `t${t}`, submitter: x, reviewer: other, y: wins ? 1 : 0 },
              { task: `t${t}`, submitter: other, reviewer: x, y: wins ? 0 : 1 },
            ]
          }),
        ),
      ).flat(),
    )
    expect(ratePool(odd, basesOf(odd), { anchors: ['c', 'd'] }).auditAlarms).toContain('a')
  })
})
