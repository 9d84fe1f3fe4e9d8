import type { PostgresPool, PostgresPoolClient } from 'kysely'
import pg from 'pg'
import { databaseError } from './database-errors.ts'

/** A database, open, behind pg's pool: what differs between the two engines ends here. */
export interface Connection {
  readonly engine: 'pglite' | 'postgres'
  /** Folder or URL without credentials, for messages. */
  readonly place: string
  readonly pool: pg.Pool
  /** Every use of the pool goes through it: rejects when the engine ends below the pool. */
  guard<Result>(work: () => Promise<Result>): Promise<Result>
  close(): Promise<void>
}

const INT8 = 20

/** Whole numbers come back as numbers: none of ours is above 2^53. */
export const wholeNumbers: pg.CustomTypesConfig = {
  getTypeParser: (oid, format) => (oid === INT8 ? Number : pg.types.getTypeParser(oid, format)),
}

/** The pool as kysely takes it, with every failure of the engine itself told as an EnvironmentError. */
export function reportingPool(connection: Connection): PostgresPool {
  const report = (error: unknown): never => {
    throw databaseError(error, connection.place)
  }
  const clients = new WeakMap<pg.PoolClient, PostgresPoolClient>()
  const reportingClient = (client: pg.PoolClient): PostgresPoolClient => {
    const known = clients.get(client)
    if (known) return known
    const query = (text: string, values: readonly unknown[]): Promise<pg.QueryResult> =>
      connection.guard(() => client.query(text, [...values])).catch(report)
    // kysely's type also promises cursors, which only its stream() asks for: the store reads whole results.
    const made = { query, release: () => client.release() } as unknown as PostgresPoolClient
    clients.set(client, made)
    return made
  }
  return {
    connect: async () =>
      reportingClient(await connection.guard(() => connection.pool.connect()).catch(report)),
    end: () => connection.pool.end(),
  }
}
