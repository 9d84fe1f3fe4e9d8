import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { z } from 'zod'
import { Competitor } from '../../src/schema/competitor.ts'
import { Generation, Round } from '../../src/schema/match.ts'
import { BattleRecord, CellRecord, SeasonRecord, TaskRecord } from '../../src/store/records.ts'
import type { Store } from '../../src/store/store.ts'
import * as arbitrary from './arbitraries.ts'
import { engines, type Place } from './engines.ts'

describe.each(engines)('what was saved comes back equal, $name', ({ skip, start }) => {
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

  /** Saves generated records and reads each back. */
  function comesBack<Schema extends z.ZodType>(
    schema: Schema,
    records: fc.Arbitrary<z.input<Schema>>,
    save: (record: z.input<Schema>) => Promise<unknown>,
    find: (record: z.input<Schema>) => Promise<z.output<Schema> | undefined>,
  ): Promise<void> {
    const property = fc.asyncProperty(records, async (record) => {
      await save(record)
      expect(await find(record)).toEqual(schema.parse(record))
    })
    return fc.assert(property, { numRuns: 60, endOnFailure: true })
  }

  test('cells', () =>
    comesBack(
      CellRecord,
      arbitrary.cell,
      (cell) => store.cells.put(cell),
      (cell) => store.cells.find(cell.key),
    ))

  test('tasks', () =>
    comesBack(
      TaskRecord,
      arbitrary.task,
      (task) => store.tasks.put(task),
      (task) => store.tasks.find(task.digest),
    ))

  test('competitors', () =>
    comesBack(
      Competitor,
      arbitrary.competitor,
      (competitor) => store.competitors.put(competitor),
      (competitor) => store.competitors.find(competitor.id),
    ))

  test('seasons', () =>
    comesBack(
      SeasonRecord,
      arbitrary.season,
      (season) => store.seasons.put(season),
      (season) => store.seasons.find(season.digest),
    ))

  test('generations with their model calls', () =>
    comesBack(
      Generation,
      arbitrary.generation,
      (generation) => store.generations.save(generation),
      (generation) => store.generations.find(generation.id),
    ))

  test('battles', () =>
    comesBack(
      BattleRecord,
      arbitrary.battle,
      (battle) => store.battles.add([battle]),
      (battle) => store.battles.find(battle.id),
    ))

  test('rounds', () =>
    comesBack(
      Round,
      arbitrary.round,
      (round) => store.rounds.save(round),
      (round) => store.rounds.find(round.id),
    ))

  test('blobs', () =>
    fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 4096 }), async (bytes) => {
        expect(await store.blobs.get(await store.blobs.put(bytes))).toEqual(Buffer.from(bytes))
      }),
      { numRuns: 60 },
    ))
})
