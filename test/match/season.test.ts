import { describe, expect, test } from 'vitest'
import type { Ci } from '../../src/ci/port.ts'
import { createCells } from '../../src/match/cells.ts'
import { chooseFirst } from '../../src/match/choose.ts'
import { planSeason } from '../../src/match/plan.ts'
import { playSeason, type SeasonStore } from '../../src/match/season.ts'
import { digestOf } from '../../src/schema/canonical.ts'
import type { ArenaEvent } from '../../src/schema/event.ts'
import { type Round, Season } from '../../src/schema/match.ts'
import {
  BROKEN_RUN,
  competitor,
  fakeCellStore,
  fakeCi,
  GOOD_RUN,
  generation,
  IN_PLAY,
  PATCH,
  sharp,
} from './fakes.ts'

interface FakeStore extends SeasonStore {
  readonly rounds: Map<string, Round>
  /** Every marking, in order. */
  readonly marks: string[]
  readonly replaced: string[]
}

function fakeStore(onMark: () => void = () => undefined): FakeStore {
  const rounds = new Map<string, Round>()
  const marks: string[] = []
  const replaced: string[] = []
  return {
    rounds,
    marks,
    replaced,
    addBattles: async () => undefined,
    findRound: async (id) => rounds.get(id),
    saveRound: async (round) => void (rounds.has(round.id) || rounds.set(round.id, round)),
    replaceVoid: async (round) => {
      if (!rounds.has(round.id)) throw new Error('no such round')
      replaced.push(round.verdict.kind)
      rounds.set(round.id, round)
    },
    markBattle: async (_, state) => {
      marks.push(state)
      onMark()
    },
  }
}

const season = Season.parse({
  id: 'spring',
  title: 'Spring',
  tasks: ['demo'],
  competitors: ['a', 'b'],
  controls: false,
})

const play = async (
  ci: Ci,
  store: SeasonStore,
  options: { names?: readonly string[]; signal?: AbortSignal; kept?: ReturnType<typeof fakeCellStore> } = {},
) => {
  const { names = ['a', 'b'], signal, kept = fakeCellStore() } = options
  const events: ArenaEvent[] = []
  const result = await playSeason(
    {
      season,
      seasonDigest: digestOf('season'),
      tasks: [IN_PLAY],
      competitors: names.map(competitor),
      controls: [],
      repeat: 0,
    },
    {
      generate: async ({ kind }, _, who) => generation(kind, who),
      choose: async (_, patches) => chooseFirst(patches),
      readLog: async () => undefined,
      cells: createCells({ ci, store: kept, now: () => 0, onEvent: () => undefined, signal }),
      environment: ci.environmentDigest,
      now: () => 0,
      onEvent: (event) => void events.push(event),
      width: 1,
      store,
      signal,
    },
  )
  return { ...result, events }
}

const kinds = (rounds: Iterable<Round>) => [...rounds].map((round) => round.verdict.kind)

describe('a battle that was closed as void', () => {
  const broken = fakeCi({ runWorkflow: async () => BROKEN_RUN })

  test('gets a real verdict when it is played again, which then stands', async () => {
    const store = fakeStore()
    const kept = fakeCellStore()
    const first = await play(broken, store, { kept })
    expect(kinds(first.rounds)).toEqual(['void', 'void'])
    expect(store.marks).toEqual(['void-closed'])

    const second = await play(fakeCi(), store, { kept })
    expect(kinds(second.rounds)).toEqual(['submitter-win', 'submitter-win'])
    expect(second.changed).toEqual([])
    expect(kinds(store.rounds.values())).toEqual(['submitter-win', 'submitter-win'])
    expect(store.marks).toEqual(['void-closed', 'settled'])
    const shown = second.events.flatMap((event) => (event.kind === 'round' ? [event.verdict] : []))
    expect(shown).toEqual(['submitter-win', 'submitter-win'])
  })

  test('is no verdict: it neither replaces a stored one nor is told as a change', async () => {
    const store = fakeStore()
    await play(fakeCi(), store)
    const again = await play(broken, store)
    expect(kinds(again.rounds)).toEqual(['submitter-win', 'submitter-win'])
    expect(again.changed).toEqual([])
    expect(store.replaced).toEqual([])
  })
})

test('a stored verdict that the cells no longer give is told and stands', async () => {
  const store = fakeStore()
  await play(fakeCi(), store)
  const losing = fakeCi({
    runTests: async ({ changes }) => sharp(changes?.digest === PATCH.digest ? null : changes),
  })
  const again = await play(losing, store)
  expect(again.changed).toMatchObject([
    { stored: 'submitter-win', now: 'reviewer-win' },
    { stored: 'submitter-win', now: 'reviewer-win' },
  ])
  expect(kinds(store.rounds.values())).toEqual(['submitter-win', 'submitter-win'])
})

describe('a season that is stopped', () => {
  test('ends while a sandbox works, and keeps nothing half', async () => {
    const stop = new AbortController()
    const store = fakeStore()
    const kept = fakeCellStore()
    const ci = fakeCi({
      runTests: ({ signal }) =>
        new Promise((_, reject) => {
          signal?.addEventListener('abort', () => reject(signal.reason))
          setImmediate(() => stop.abort())
        }),
    })
    const result = await play(ci, store, { signal: stop.signal, kept })
    expect(result).toMatchObject({ rounds: [], changed: [], interrupted: true })
    expect(store.rounds.size).toBe(0)
    expect(store.marks).toEqual([])
    expect([...kept.kept.values()].every(({ run }) => run === GOOD_RUN)).toBe(true)

    const resumed = await play(fakeCi(), store, { kept })
    expect(resumed).toMatchObject({ interrupted: false })
    expect(kinds(resumed.rounds)).toEqual(['submitter-win', 'submitter-win'])
  })

  test('keeps the battles that were settled before', async () => {
    const stop = new AbortController()
    const store = fakeStore(() => stop.abort())
    const result = await play(fakeCi(), store, { names: ['a', 'b', 'c'], signal: stop.signal })
    expect(result.interrupted).toBe(true)
    expect(kinds(result.rounds)).toEqual(['submitter-win', 'submitter-win'])
    expect(store.marks).toEqual(['settled'])
  })

  test('hides no other error', async () => {
    const stop = new AbortController()
    const ci = fakeCi({
      runWorkflow: async () => {
        stop.abort()
        throw new Error('the world broke')
      },
    })
    await expect(play(ci, fakeStore(), { signal: stop.signal })).rejects.toThrow('the world broke')
  })
})

test('with self-play each patch meets its own tests too, in a battle of one round', () => {
  const plan = (selfPlay?: boolean) =>
    planSeason({
      seasonDigest: digestOf('season'),
      taskDigests: [digestOf('task')],
      competitors: ['a', 'b'].map(competitor),
      controls: [],
      repeat: 0,
      protocol: 'blind',
      selfPlay,
    })
  expect(plan()).toEqual(plan(false))
  const own = plan(true).filter(({ rounds }) => rounds.length === 1)
  expect(own.map(({ rounds }) => [rounds[0]?.submitter.id, rounds[0]?.reviewer.id])).toEqual([
    ['a', 'a'],
    ['b', 'b'],
  ])
  expect(plan(true).filter(({ rounds }) => rounds.length === 2)).toEqual(plan())
})
