import { rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { PGlite } from '@electric-sql/pglite'
import { createPgConfig } from '@electric-sql/pglite/node-postgres'
import pg from 'pg'
import { EnvironmentError, messageOf } from '../errors.ts'
import { type Connection, wholeNumbers } from './connection.ts'
import { diskError } from './disk-errors.ts'

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
  // Never closed for idleness: the one connection is the database.
  const pool = new pg.Pool({ ...config, max: config.poolSize, idleTimeoutMillis: 0, types: wholeNumbers })
  const close = async (): Promise<void> => {
    await pool.end()
    await database.close()
  }
  return { engine: 'pglite', place: folder, pool, close }
}

/** Made beside its place and moved there when whole: a process killed on the way leaves nothing half. */
async function createCluster(folder: string): Promise<void> {
  const draft = `${folder}.new`
  await rm(draft, { recursive: true, force: true }).catch((error: unknown) => {
    throw diskError(error, draft)
  })
  const database = await open(draft)
  await database.close()
  await rename(draft, folder).catch((error: unknown) => {
    throw diskError(error, folder)
  })
}

async function open(folder: string): Promise<PGlite> {
  try {
    return await PGlite.create({
      dataDir: folder,
      // PGlite asks for 160 MB, all of it resident; the file system's cache does the same for one process.
      postgresqlconf: ['shared_buffers = 16MB'],
    })
  } catch (error) {
    throw new EnvironmentError(`the embedded database does not open: ${messageOf(error)}`, {
      place: folder,
      remedy:
        'free some space if the disk is full; else restore the folder from a backup, or move it away to begin anew',
      cause: error,
    })
  }
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  )
}
