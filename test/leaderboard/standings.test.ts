import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { computeStandings } from '../../leaderboard/standings.ts'
import { InputError } from '../../src/errors.ts'
import { fitRoleModel } from '../../src/ratings/role-model.ts'
import { shownRating } from '../../src/ratings/strength.ts'
import { type StandingRow, Standings } from '../../src/schema/rating.ts'
import { VerdictKind } from '../../src/schema/verdict.ts'
import { ROUNDS } from '../ratings/data.ts'
import { battleOf, requestOf, roundOf } from './season-rounds.ts'

const standingsOf = (...args: Parameters<typeof requestOf>) => computeStandings(requestOf(...args))
const rowOf = (standings: Standings, id: string) => {
  const row = standings.rows.find((one) => one.competitor === id)
  if (!row) throw new Error(`no row of ${id}`)
  return row
}

/** The documented data set as rounds of a season. */
const DOCUMENTED = ROUNDS.map(({ task, submitter, reviewer, y }) =>
  roundOf({
    task,
    submitter: submitter.toLowerCase(),
    reviewer: reviewer.toLowerCase(),
    kind: y === 1 ? 'submitter-win' : 'reviewer-win',
  }),
)

/** Every pair of `names` on every task; the earlier name survives more often. */
const league = (names: readonly string[], tasks: number) =>
  Array.from({ length: tasks }, (_, t) =>
    names.flatMap((x, i) =>
      names
        .slice(i + 1)
        .flatMap((y, j) =>
          battleOf(
            `t${t}`,
            x,
            y,
            (t * 7 + i * 3 + j) % 5 < 4 ? 'submitter-win' : 'reviewer-win',
            (t * 5 + i + j * 2) % 5 < 2 ? 'submitter-win' : 'reviewer-win',
          ),
        ),
    ),
  ).flat()

describe('a row', () => {
  const standings = standingsOf([
    ...battleOf('t1', 'a', 'b', 'submitter-win', 'reviewer-win'),
    ...battleOf('t2', 'a', 'b', 'submitter-win', 'submitter-win'),
    ...battleOf('t3', 'a', 'b', 'submitter-forfeit', 'reviewer-forfeit'),
    ...battleOf('t4', 'a', 'b', 'no-contest', 'submitter-win'),
  ])

  test('adds the points of both roles', () => {
    expect(rowOf(standings, 'a')).toMatchObject({ patchPoints: 0, reviewPoints: 1, points: 1 })
    expect(rowOf(standings, 'b')).toMatchObject({ patchPoints: 2, reviewPoints: 0, points: 2 })
  })

  test('counts battles, their results and forfeits; a no-contest round decides no battle', () => {
    expect(rowOf(standings, 'a')).toMatchObject({
      battles: 4,
      wins: 1,
      losses: 1,
      draws: 1,
      rounds: 8,
      forfeits: 3,
    })
    expect(rowOf(standings, 'b')).toMatchObject({
      battles: 4,
      wins: 1,
      losses: 1,
      draws: 1,
      rounds: 8,
      forfeits: 1,
    })
    expect(rowOf(standings, 'a')).toMatchObject({ tasks: 4, opponents: 1 })
    expect(standings).toMatchObject({ rounds: 8, battles: 4, voidRounds: 0 })
  })

  test('has a record and no rating under ten battles', () => {
    expect(rowOf(standings, 'a')).toMatchObject({
      state: 'record',
      rating: null,
      low: null,
      patchRating: null,
    })
  })

  test('tells which of its different patches are right', () => {
    const patchOf = (task: string, reviewer: string, resolved: 'yes' | 'no' | 'unknown') =>
      roundOf({ task, submitter: 'a', reviewer, kind: 'submitter-win', verdict: { resolved } })
    const rounds = [
      patchOf('t1', 'b', 'yes'),
      patchOf('t1', 'c', 'yes'),
      patchOf('t2', 'b', 'no'),
      patchOf('t3', 'b', 'unknown'),
    ]
    const both = standingsOf(rounds)
    expect(rowOf(both, 'a').resolvedShare).toBe(0.5)
    expect(rowOf(both, 'b').resolvedShare).toBeNull()
  })
})

