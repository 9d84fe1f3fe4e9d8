import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { InputError } from '../../src/errors.ts'
import { digestOf } from '../../src/schema/canonical.ts'
import type { NewRound } from '../../src/store/records.ts'
import type { Store } from '../../src/store/store.ts'
import * as arbitrary from './arbitraries.ts'
import { engines, type Place } from './engines.ts'
import { sampleOf } from './sample.ts'

const aRound = (n: number, over: Partial<NewRound>): NewRound => ({
  ...sampleOf(arbitrary.round, n),
  id: digestOf(`round ${n}`),
  ...over,
})

describe.each(engines)('the store on $name', ({ skip, start }) => {
  if (skip) return test.skip('needs PostgreSQL', () => {})
  let place: Place
  let store: Store
  beforeAll(async () => {
    place = await start()
    store = await place.open()
  })
  afterAll(async () => {
    await store?.close()
    await place?.stop()
  })

  test('of fifty who save the same cell at once, one is the first and its run stands', async () => {
    const cell = { ...sampleOf(arbitrary.cell, 1), key: digestOf('contended') }
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, n) => store.cells.put({ ...cell, durationMs: n })),
    )
    expect(answers.filter(Boolean)).toHaveLength(1)
    expect((await store.cells.find(cell.key))?.durationMs).toBe(answers.indexOf(true))
  })

  test('many cells are found at once, absent ones are absent', async () => {
    const cell = sampleOf(arbitrary.cell, 2)
    const keys = Array.from({ length: 30 }, (_, n) => digestOf(`cell ${n}`))
    for (const key of keys) await store.cells.put({ ...cell, key })
    const absent = Array.from({ length: 3000 }, (_, n) => digestOf(`absent ${n}`))
    const found = await store.cells.findMany([...keys, ...absent])
    expect([...found.keys()].sort()).toEqual([...keys].sort())
    expect(await store.cells.findMany([])).toEqual(new Map())
  })

  test('competitors are listed by code units, and the latest label stands', async () => {
    const competitor = sampleOf(arbitrary.competitor, 3)
    for (const id of ['b', 'a_c', 'a-c', 'a.c', 'a@2', 'a@10'])
      await store.competitors.put({ ...competitor, id })
    await store.competitors.put({ ...competitor, id: 'b', label: 'renamed' })
    const listed = await store.competitors.list()
    expect(listed.map(({ id }) => id)).toEqual(['a-c', 'a.c', 'a@10', 'a@2', 'a_c', 'b'])
    expect(listed.at(-1)?.label).toBe('renamed')
  })

  test('a competitor with a key in it is refused, and the message does not repeat the key', async () => {
    const competitor = { ...sampleOf(arbitrary.competitor, 4), apiKey: 'sk-planted' }
    const refusal = await store.competitors.put(competitor).catch((error: unknown) => error)
    expect(refusal).toBeInstanceOf(InputError)
    expect(String(refusal)).toContain('table competitors')
    expect(String(refusal)).not.toContain('sk-planted')
  })

  test('of two versions of a season the newer is shown, and both are kept', async () => {
    const { document } = sampleOf(arbitrary.season, 5)
    const version = (name: string, day: number) => ({
      digest: digestOf(name),
      document: { ...document, id: 'spring', title: name },
      createdAt: `2030-01-0${day}T00:00:00.000Z`,
    })
    await store.seasons.put(version('second', 2))
    await store.seasons.put(version('first', 1))
    await store.seasons.put({
      ...version('other', 3),
      document: { ...document, id: 'autumn', title: 'other' },
    })
    expect((await store.seasons.latest('spring'))?.document.title).toBe('second')
    expect((await store.seasons.find(digestOf('first')))?.document.title).toBe('first')
    expect((await store.seasons.list()).map((season) => season.document.title)).toEqual(['other', 'second'])
    expect(await store.seasons.latest('winter')).toBeUndefined()
  })

  test('a generation saved twice keeps its first answer and its calls once', async () => {
    const generation = sampleOf(arbitrary.generation, 6)
    expect(await store.generations.save(generation)).toBe(true)
    expect(await store.generations.save({ ...generation, prompt: 'another', calls: [] })).toBe(false)
    const kept = await store.generations.find(generation.id)
    expect(kept?.prompt).toBe(generation.prompt)
    expect(kept?.calls).toHaveLength(generation.calls.length)
  })

  test('battles keep their order; a settled one is never queued again', async () => {
    const season = digestOf('battle season')
    const battles = Array.from({ length: 12 }, (_, n) => ({
      ...sampleOf(arbitrary.battle, n),
      id: digestOf(`battle ${n}`),
      seasonDigest: season,
      state: 'queued' as const,
      tries: 0,
    }))
    expect(await store.battles.add(battles.slice(0, 8))).toBe(8)
    expect(await store.battles.add(battles)).toBe(4)
    const [first = digestOf(''), second = digestOf('')] = battles.map(({ id }) => id)
    expect(await store.battles.mark(first, 'queued', 1)).toBe(true)
    expect(await store.battles.mark(first, 'settled', 2)).toBe(true)
    expect(await store.battles.mark(second, 'void-closed', 4)).toBe(true)
    expect(await store.battles.mark(first, 'queued', 9)).toBe(false)
    expect(await store.battles.mark(digestOf('unknown'), 'settled', 1)).toBe(false)
    expect((await store.battles.list(season)).map(({ id }) => id)).toEqual(battles.map(({ id }) => id))
    expect(await store.battles.list(season, 'queued')).toHaveLength(10)
    expect(await store.battles.find(first)).toMatchObject({ state: 'settled', tries: 2 })
  })

  test('a battle that was closed as void may be settled later, and is then final', async () => {
    const season = digestOf('void season')
    const battle = {
      ...sampleOf(arbitrary.battle, 25),
      id: digestOf('void battle'),
      seasonDigest: season,
      state: 'queued' as const,
      tries: 0,
    }
    await store.battles.add([battle])
    expect(await store.battles.mark(battle.id, 'void-closed', 4)).toBe(true)
    expect(await store.battles.mark(battle.id, 'queued', 0)).toBe(false)
    expect(await store.battles.mark(battle.id, 'void-closed', 4)).toBe(false)
    expect(await store.battles.mark(battle.id, 'settled', 1)).toBe(true)
    expect(await store.battles.mark(battle.id, 'void-closed', 4)).toBe(false)
    expect(await store.battles.find(battle.id)).toMatchObject({ state: 'settled', tries: 1 })
  })

  test('a verdict is never overwritten', async () => {
    const round = aRound(7, {})
    expect(await store.rounds.save(round)).toBe(true)
    const other = { ...round, verdict: sampleOf(arbitrary.verdict, 8), settledAt: '2031-01-01T00:00:00.000Z' }
    expect(await store.rounds.save(other)).toBe(false)
    expect(await store.rounds.find(round.id)).toMatchObject({
      verdict: round.verdict,
      settledAt: round.settledAt,
    })
  })

  test('rejudging adds revisions; the newest that is not stale stands', async () => {
    const round = aRound(9, { seasonDigest: digestOf('rejudged') })
    await store.rounds.save(round)
    const verdict = { ...sampleOf(arbitrary.verdict, 10), kind: 'submitter-win' as const, judgeVersion: '2' }
    const second = { judgeVersion: '2', verdict, stale: false, decidedAt: '2030-02-01T00:00:00.000Z' }
    expect(await store.rounds.revise(round.id, second)).toBe(true)
    expect(await store.rounds.revise(round.id, { ...second, decidedAt: '2030-02-02T00:00:00.000Z' })).toBe(
      false,
    )
    const third = { judgeVersion: '3', verdict, stale: true, decidedAt: '2030-03-01T00:00:00.000Z' }
    expect(await store.rounds.revise(round.id, third)).toBe(true)

    expect((await store.rounds.find(round.id))?.verdict.judgeVersion).toBe('2')
    expect((await store.rounds.list(round.seasonDigest)).map((listed) => listed.verdict)).toEqual([verdict])
    const revisions = await store.rounds.revisions(round.id)
    expect(revisions.map(({ judgeVersion, stale }) => [judgeVersion, stale])).toEqual([
      [round.verdict.judgeVersion, false],
      ['2', false],
      ['3', true],
    ])
    expect(revisions[0]?.verdict).toEqual(round.verdict)
    await expect(store.rounds.revise(digestOf('unknown'), second)).rejects.toThrow(/no such round/)
  })

  test('a real verdict takes the place of a void, with its cells; nothing takes the place of a real one', async () => {
    const verdict = (kind: 'void' | 'submitter-win' | 'reviewer-win') => ({
      ...sampleOf(arbitrary.verdict, 13),
      kind,
    })
    const broken = { ...aRound(13, {}), verdict: verdict('void') }
    await store.rounds.save(broken)
    const { cells, environment } = aRound(14, {})
    const real = { ...broken, cells, environment, settledAt: '2030-03-03T00:00:00.000Z' }
    expect(await store.rounds.replaceVoid({ ...real, verdict: verdict('void') })).toBe(false)
    const won = { ...real, verdict: verdict('submitter-win') }
    expect(await store.rounds.replaceVoid(won)).toBe(true)
    expect(await store.rounds.find(broken.id)).toEqual(won)
    expect(await store.rounds.replaceVoid({ ...real, verdict: verdict('reviewer-win') })).toBe(false)
    expect(await store.rounds.find(broken.id)).toEqual(won)
    const revisions = await store.rounds.revisions(broken.id)
    expect(revisions.map((revision) => revision.verdict.kind)).toEqual(['void', 'submitter-win'])
    await expect(store.rounds.replaceVoid({ ...real, id: digestOf('unknown') })).rejects.toThrow(
      /no such round/,
    )
  })

  test('judges that revise one round at once each add their revision', async () => {
    const round = aRound(11, {})
    await store.rounds.save(round)
    const judges = ['a', 'b', 'c', 'd', 'e', 'f']
    await Promise.all(
      judges.map((judgeVersion) =>
        store.rounds.revise(round.id, {
          judgeVersion,
          verdict: round.verdict,
          stale: false,
          decidedAt: round.settledAt,
        }),
      ),
    )
    const [, ...added] = await store.rounds.revisions(round.id)
    expect(added.map(({ judgeVersion }) => judgeVersion).sort()).toEqual(judges)
  })

  test('a list of rounds shows who killed what, once for all legs, for the newest version of a season', async () => {
    const task = { ...sampleOf(arbitrary.task, 12), digest: digestOf('summary task') }
    await store.tasks.put(task)
    const { document } = sampleOf(arbitrary.season, 13)
    const seasonDigest = digestOf('summary season')
    await store.seasons.put({
      digest: seasonDigest,
      document: { ...document, id: 'sums' },
      createdAt: '2030-01-02T00:00:00.000Z',
    })
    const key = { file: 'tests/test_a.py', case: 'test_x' }
    const verdict = {
      ...sampleOf(arbitrary.verdict, 14),
      kind: 'reviewer-win' as const,
      points: { submitter: -1, reviewer: 1 },
      admitted: [{ leg: 'test (3.11)', ...key }],
      killedBy: [
        { leg: 'test (3.11)', ...key, outcome: 'failed' },
        { leg: 'test (3.12)', ...key, outcome: 'absent' },
      ],
    }
    const rounds = [15, 16].map((n) =>
      aRound(n, { season: 'sums', seasonDigest, task: task.digest, verdict }),
    )
    for (const round of rounds) await store.rounds.save(round)
    const expected = rounds.map((round) => ({
      id: round.id,
      taskId: round.taskId,
      language: task.document.language,
      submitter: round.submitter,
      reviewer: round.reviewer,
      verdict: 'reviewer-win',
      control: round.control,
      submitterPoints: -1,
      reviewerPoints: 1,
      admitted: 1,
      killedBy: ['tests/test_a.py::test_x'],
      settledAt: round.settledAt,
    }))
    expect(await store.rounds.summaries({ season: 'sums' })).toEqual(expected)
    expect(await store.rounds.summaries({ seasonDigest })).toEqual(expected)
    expect(await store.rounds.summaries({ season: 'unknown' })).toEqual([])
  })

  test('a round page has its task, generations, labels, and cells in the order of the page', async () => {
    const task = { ...sampleOf(arbitrary.task, 17), digest: digestOf('viewed task') }
    const patch = { ...sampleOf(arbitrary.generation, 18), id: digestOf('patch') }
    const tests = { ...sampleOf(arbitrary.generation, 19), id: digestOf('tests') }
    const competitor = { ...sampleOf(arbitrary.competitor, 20), id: 'known', label: 'Known to all' }
    await store.tasks.put(task)
    await store.generations.save(patch)
    await store.generations.save(tests)
    await store.competitors.put(competitor)
    const cells = {
      base: digestOf('c base'),
      golden: digestOf('c golden'),
      patch: digestOf('c patch'),
      testsOnBase: digestOf('c base+tests'),
      testsOnCommentedBase: null,
      testsOnGolden: ['1', '2', '3'].map((n) => digestOf(`c golden+tests ${n}`)),
      testsOnPatch: digestOf('c cleaned up'),
      lintOnGolden: null,
      oracle: digestOf('c oracle'),
    }
    const cell = sampleOf(arbitrary.cell, 21)
    for (const key of Object.values(cells).flat()) {
      if (key && key !== cells.testsOnPatch) await store.cells.put({ ...cell, key })
    }
    const round = aRound(22, {
      cells,
      task: task.digest,
      patch: patch.id,
      tests: tests.id,
      submitter: 'known',
      reviewer: 'unknown',
    })
    await store.rounds.save(round)

    const view = await store.rounds.view(round.id)
    expect(view).toMatchObject({ submitterLabel: 'Known to all', reviewerLabel: 'unknown', round })
    expect(view?.task).toEqual({
      id: task.document.id,
      language: task.document.language,
      repository: 'owner/library',
      baseCommit: task.document.baseCommit,
      issue: task.issue,
    })
    expect([view?.patch.id, view?.tests?.id]).toEqual([patch.id, tests.id])
    expect(view?.cells.map(({ role, run }) => [role, run !== null])).toEqual([
      ['base', true],
      ['golden', true],
      ['patch', true],
      ['tests on base', true],
      ['tests on golden, run 1', true],
      ['tests on golden, run 2', true],
      ['tests on golden, run 3', true],
      ['tests on patch', false],
      ['upstream tests on patch', true],
    ])
    expect(await store.rounds.view(digestOf('unknown'))).toBeUndefined()
  })

  test('a record that does not fit its schema never enters', async () => {
    const cell = { ...sampleOf(arbitrary.cell, 23), key: 'not a digest' }
    await expect(store.cells.put(cell)).rejects.toThrow(/table cells: .*key: expected a SHA-256/)
  })

  test('twenty thousand battles are added and listed whole', async () => {
    const season = digestOf('large season')
    const battle = sampleOf(arbitrary.battle, 24)
    const battles = Array.from({ length: 20_000 }, (_, n) => ({
      ...battle,
      id: digestOf(`large ${n}`),
      seasonDigest: season,
      state: 'queued' as const,
    }))
    expect(await store.battles.add(battles)).toBe(20_000)
    const listed = await store.battles.list(season)
    expect(listed.map(({ id }) => id)).toEqual(battles.map(({ id }) => id))
  })
})
