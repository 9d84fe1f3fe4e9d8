import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PGlite } from '@electric-sql/pglite'
import { openStore } from '../../src/store/open-store.ts'
import type { Store } from '../../src/store/store.ts'
import { isPostgresAtHand, runSql, startPostgres } from '../helpers/postgres.ts'
import { needs } from '../helpers/require.ts'

export const NOW = new Date('2030-01-02T03:04:05.678Z')

/** A folder and, on PostgreSQL, a schema: both new, both removed by `stop`. */
export interface Place {
  readonly dataDir: string
  readonly databaseUrl?: string
  open(): Promise<Store>
  /** Runs statements past the store, which must be closed. */
  tamper(statements: string): Promise<void>
  stop(): Promise<void>
}

export interface Engine {
  readonly name: string
  readonly skip: boolean
  start(): Promise<Place>
}

export const engines: readonly Engine[] = [
  { name: 'PGlite', skip: false, start: async () => place({}, async () => {}) },
  {
    name: 'PostgreSQL',
    skip: needs('PostgreSQL', isPostgresAtHand()),
    start: async () => {
      const server = await startPostgres()
      return place({ databaseUrl: server.url }, server.stop)
    },
  },
]

function place(database: { readonly databaseUrl?: string }, stopDatabase: () => Promise<void>): Place {
  const dataDir = mkdtempSync(join(tmpdir(), 'arena-store-'))
  return {
    dataDir,
    ...database,
    open: () => openStore({ dataDir, ...database, now: () => NOW }),
    tamper: async (statements) => {
      if (database.databaseUrl) return void (await runSql(database.databaseUrl, statements))
      const pglite = await PGlite.create(join(dataDir, 'pglite'))
      await pglite.exec(statements)
      await pglite.close()
    },
    stop: async () => {
      await stopDatabase()
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}
