import pg from 'pg'
import { InputError } from '../errors.ts'
import { type Connection, wholeNumbers } from './connection.ts'

const CONNECT_TIMEOUT_MS = 15_000

/** A pool of at most ten connections; none is opened before the first query. Throws InputError for an unusable URL. */
export function connectPostgres(databaseUrl: string): Connection {
  const place = placeOf(databaseUrl)
  const pool = new pg.Pool({
    connectionString: databaseUrl,
    max: 10,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    types: wholeNumbers,
  })
  // An idle connection broke (the server was restarted): the pool has dropped it already, the next query opens another.
  pool.on('error', () => {})
  return {
    engine: 'postgres',
    place,
    pool,
    guard: async (work) => work(),
    close: () => pool.end(),
  }
}

/** The URL without user, password and parameters, any of which may hold a secret. */
function placeOf(databaseUrl: string): string {
  if (!/^postgres(ql)?:\/\//.test(databaseUrl) || !URL.canParse(databaseUrl)) {
    throw new InputError('not a PostgreSQL URL', {
      place: 'DATABASE_URL',
      remedy: 'write it as postgresql://user:password@host:5432/database',
    })
  }
  const { host, pathname } = new URL(databaseUrl)
  return `postgresql://${host}${pathname}`
}
