import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { exportSnapshot, takeSnapshot, verifyExport } from '../../src/arena/snapshots.ts'
import { InputError } from '../../src/errors.ts'
import { Competitor } from '../../src/schema/competitor.ts'
import { Season } from '../../src/schema/match.ts'
import { openStore } from '../../src/store/open-store.ts'
import type { Store } from '../../src/store/store.ts'
import { buildCommand, runArena } from '../helpers/command.ts'
import { temporaryFolder } from '../helpers/repository.ts'
import { seasonData } from '../leaderboard/season-data.ts'

describe('snapshots of a stored season', () => {
  const place = temporaryFolder('arena-snapshots')
  const data = seasonData()
  const [first] = data.rounds
  let clock = 0
  const now = () => ++clock * 1000
  let store: Store

  beforeAll(async () => {
    store = await openStore({ dataDir: join(place.path, 'data'), now: () => new Date(now()) })
    const ids = data.competitors.map(({ id }) => id)
    const document = Season.parse({ id: 'demo', title: 'Demo', tasks: ['x'], competitors: ids })
    await store.seasons.put({ digest: data.season.digest, document, createdAt: '2030-01-01T00:00:00.000Z' })
    for (const id of ids)
      await store.competitors.put(
        Competitor.parse({ id, label: id, team: id, player: { kind: 'scripted', folder: id } }),
      )
    for (const round of data.rounds) await store.rounds.save(round)
    await buildCommand()
  })
  afterAll(async () => {
    await store.close()
    place[Symbol.dispose]()
  })

  test('are kept once, and a changed season makes another one', async () => {
    const taken = await takeSnapshot(store, 'demo', now)
    expect(taken).toMatchObject({ isNew: true, auditAlarms: [] })
    expect(await takeSnapshot(store, 'demo', now)).toMatchObject({ digest: taken.digest, isNew: false })
    if (!first) throw new Error('no round')
    const verdict = { ...first.verdict, resolved: 'unknown' as const }
    const decidedAt = '2031-01-01T00:00:00.000Z'
    await store.rounds.revise(first.id, { judgeVersion: '9', verdict, stale: false, decidedAt })
    const corrected = await takeSnapshot(store, 'demo', now)
    expect(corrected).toMatchObject({ isNew: true })
    expect((await store.snapshots.list('demo')).map(({ digest }) => digest)).toEqual([
      corrected.digest,
      taken.digest,
    ])
    expect((await store.snapshots.find(taken.digest))?.document).toEqual(taken.snapshot)
  })

  test('are exported, and verified by the command: 0 when they hold, 1 with what differs when not', async () => {
    const { digest } = await takeSnapshot(store, 'demo', now)
    const folder = join(place.path, 'export')
    await exportSnapshot(store, digest, folder)
    expect(await verifyExport(folder)).toMatchObject({ digest, holds: true, differences: [] })
    const verify = (...args: string[]) => runArena(['ratings', 'verify', ...args], {}, place.path)
    const good = await verify('export', '--digest', digest)
    expect(good).toMatchObject({ exitCode: 0, stderr: '' })
    expect(good.stdout).toContain(`snapshot ${digest} of season demo, engine 1: holds`)

    const file = join(folder, 'rounds.csv')
    const text = readFileSync(file, 'utf8')
    writeFileSync(file, text.replace(/^(t07,\w+,\w+),1,1,/m, '$1,0,1,'))
    const bad = await verify('export', '--json')
    expect(bad.exitCode).toBe(1)
    expect(JSON.parse(bad.stdout)).toMatchObject({
      holds: false,
      differences: [{ place: 'rounds.csv' }, { place: 'rows of task t07' }, { place: 'rounds.csv' }],
    })
    expect((await verify('export')).stdout).toMatch(/does not hold\n\nplace .*\nrounds\.csv +SHA-256/)
    await expect(exportSnapshot(store, digest, folder)).rejects.toThrow(/the folder cannot be made/)
  })

  test('of nothing, and folders that are none, are refused', async () => {
    await expect(takeSnapshot(store, 'other', now)).rejects.toThrow(/there is no season other/)
    await expect(verifyExport(place.path)).rejects.toThrow(InputError)
    await expect(verifyExport(place.path)).rejects.toThrow(
      /there is no snapshot\.json; arena ratings snapshot/,
    )
  })
})
