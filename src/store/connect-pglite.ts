import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { PGlite } from '@electric-sql/pglite'
import { createPgConfig } from '@electric-sql/pglite/node-postgres'
import pg from 'pg'
import { type Connection, wholeNumbers } from './connection.ts'
import { createCluster, SERVER_SETTINGS } from './create-cluster.ts'
import { engineError } from './engine-errors.ts'
import { createEngineWatch } from './engine-watch.ts'

/**
 * Opens the PostgreSQL that runs inside this process on `<dataDir>/pglite`, made at first use (three seconds; later a
 * third of one). The caller holds the folder's lock. A pool of one connection: whoever has it keeps all others waiting, so
 * that nothing inside a transaction may ask for another.
 */
export async function connectPglite(dataDir: string): Promise<Connection> {
  const folder = join(dataDir, 'pglite')
  if (!(await exists(folder))) await createCluster(folder)
  const database = await open(folder)
  const config = createPgConfig(database)
  const watch = createEngineWatch()
  config.connection.on('error', watch.fail)
  config.connection.on('errorMessage', (message: { readonly severity?: string }) => {
    if (message.severity === 'PANIC' || message.severity === 'FATAL') watch.fail(message)
  })
  // Never closed for idleness: the one connection is the database.
  const pool = new pg.Pool({ ...config, max: config.poolSize, idleTimeoutMillis: 0, types: wholeNumbers })
  // An engine that has ended would never answer; its files are whole, and the next start recovers them.
  const close = async (): Promise<void> => {
    if (watch.hasFailed()) return
    await pool.end()
    await database.close()
  }
  return { engine: 'pglite', place: folder, pool, guard: watch.guard, close }
}

async function open(folder: string): Promise<PGlite> {
  try {
    return await PGlite.create({ dataDir: folder, postgresqlconf: [...SERVER_SETTINGS] })
  } catch (error) {
    throw engineError(error, folder)
  }
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  )
}
