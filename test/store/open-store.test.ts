import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { EnvironmentError, InputError } from '../../src/errors.ts'
import { openStore } from '../../src/store/open-store.ts'
import * as arbitrary from './arbitraries.ts'
import { engines, NOW, type Place } from './engines.ts'
import { sampleOf } from './sample.ts'

const now = (): Date => NOW

describe.each(engines)('opening the store on $name', ({ name, skip, start }) => {
  if (skip) return test.skip('needs PostgreSQL', () => {})
  let place: Place
  beforeEach(async () => {
    place = await start()
  })
  afterEach(() => place?.stop())

  test('again finds what was saved before, and closing twice is harmless', async () => {
    const cell = sampleOf(arbitrary.cell, 1)
    const first = await place.open()
    await first.cells.put(cell)
    await Promise.all([first.close(), first.close()])
    const second = await place.open()
    expect(await second.cells.find(cell.key)).toEqual(cell)
    expect(await second.describe()).toMatch(/^PostgreSQL \d+.*, \S+$/)
    await second.close()
    expect(readdirSync(place.dataDir)).not.toContain('lock')
  })

  test('a database that a newer version has migrated is left alone', async () => {
    await (await place.open()).close()
    await place.tamper("insert into arena_migrations values ('9999-from-the-future', now())")
    const refusal = await place.open().catch((error: unknown) => error)
    expect(refusal).toBeInstanceOf(InputError)
    expect(String(refusal)).toMatch(
      /newer than this version.*9999-from-the-future.*install the newer version/,
    )
    expect(readdirSync(place.dataDir)).not.toContain('lock')
  })

  test('a row that does not fit its schema is told with table, key and field', async () => {
    const cell = sampleOf(arbitrary.cell, 2)
    const store = await place.open()
    await store.cells.put(cell)
    await store.close()
    await place.tamper(`update cells set run = '{"kind": "workflow", "tree": "bad", "legs": []}'`)
    const again = await place.open()
    const failure = await again.cells.find(cell.key).catch((error: unknown) => error)
    expect(failure).toBeInstanceOf(EnvironmentError)
    expect(String(failure)).toContain(`table cells, key ${cell.key}: `)
    expect(String(failure)).toContain('run.tree: ')
    await again.close()
  })

  if (name === 'PGlite') return
  test('several processes may open and migrate one database at once', async () => {
    const stores = await Promise.all(Array.from({ length: 5 }, () => place.open()))
    const cell = sampleOf(arbitrary.cell, 3)
    await stores[0]?.cells.put(cell)
    for (const store of stores) expect(await store.cells.find(cell.key)).toEqual(cell)
    await Promise.all(stores.map((store) => store.close()))
  })

  test('a certificate that is not there is told with the place', async () => {
    const databaseUrl = 'postgresql://127.0.0.1:1/arena?sslcert=/nowhere/cert.pem'
    const opened = openStore({ dataDir: place.dataDir, databaseUrl, now })
    await expect(opened).rejects.toThrow(/postgresql:\/\/127.0.0.1:1\/arena: ENOENT.*cert.pem/)
  })
})

describe('a store that cannot be opened says why in one line', () => {
  let place: Place
  beforeEach(async () => {
    const [pglite] = engines
    if (pglite) place = await pglite.start()
  })
  afterEach(() => place?.stop())

  const refusal = async (databaseUrl: string): Promise<unknown> =>
    openStore({ dataDir: place.dataDir, databaseUrl, now }).catch((error: unknown) => error)

  test('nobody listens at the URL: the place without the password, and the remedy', async () => {
    const error = await refusal(
      'postgresql://someone:planted-secret@127.0.0.1:1/arena?application_name=planted-secret',
    )
    expect(error).toBeInstanceOf(EnvironmentError)
    expect(String(error)).toMatch(/postgresql:\/\/127\.0\.0\.1:1\/arena: .*ECONNREFUSED.*DATABASE_URL/)
    expect(String(error)).not.toMatch(/planted-secret|\n/)
  })

  test('the URL is none of PostgreSQL', async () => {
    const error = await refusal('mysql://someone:planted-secret@127.0.0.1/arena')
    expect(error).toBeInstanceOf(InputError)
    expect(String(error)).toMatch(/DATABASE_URL: not a PostgreSQL URL; write it as postgresql:/)
    expect(String(error)).not.toContain('planted-secret')
  })

  test('a file stands where the folder should be', async () => {
    writeFileSync(join(place.dataDir, 'file'), '')
    const dataDir = join(place.dataDir, 'file', 'data')
    await expect(openStore({ dataDir, now })).rejects.toThrow(/file.*--data OTHER/)
  })

  test('the folder of the embedded database holds something else', async () => {
    mkdirSync(join(place.dataDir, 'pglite'))
    writeFileSync(join(place.dataDir, 'pglite', 'PG_VERSION'), '9\n')
    await expect(place.open()).rejects.toThrow(/pglite: the embedded database does not open.*backup/)
    expect(readdirSync(place.dataDir)).toEqual(['pglite'])
  })
})