describe('the kill court', () => {
  const NAMED = ['ada', 'bob', 'cyd', 'dan']
  const EXACT = { leg: 'test', file: 'tests/t', case: 'exact message' }
  const play = (submitter: string, reviewer: string) =>
    roundOf({
      submitter,
      reviewer,
      kind: reviewer === 'ada' ? 'reviewer-win' : 'submitter-win',
      verdict: {
        resolved: 'yes',
        ...(reviewer === 'ada' ? { admitted: [EXACT], killedBy: [{ ...EXACT, outcome: 'failed' }] } : {}),
      },
    })
  const rounds = NAMED.flatMap((x) => NAMED.flatMap((y) => (x === y ? [] : [play(x, y)])))

  test('has the headline, and the table as judged stands beside it', () => {
    const { court, rows, asJudged, remarks } = standingsOf(rounds)
    expect(court.notHeld).toBeNull()
    expect(court.overSpecified).toEqual([
      { task: 't1', reviewer: 'ada', key: EXACT, fails: 3, of: 3, teams: 3 },
    ])
    expect(court.kills).toEqual({ corroborated: 0, contested: 3 })
    expect(court.changed.map(({ submitter }) => submitter).sort()).toEqual(['bob', 'cyd', 'dan'])
    const points = (table: readonly StandingRow[] | null) =>
      Object.fromEntries((table ?? []).map((row) => [row.competitor, row.points]))
    expect(points(rows)).toEqual({ ada: 3, bob: 3, cyd: 3, dan: 3 })
    expect(points(asJudged)).toEqual({ ada: 6, bob: 1, cyd: 1, dan: 1 })
    expect(remarks.join()).toContain('Kill court: 1 test found over-specified, 3 verdicts changed')
  })

  test('counts for each reviewer the right patches it kills and the kills that are contested', () => {
    const { rows, asJudged } = standingsOf(rounds)
    const ada = (table: readonly StandingRow[] | null) =>
      table?.find(({ competitor }) => competitor === 'ada')
    expect(ada(asJudged)).toMatchObject({ falseKillRate: 1, escapeRate: null, contestedShare: 1 })
    expect(ada(rows)).toMatchObject({ falseKillRate: 0, contestedShare: null })
  })

  test('is not held where the protocol is not blind, and then nothing stands beside', () => {
    const { court, asJudged, rows } = standingsOf(rounds, { protocol: 'sighted' })
    expect(court.notHeld).toContain('not blind')
    expect(asJudged).toBeNull()
    expect(rows[0]).toMatchObject({ competitor: 'ada', points: 6 })
  })
})

describe('what counts', () => {
  const fair = battleOf('t1', 'a', 'b', 'submitter-win', 'reviewer-win')

  test('a void round drops both rounds of its battle', () => {
    const standings = standingsOf([...fair, ...battleOf('t2', 'a', 'b', 'void', 'reviewer-win')])
    expect(rowOf(standings, 'a')).toMatchObject({ points: 2, battles: 1, wins: 1, voids: 1 })
    expect(rowOf(standings, 'b')).toMatchObject({ points: -1, battles: 1, losses: 1, voids: 1 })
    expect(standings).toMatchObject({ voidRounds: 1, battles: 2 })
    expect(standings.remarks.join()).toContain('1 battle with a void round')
  })

  test('rounds of one team are shown and not counted', () => {
    const request = requestOf([...fair, ...battleOf('t2', 'a', 'a2', 'submitter-win', 'reviewer-win')])
    const competitors = request.competitors.map((one) => ({ ...one, team: one.id.slice(0, 1) }))
    const standings = computeStandings({ ...request, competitors })
    expect(rowOf(standings, 'a')).toMatchObject({ points: 2, battles: 1 })
    expect(rowOf(standings, 'a2')).toMatchObject({ points: 0, battles: 0, rating: null })
    expect(standings.remarks.join()).toContain('2 rounds between competitors of one team')
  })

  test('rounds without hard limits have points and no rating', () => {
    const rounds = league(['a', 'b', 'c'], 12)
    const loose = rounds.map((round) => ({
      ...round,
      verdict: { ...round.verdict, flags: ['limits-not-enforced'] },
    }))
    const standings = standingsOf(loose)
    expect(rowOf(standings, 'a').points).toBe(rowOf(standingsOf(rounds), 'a').points)
    expect(standings.rows.map((row) => row.state)).toEqual(['record', 'record', 'record'])
    expect(standings.remarks.join()).toContain('without hard limits')
  })

  test('an unknown name is refused with the round', () => {
    const request = requestOf(fair, { competitors: [{ id: 'a', label: 'a', team: 'a' }] })
    expect(() => computeStandings(request)).toThrow(InputError)
    expect(() => computeStandings(request)).toThrow(/a round names b/)
  })

  test('an empty season has an empty table', () => {
    expect(standingsOf([])).toMatchObject({ rows: [], controls: [], rounds: 0, battles: 0 })
  })
})

