import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildCommand, runArena } from '../helpers/command.ts'
import { temporaryFolder } from '../helpers/repository.ts'
import { ROUNDS, reordered } from '../ratings/data.ts'

const csvOf = (rounds: typeof ROUNDS): string =>
  [
    'task,submitter,reviewer,outcome',
    ...rounds.map(({ task, submitter, reviewer, y }) => [task, submitter, reviewer, y].join(',')),
    '',
  ].join('\n')

describe('arena ratings', () => {
  const place = temporaryFolder('arena-ratings')
  const ratings = (...args: string[]) => runArena(['ratings', ...args], {}, place.path)
  const json = async (...args: string[]) => {
    const { stdout, stderr, exitCode } = await ratings(...args, '--json')
    expect(exitCode, stderr).toBe(0)
    return JSON.parse(stdout)
  }

  beforeAll(async () => {
    await buildCommand()
    writeFileSync(join(place.path, 'rounds.csv'), csvOf(ROUNDS))
    writeFileSync(join(place.path, 'mixed.csv'), csvOf(reordered(ROUNDS)))
    writeFileSync(
      join(place.path, 'rounds.ndjson'),
      ROUNDS.map(({ y, ...round }) => `${JSON.stringify({ ...round, outcome: y })}\n`).join(''),
    )
    writeFileSync(join(place.path, 'bad.csv'), 'task,submitter,reviewer,outcome\nt,a,b,1\nt,b,a,maybe\n')
    writeFileSync(join(place.path, 'none.csv'), 'task,submitter,reviewer,outcome\n')
    writeFileSync(
      join(place.path, 'more.csv'),
      'task,submitter,reviewer,outcome,rated,cost\nt,a,b,1,1,3\nt,b,a,,0,3\n',
    )
  })
  afterAll(() => place[Symbol.dispose]())

  it('fits the documented data, for people and as one JSON document', async () => {
    const fitted = await json('fit', 'rounds.csv')
    expect(fitted.mu.toFixed(6)).toBe('0.306211')
    expect(fitted).toMatchObject({ rounds: 36, battles: 18, decisive: 12, centredOn: 'everybody' })
    expect(
      fitted.competitors.map(({ competitor, rating }: { competitor: string; rating: number }) => [
        competitor,
        rating.toFixed(3),
      ]),
    ).toEqual([
      ['A', '1656.430'],
      ['B', '1531.262'],
      ['C', '1500.930'],
      ['D', '1311.379'],
    ])
    expect(fitted.competitors[0]).toMatchObject({ state: 'provisional', bounded: 'both' })
    expect(fitted.tasks[0].difficulty.toFixed(6)).toBe('-0.367744')
    const { stdout } = await ratings('fit', 'rounds.csv')
    expect(stdout).toMatch(/^36 rounds, 18 battles \(12 decisive\), 6 tasks; engine 1\n/)
    expect(stdout).toMatch(/\nA +1656 +1345–1967 +– /)
  })

  it('gives the same document for another order of rounds, and for NDJSON', async () => {
    const fitted = await json('fit', 'rounds.csv', '--bootstrap', '50')
    expect(await json('fit', 'mixed.csv', '--bootstrap', '50')).toEqual(fitted)
    expect(await json('fit', 'rounds.ndjson', '--bootstrap', '50')).toEqual(fitted)
  })

  it('draws the documented bootstrap', async () => {
    const args = ['--bootstrap', '2000', '--seed', '20240501', '--model', 'conditional']
    const { competitors } = await json('fit', 'rounds.csv', ...args)
    const { low, high, top, rank } = competitors[0].bootstrap
    expect([low.toFixed(3), high.toFixed(3), top.toFixed(4)]).toEqual(['1392.735', '1829.860', '0.5335'])
    expect(rank).toEqual({ best: 1, worst: 4 })
  })

  it('centres on the anchors', async () => {
    const { competitors, centre } = await json('fit', 'rounds.csv', '--anchors', 'B,C')
    const ratingOf = (name: string) =>
      competitors.find((one: { competitor: string }) => one.competitor === name).rating
    expect(centre).toEqual(['B', 'C'])
    expect(ratingOf('B') + ratingOf('C')).toBeCloseTo(3000, 9)
  })

  it('says which columns and rounds it leaves out', async () => {
    const { stderr, stdout } = await ratings('fit', 'more.csv', '--json')
    expect(stderr).toContain('columns that say nothing to the ratings: cost')
    expect(stderr).toContain('1 rounds are marked as not rated')
    expect(JSON.parse(stdout)).toMatchObject({ rounds: 1, mu: null, alike: true })
  })

  it('compares two competitors', async () => {
    const compared = await json('compare', 'rounds.csv', 'A', 'B')
    expect(compared.difference.toFixed(3)).toBe('125.168')
    expect(compared).toMatchObject({ wins: 2, losses: 1, draws: 1, claim: null })
    const { stdout } = await ratings('compare', 'rounds.csv', 'A', 'B')
    expect(stdout).toContain('A − B: 125.2 points, standard error 235.4, 95 % -480 to 730')
  })

  it('shows its options and examples', async () => {
    const { stdout, exitCode } = await ratings('--help')
    expect(exitCode).toBe(0)
    expect(stdout).toContain('--anchors A,B')
    expect(stdout).toContain('arena ratings compare rounds.csv model-a model-b')
  })

  it.each([
    [['fit', 'bad.csv'], /bad\.csv:3: column 4 \(outcome\): expected 1 \(the patch survives\) or 0/],
    [['fit', 'none.csv'], /none\.csv: no rated round in it/],
    [['fit', 'missing.csv'], /missing\.csv: the rounds cannot be read; check the path/],
    [['fit', 'rounds.csv', '--anchors', 'Z'], /no rated round names Z; it names A, B, C, D/],
    [['fit', 'rounds.csv', '--model', 'elo'], /--model elo: expected role or conditional/],
    [['fit', 'rounds.csv', '--bootstrap', 'x'], /--bootstrap x: expected a whole number/],
    [['compare', 'rounds.csv', 'A'], /takes a file and two competitors/],
    [['compare', 'rounds.csv', 'A', 'A'], /A is compared with itself/],
    [['guess', 'rounds.csv'], /there is no such action/],
  ])('exits with 2 for wrong use: %j', async (args, message) => {
    const result = await ratings(...args)
    expect(result.exitCode).toBe(2)
    expect(result.stdout).toBe('')
    expect(result.stderr).toMatch(message)
    expect(result.stderr.trim().split('\n')).toHaveLength(1)
  })
})
