import { mkdir } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { Kysely, PostgresDialect, sql } from 'kysely'
import { assessmentsIn } from './assessments.ts'
import { battlesIn } from './battles.ts'
import { openBlobs } from './blobs.ts'
import { cellsIn } from './cells.ts'
import { competitorsIn } from './competitors.ts'
import { connectPglite } from './connect-pglite.ts'
import { connectPostgres } from './connect-postgres.ts'
import { type Connection, reportingPool } from './connection.ts'
import type { Database, Tables } from './database.ts'
import { diskError } from './disk-errors.ts'
import { lockFolder } from './folder-lock.ts'
import { generationsIn } from './generations.ts'
import { migrate } from './migrate.ts'
import { migrations } from './migrations/index.ts'
import { roundsIn } from './rounds.ts'
import { seasonsIn } from './seasons.ts'
import { snapshotsIn } from './snapshots.ts'
import type { Store } from './store.ts'
import { tasksIn } from './tasks.ts'

export interface OpenStoreOptions {
  /** Made when absent. Holds the blobs, and the database too where no URL is given. */
  readonly dataDir: string
  /** A PostgreSQL; without it the database is PGlite in `dataDir`, for one process at a time. */
  readonly databaseUrl?: string
  readonly now: () => Date
  /** What another process is told that finds the folder in use: `arena serve`. */
  readonly owner?: string
}

/**
 * Opens the store and brings its tables up to date. Close it. Throws EnvironmentError when another process has the folder,
 * the disk is full or the database does not answer; InputError when the database is newer than this code.
 */
export async function openStore(options: OpenStoreOptions): Promise<Store> {
  const dataDir = resolve(options.dataDir)
  await mkdir(dataDir, { recursive: true }).catch((error: unknown) => {
    throw diskError(error, dataDir)
  })
  const connection = await connect(options, dataDir)
  try {
    const dialect = new PostgresDialect({ pool: reportingPool(connection) })
    const db: Database = new Kysely<Tables>({ dialect })
    const blobs = await openBlobs(join(dataDir, 'blobs'), options.now)
    await migrate(db, migrations, connection.place, options.now)
    return storeOn(db, connection, blobs)
  } catch (error) {
    await connection.close()
    throw error
  }
}

function storeOn(db: Database, connection: Connection, blobs: Store['blobs']): Store {
  const cells = cellsIn(db)
  const tasks = tasksIn(db)
  const competitors = competitorsIn(db)
  const generations = generationsIn(db)
  const rounds = roundsIn(db, { cells, tasks, competitors, generations })
  let closing: Promise<void> | undefined
  return {
    engine: connection.engine,
    blobs,
    cells,
    tasks,
    competitors,
    generations,
    assessments: assessmentsIn(db),
    rounds,
    seasons: seasonsIn(db),
    snapshots: snapshotsIn(db),
    battles: battlesIn(db),
    describe: async () => {
      const { rows } = await sql<{ version: string }>`select version()`.execute(db)
      return `${rows[0]?.version.split(',')[0] ?? connection.engine}, ${connection.place}`
    },
    close: () => {
      closing ??= connection.close()
      return closing
    },
  }
}

/** The embedded database with its folder's lock, given back together. */
async function connect(options: OpenStoreOptions, dataDir: string): Promise<Connection> {
  if (options.databaseUrl) return connectPostgres(options.databaseUrl)
  const lock = await lockFolder(dataDir, options.owner ?? 'arena', options.now)
  try {
    const connection = await connectPglite(dataDir)
    const close = (): Promise<void> => connection.close().finally(() => lock.release())
    return { ...connection, close }
  } catch (error) {
    await lock.release()
    throw error
  }
}