describe('ratings', () => {
  test('are those of the role model, centred on those among whom distances are known', () => {
    const standings = standingsOf(league(['a', 'b', 'c', 'd'], 4))
    const fit = fitRoleModel(
      league(['a', 'b', 'c', 'd'], 4).map((round) => ({
        task: round.taskId,
        submitter: round.submitter,
        reviewer: round.reviewer,
        y: round.verdict.y ?? 0,
      })),
    )
    // d lost to all of them and beat none.
    const shown = shownRating(fit, 'a', ['a', 'b', 'c'])
    expect(rowOf(standings, 'a')).toMatchObject({
      state: 'provisional',
      rating: shown.rating,
      low: shown.low,
    })
    const [first] = standings.remarks
    expect(first).toContain('Nobody is ranked: this season has 4 tasks')
    expect(first).toContain('by points; ratings are provisional')
    expect(standings.remarks.join()).toContain('1500 is the mean of a, b, c: among them')
    expect(standings.remarks.join()).toContain('A limit and no rating where decisive battles went one way')
    expect(rowOf(standings, 'd')).toMatchObject({ rating: null, low: null, bounded: 'at-most' })
    expect(rowOf(standings, 'd').high).toBeGreaterThan(shownRating(fit, 'd', ['a', 'b', 'c']).rating)
  })

  test('of the documented data are centred on everybody while nobody is ranked', () => {
    expect(standingsOf(DOCUMENTED).remarks.join()).toContain('1500 is the mean of its competitors')
  })

  test('somebody who lost no decisive battle has a lower limit', () => {
    const names = ['a', 'b', 'c', 'd', 'e', 'f']
    const champion = names.flatMap((name) =>
      Array.from({ length: 40 }, (_, t) =>
        battleOf(`t${t}`, 'z', name, 'submitter-win', t % 2 === 0 ? 'reviewer-win' : 'submitter-win'),
      ),
    )
    const standings = standingsOf([...league(names, 40), ...champion.flat()])
    expect(rowOf(standings, 'z')).toMatchObject({ rating: null, high: null, bounded: 'at-least' })
    expect(rowOf(standings, 'z').low).toBeGreaterThan(rowOf(standings, 'a').high ?? 0)
  })

  test('of a retired competitor stay, without a rank, and its rounds stay in the fit', () => {
    const rounds = league(['a', 'b', 'c', 'd', 'e', 'f'], 40)
    const all = requestOf(rounds)
    const without = computeStandings({
      ...all,
      competitors: all.competitors.map((one) => ({ ...one, retired: one.id === 'a' })),
    })
    const before = computeStandings(all)
    expect(rowOf(without, 'a')).toMatchObject({
      state: 'retired',
      rankBest: null,
      rating: rowOf(before, 'a').rating,
    })
    expect(rowOf(without, 'b').rating).toBe(rowOf(before, 'b').rating)
    expect(Math.max(...without.rows.map(({ rankWorst }) => rankWorst ?? 0))).toBeLessThanOrEqual(5)
  })

  test('of the documented data are the documented ones, from the tenth battle on', () => {
    const standings = standingsOf(DOCUMENTED)
    expect(rowOf(standings, 'a')).toMatchObject({ battles: 10, state: 'provisional' })
    expect(rowOf(standings, 'a').rating?.toFixed(3)).toBe('1656.430')
    expect(rowOf(standings, 'b')).toMatchObject({ battles: 9, state: 'record', rating: null })
  })

  test('order the ranked, and only them, when there is enough to rank', () => {
    const names = ['a', 'b', 'c', 'd', 'e', 'f']
    const standings = standingsOf([
      ...league(names, 40),
      ...battleOf('t0', 'new', 'a', 'submitter-win', 'reviewer-win'),
    ])
    expect(standings.rows.slice(0, 6).map(({ state }) => state)).toEqual(names.map(() => 'rated'))
    const ratings = standings.rows.slice(0, 6).map(({ rating }) => rating ?? 0)
    expect(ratings).toEqual([...ratings].sort((x, y) => y - x))
    expect(standings.rows[6]).toMatchObject({ competitor: 'new', state: 'record', rating: null })
    expect(ratings.reduce((x, y) => x + y, 0) / 6).toBeCloseTo(1500, 6)
    expect(standings.remarks.join()).toContain('mean of its ranked competitors')
  })

  test('are centred on the anchors that the season names', () => {
    const rounds = league(['a', 'b', 'c', 'd'], 6)
    const standings = standingsOf(rounds, { anchors: ['b', 'absent'] })
    expect(rowOf(standings, 'b')).toMatchObject({ rating: 1500, low: 1500, high: 1500 })
    expect(standings.remarks.join()).toContain('the mean of the anchors (b)')
  })

  test('of pools that never met are not compared', () => {
    const standings = standingsOf([
      ...league(['a', 'b', 'c'], 12),
      ...battleOf('t1', 'x', 'y', 'submitter-win', 'reviewer-win'),
    ])
    expect(rowOf(standings, 'x')).toMatchObject({ state: 'record', rating: null })
    expect(rowOf(standings, 'a').rating).not.toBeNull()
    expect(standings.remarks.join()).toContain(
      'Not comparable, since they never met the others even through third ones: x, y',
    )
  })

  test('are not made up when every patch survived', () => {
    const rounds = league(['a', 'b', 'c'], 12).map((round) =>
      roundOf({
        task: round.taskId,
        submitter: round.submitter,
        reviewer: round.reviewer,
        kind: 'submitter-win',
      }),
    )
    const standings = standingsOf(rounds)
    expect(standings.rows.map(({ rating }) => rating)).toEqual([null, null, null])
    expect(standings.remarks.join()).toContain('Every rated round ended alike')
  })
})

