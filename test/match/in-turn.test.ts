import { describe, expect, test } from 'vitest'
import type { Ci } from '../../src/ci/port.ts'
import { MAX_REQUEUES, playBattle } from '../../src/match/battle.ts'
import { createCells } from '../../src/match/cells.ts'
import { chooseFirst } from '../../src/match/choose.ts'
import { planSeason } from '../../src/match/plan.ts'
import type { Ask } from '../../src/match/protocols/step.ts'
import { digestOf, digestOfValue } from '../../src/schema/canonical.ts'
import type { Competitor } from '../../src/schema/competitor.ts'
import type { Protocol } from '../../src/schema/match.ts'
import { oneLeg, testsRun } from '../helpers/worlds.ts'
import {
  BROKEN_RUN,
  competitor,
  fakeCellStore,
  fakeCi,
  GOLDEN,
  GOOD_RUN,
  generation,
  IN_PLAY,
  PATCH,
  TASK,
} from './fakes.ts'

interface Asked extends Ask {
  readonly who: string
}

const LOG = digestOf('log')

/** Tests that count and that the patch does not pass, with a log. */
const killing: Ci['runTests'] = async ({ changes }) => {
  const run = testsRun({
    test: { 'tests/t.py test_t': changes?.digest === GOLDEN.digest ? 'passed' : 'failed' },
  })
  return {
    ...run,
    legs: run.legs.map((leg) => ({
      ...leg,
      files: leg.files.map((file) => ({
        ...file,
        cases: file.cases.map((one) => ({ ...one, log: LOG })),
      })),
    })),
  }
}

async function play(protocol: Protocol, ci: Partial<Ci> = {}) {
  const seasonDigest = digestOf('season')
  const [battle] = planSeason({
    seasonDigest,
    taskDigests: [TASK.loaded.digest],
    competitors: [competitor('a'), competitor('b')],
    controls: [],
    repeat: 0,
    protocol,
  })
  if (!battle) throw new Error('no battle was planned')
  const asked: Asked[] = []
  const world = fakeCi(ci)
  const result = await playBattle(
    battle,
    IN_PLAY,
    { season: 'spring', seasonDigest, protocol },
    {
      generate: async (ask, _, who: Competitor) => {
        asked.push({ ...ask, who: who.id })
        const made = generation(ask.kind, who)
        return { ...made, id: digestOfValue({ made: made.id, told: ask.feedback }) }
      },
      choose: async (_, patches) => chooseFirst(patches),
      readLog: async () => Buffer.from('\u001b[31mexpected 3\u001b[0m\nfailed in 0.31s\n'),
      cells: createCells({ ci: world, store: fakeCellStore(), now: () => 0, onEvent: () => undefined }),
      environment: world.environmentDigest,
      now: () => 0,
    },
  )
  return { ...result, asked }
}

describe("a battle of the paper's protocol", () => {
  test('has ten rounds, five in each role, in turn, each told what came of its earlier ones', async () => {
    const { rounds, asked } = await play('paper', { runTests: killing })
    expect(rounds.map(({ turn, submitter, reviewer }) => `${turn} ${submitter} ${reviewer}`)).toEqual(
      Array.from({ length: 10 }, (_, index) => `${index + 1} ${index % 2 === 0 ? 'a b' : 'b a'}`),
    )
    expect(new Set(rounds.map(({ id }) => id)).size).toBe(10)
    expect(new Set(rounds.map(({ patch }) => patch)).size).toBe(10)
    const patches = asked.filter(({ kind }) => kind === 'patch')
    expect(patches.map(({ who, feedback }) => `${who} ${feedback.map(({ turn }) => turn)}`)).toEqual([
      'a ',
      'b ',
      'a 1',
      'b 2',
      'a 1,3',
      'b 2,4',
      'a 1,3,5',
      'b 2,4,6',
      'a 1,3,5,7',
      'b 2,4,6,8',
    ])
  })

  test('tells the submitter the failing test with a clean log, and the reviewer that its test counts', async () => {
    const { rounds, asked } = await play('paper', { runTests: killing })
    expect(rounds[0]?.verdict.kind).toBe('reviewer-win')
    const told = (kind: 'patch' | 'tests') =>
      asked.filter((ask) => ask.kind === kind && ask.who === (kind === 'patch' ? 'a' : 'b'))[1]?.feedback[0]
    expect(told('patch')?.failures).toEqual([
      { leg: 'test', what: 'test_t in tests/t.py', outcome: 'failed', log: 'expected 3\nfailed in …s' },
    ])
    expect(told('tests')?.failures).toEqual([
      {
        leg: 'test',
        what: 'test_t in tests/t.py',
        outcome: 'counts, and the patch does not pass it',
        log: '',
      },
    ])
  })

  test('says of a test that failed on the fix only that it did, with the log of the repository as it is', async () => {
    const { asked } = await play('paper', {
      runTests: async (request) => {
        const run = await killing({ ...request, changes: null })
        return run
      },
    })
    const second = asked.filter(({ kind, who }) => kind === 'tests' && who === 'b')[1]
    expect(second?.feedback[0]?.failures[0]?.outcome).toBe(
      'does not count: fails-on-golden; its log is of the repository as it is',
    )
  })

  test('is played again from its beginning when a round is void, and closed with all its rounds', async () => {
    const { rounds, state, tries } = await play('paper', { runWorkflow: async () => BROKEN_RUN })
    expect(state).toBe('void-closed')
    expect(tries).toBe(MAX_REQUEUES + 1)
    expect(rounds.map(({ verdict }) => verdict.kind)).toEqual(Array(10).fill('void'))
  })
})

describe('a sighted battle', () => {
  test('shows the reviewer the patch that it is to review', async () => {
    const { rounds, asked } = await play('sighted')
    expect(rounds.map(({ verdict }) => verdict.kind)).toEqual(['submitter-win', 'submitter-win'])
    const reviews = asked.filter(({ kind }) => kind === 'tests')
    expect(reviews.map(({ who, patch }) => `${who} ${patch?.competitor}`).sort()).toEqual(['a b', 'b a'])
    expect(reviews.every(({ hints }) => !hints)).toBe(true)
  })

  test('ends with an unplayable patch, before the reviewer is asked', async () => {
    const { rounds, asked } = await play('sighted', {
      runWorkflow: async ({ changes }) =>
        changes?.digest === PATCH.digest ? oneLeg({ a: 'failed' }) : GOOD_RUN,
    })
    expect(rounds.map(({ verdict, tests, cells }) => [verdict.kind, tests, cells.testsOnGolden])).toEqual([
      ['submitter-forfeit', null, []],
      ['submitter-forfeit', null, []],
    ])
    expect(rounds[0]?.verdict.points).toEqual({ submitter: -1, reviewer: 0 })
    expect(asked.map(({ kind }) => kind)).toEqual(['patch', 'patch'])
  })
})
