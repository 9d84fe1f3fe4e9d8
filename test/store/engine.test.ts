import type pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { connectPglite } from '../../src/store/connect-pglite.ts'
import { connectPostgres } from '../../src/store/connect-postgres.ts'
import type { Connection } from '../../src/store/connection.ts'
import { engines, type Place } from './engines.ts'

/** What the store, and any library that takes pg's pool, relies on: the same on both engines. */
describe.each(engines)('the pool over $name', ({ skip, start }) => {
  if (skip) return test.skip('needs PostgreSQL', () => {})
  let place: Place
  let connection: Connection
  let pool: pg.Pool
  beforeAll(async () => {
    place = await start()
    connection = place.databaseUrl ? connectPostgres(place.databaseUrl) : await connectPglite(place.dataDir)
    pool = connection.pool
    await pool.query('create table pairs (key text primary key, value bigint)')
  })
  afterAll(async () => {
    await connection?.close()
    await place?.stop()
  })

  async function withClient<Result>(use: (client: pg.PoolClient) => Promise<Result>): Promise<Result> {
    const client = await pool.connect()
    try {
      return await use(client)
    } finally {
      client.release()
    }
  }

  test('values come back with the same types', async () => {
    const { rows } = await pool.query(`select
      1 as int4, 2::bigint as int8, 1.5::float8 as float8, true as bool, null as nothing,
      '{"b": 1, "a": "\\u0000"}'::json as json, '{"b": [1]}'::jsonb as jsonb,
      '2030-01-02 03:04:05.678+00'::timestamptz as time, array['x', 'y'] as list, '\\x00ff'::bytea as bytes`)
    expect(rows).toEqual([
      {
        int4: 1,
        int8: 2,
        float8: 1.5,
        bool: true,
        nothing: null,
        json: { b: 1, a: '\0' },
        jsonb: { b: [1] },
        time: new Date('2030-01-02T03:04:05.678Z'),
        list: ['x', 'y'],
        bytes: Buffer.from([0, 255]),
      },
    ])
  })

  test('several statements in one query answer an array', async () => {
    const answers: unknown = await pool.query(
      "insert into pairs values ('several', 1); select value from pairs where key = 'several'; delete from pairs",
    )
    expect(answers).toMatchObject([
      { command: 'INSERT', rowCount: 1 },
      { command: 'SELECT', rowCount: 1, rows: [{ value: 1 }] },
      { command: 'DELETE', rowCount: 1 },
    ])
  })

  test('transactions that run at once do not mix, and a failed one leaves nothing', async () => {
    const attempts = Array.from({ length: 20 }, (_, n) =>
      withClient(async (client) => {
        await client.query('begin')
        await client.query('insert into pairs values ($1, $2)', [`at once ${n}`, n])
        await client.query('insert into pairs values ($1, $2)', [`and ${n}`, n])
        await client.query(n % 2 ? 'rollback' : 'commit')
      }),
    )
    await Promise.all(attempts)
    const { rows } = await pool.query("select value from pairs where key like 'a%' order by value, key")
    expect(rows.map(({ value }) => value)).toEqual([0, 2, 4, 6, 8, 10, 12, 14, 16, 18].flatMap((n) => [n, n]))
  })

  test('a failed statement spoils its transaction only, and a savepoint brings it back', async () => {
    const seen = await withClient(async (client) => {
      await client.query("begin; insert into pairs values ('kept', 1); savepoint here")
      const failure = await client
        .query("insert into pairs values ('kept', 2)")
        .catch((error: unknown) => error)
      const spoilt = await client.query('select 1').catch((error: unknown) => error)
      await client.query('rollback to savepoint here')
      await client.query('commit')
      return [failure, spoilt]
    })
    expect(seen).toMatchObject([{ code: '23505', constraint: 'pairs_pkey' }, { code: '25P02' }])
    expect((await pool.query("select value from pairs where key = 'kept'")).rows).toEqual([{ value: 1 }])
  })

  test('a listener hears what is committed, in order, and nothing that was rolled back', async () => {
    const heard = await withClient(async (client) => {
      const messages: string[] = []
      const third = new Promise<void>((resolve) => {
        client.on('notification', ({ channel, payload }) => {
          messages.push(`${channel} ${payload}`)
          if (payload === 'third') resolve()
        })
      })
      await client.query('listen news')
      await client.query("notify news, 'first'")
      await client.query("begin; notify news, 'never'; rollback")
      await client.query("begin; notify news, 'second'; commit; notify elsewhere, 'not asked'")
      await client.query("notify news, 'third'")
      await third
      await client.query('unlisten news')
      client.removeAllListeners('notification')
      return messages
    })
    expect(heard).toEqual(['news first', 'news second', 'news third'])
  })

  test('a large value passes whole', async () => {
    const text = 'ä'.repeat(2_000_000)
    const { rows } = await pool.query('select $1::text as value', [text])
    expect(rows[0].value === text).toBe(true)
  })
})