describe('controls', () => {
  const competitors = ['a', 'golden', 'no-op', 'upstream-tests', 'empty-tests', 'always-fail-tests'].map(
    (id) => ({
      id,
      label: id,
      team: id === 'a' ? 'a' : 'controls',
      control: id === 'a' ? null : id,
    }),
  )
  const control = (submitter: string, reviewer: string, kind: VerdictKind, admitted?: boolean) =>
    roundOf({ submitter, reviewer, kind, control: true, ...(admitted === undefined ? {} : { admitted }) })
  const good = [
    control('golden', 'a', 'submitter-win'),
    control('golden', 'upstream-tests', 'submitter-win'),
    control('golden', 'empty-tests', 'reviewer-forfeit'),
    control('golden', 'always-fail-tests', 'reviewer-forfeit'),
    control('no-op', 'a', 'reviewer-win'),
    control('no-op', 'upstream-tests', 'reviewer-win'),
    control('no-op', 'empty-tests', 'reviewer-forfeit'),
    control('no-op', 'always-fail-tests', 'reviewer-forfeit'),
    control('a', 'upstream-tests', 'submitter-win'),
    control('a', 'empty-tests', 'reviewer-forfeit'),
  ]
  const controlsOf = (rounds: typeof good) => standingsOf(rounds, { competitors }).controls

  test('stand apart, counted over the rounds with an admitted test', () => {
    const standings = standingsOf(good, { competitors })
    expect(standings.rows).toMatchObject([{ competitor: 'a', points: 0, rounds: 0, opponents: 0 }])
    expect(standings.rounds).toBe(0)
    expect(standings.controls).toEqual([
      {
        control: 'golden',
        role: 'submitter',
        rounds: 4,
        counted: 2,
        survived: 1,
        expected: 'always survives',
        holds: true,
      },
      {
        control: 'no-op',
        role: 'submitter',
        rounds: 4,
        counted: 2,
        survived: 0,
        expected: 'never survives',
        holds: true,
      },
      {
        control: 'upstream-tests',
        role: 'reviewer',
        rounds: 3,
        counted: 3,
        survived: 2 / 3,
        expected: 'always admitted',
        holds: true,
      },
      {
        control: 'empty-tests',
        role: 'reviewer',
        rounds: 3,
        counted: 0,
        survived: null,
        expected: 'never admitted',
        holds: true,
      },
      {
        control: 'always-fail-tests',
        role: 'reviewer',
        rounds: 2,
        counted: 0,
        survived: null,
        expected: 'never admitted',
        holds: true,
      },
    ])
  })

  test.each([
    ['golden', control('golden', 'a', 'reviewer-win')],
    ['golden', control('golden', 'a', 'submitter-forfeit')],
    ['no-op', control('no-op', 'a', 'submitter-win')],
    ['upstream-tests', control('a', 'upstream-tests', 'reviewer-forfeit')],
    ['empty-tests', control('a', 'empty-tests', 'submitter-win')],
    ['always-fail-tests', control('a', 'always-fail-tests', 'reviewer-win')],
  ] as const)('%s does not hold when it comes out otherwise', (name, wrong) => {
    expect(
      controlsOf([...good, wrong])
        .filter((row) => !row.holds)
        .map((row) => row.control),
    ).toEqual([name])
  })

  test('a void round speaks for and against none', () => {
    const voided = [control('golden', 'a', 'void', true), control('a', 'upstream-tests', 'void')]
    expect(controlsOf([...good, ...voided]).every((row) => row.holds)).toBe(true)
  })
})

