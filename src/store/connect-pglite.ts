import { rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { PGlite } from '@electric-sql/pglite'
import { createPgConfig } from '@electric-sql/pglite/node-postgres'
import pg from 'pg'
import { EnvironmentError, messageOf } from '../errors.ts'
import { type Connection, wholeNumbers } from './connection.ts'
import { diskError } from './disk-errors.ts'
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

/** Made beside its place and moved there when whole: a process killed on the way leaves nothing half. */
async function createCluster(folder: string): Promise<void> {
  const draft = `${folder}.new`
  const removeDraft = (): Promise<void> => rm(draft, { recursive: true, force: true })
  try {
    await removeDraft()
    const database = await open(draft)
    await database.close()
    await rename(draft, folder)
  } catch (error) {
    await removeDraft()
    throw diskError(error, folder)
  }
}

async function open(folder: string): Promise<PGlite> {
  try {
    return await PGlite.create({
      dataDir: folder,
      // PGlite asks for 160 MB, all of it resident; the file system's cache does the same for one process.
      postgresqlconf: ['shared_buffers = 16MB'],
    })
  } catch (error) {
    const fields = { place: folder, cause: error }
    if (isDiskFull(error)) {
      throw new EnvironmentError('no space left on the disk', {
        ...fields,
        remedy:
          'free some space (a new database takes 60 MB) or use --data OTHER; what was saved before is kept',
      })
    }
    throw new EnvironmentError(`the embedded database does not open: ${messageOf(error)}`, {
      ...fields,
      remedy: 'restore the folder from a backup, or move it away to begin anew',
    })
  }
}

/** Emscripten's file system throws plain objects with the numbers of WASI. */
function isDiskFull(error: unknown): boolean {
  const WASI_NOSPC = 51
  if (typeof error === 'object' && error !== null && 'errno' in error && error.errno === WASI_NOSPC)
    return true
  return /no space left/i.test(messageOf(error))
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  )
}