describe('any season', () => {
  const NAMES = ['a', 'b', 'c']
  const anySeason = fc
    .array(
      fc.record({
        task: fc.constantFrom('t1', 't2', 't3'),
        pair: fc.constantFrom(['a', 'b'] as const, ['a', 'c'] as const, ['b', 'c'] as const),
        kinds: fc.tuple(fc.constantFrom(...VerdictKind.options), fc.constantFrom(...VerdictKind.options)),
        repeat: fc.nat(3),
      }),
      { maxLength: 24 },
    )
    .map((battles) => [
      ...new Map(
        battles.flatMap(({ task, pair: [x, y], kinds: [first, second], repeat }) =>
          [
            roundOf({ task, submitter: x, reviewer: y, kind: first, repeat }),
            roundOf({ task, submitter: y, reviewer: x, kind: second, repeat }),
          ].map((round) => [round.id, round] as const),
        ),
      ).values(),
    ])

  test('fits the schema, whatever the order of its rounds', () => {
    fc.assert(
      fc.property(anySeason, fc.nat(), (rounds, turn) => {
        const standings = standingsOf(rounds)
        Standings.parse(standings)
        const at = rounds.length === 0 ? 0 : turn % rounds.length
        const turned = [...rounds.slice(at), ...rounds.slice(0, at)].reverse()
        expect(standingsOf(turned)).toEqual(standings)
      }),
      { numRuns: 60 },
    )
  })

  test('exchanging the names of two competitors mirrors it', () => {
    const swap = (name: string) => (name === 'a' ? 'b' : name === 'b' ? 'a' : name)
    fc.assert(
      fc.property(anySeason, (rounds) => {
        const mirrored = standingsOf(
          rounds.map((round) => ({
            ...roundOf({
              task: round.taskId,
              submitter: swap(round.submitter),
              reviewer: swap(round.reviewer),
              kind: round.verdict.kind,
            }),
            battle: round.battle,
          })),
        )
        const standings = standingsOf(rounds)
        for (const name of NAMES.filter((id) => standings.rows.some((row) => row.competitor === id))) {
          const { rating, low, high, patchRating, reviewRating, competitor, label, ...counts } = rowOf(
            standings,
            name,
          )
          const twin = rowOf(mirrored, swap(name))
          expect(twin).toMatchObject(counts)
          expect(twin.rating === null).toBe(rating === null)
          if (rating !== null) expect(twin.rating).toBeCloseTo(rating, 6)
        }
      }),
      { numRuns: 60 },
    )
  })

  test('a void scores nothing for anybody', () => {
    fc.assert(
      fc.property(anySeason, (rounds) => {
        const broken = new Set(
          rounds.filter(({ verdict }) => verdict.kind === 'void').map(({ battle }) => battle),
        )
        const without = rounds.filter(({ battle }) => !broken.has(battle))
        const all = standingsOf(rounds, { competitors: NAMES.map((id) => ({ id, label: id, team: id })) })
        const kept = standingsOf(without, { competitors: NAMES.map((id) => ({ id, label: id, team: id })) })
        const bare = (standings: Standings) => standings.rows.map(({ voids, ...row }) => row)
        expect(bare(all)).toEqual(bare(kept))
      }),
      { numRuns: 60 },
    )
  })
})
