import { EventEmitter } from 'node:events'
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { PGlite } from '@electric-sql/pglite'
import { createPgConfig } from '@electric-sql/pglite/node-postgres'
import pg from 'pg'
import { parse } from 'pg-protocol'
import { type Connection, wholeNumbers } from './connection.ts'
import { createCluster } from './create-cluster.ts'
import { type EngineProcess, startEngine } from './engine-process.ts'
import { createEngineWatch, type EngineWatch } from './engine-watch.ts'

/**
 * Opens the embedded PostgreSQL on `<dataDir>/pglite`, made at first use (three seconds; later a third of one). The caller
 * holds the folder's lock. A pool of one connection: whoever has it keeps all others waiting, so that nothing inside a
 * transaction may ask for another.
 */
export async function connectPglite(dataDir: string): Promise<Connection> {
  const folder = join(dataDir, 'pglite')
  if (!(await exists(folder))) await createCluster(folder)
  const watch = createEngineWatch()
  const engine = await startEngine(folder, watch.fail)
  const config = createPgConfig(asDatabase(engine, watch))
  config.connection.on('error', watch.fail)
  config.connection.on('errorMessage', (message: { readonly severity?: string }) => {
    if (message.severity === 'PANIC' || message.severity === 'FATAL') watch.fail(message)
  })
  // Never closed for idleness: the one connection is the database.
  const pool = new pg.Pool({ ...config, max: config.poolSize, idleTimeoutMillis: 0, types: wholeNumbers })
  // An engine that has failed would never answer.
  const close = async (): Promise<void> => {
    if (watch.hasFailed()) return engine.kill()
    await pool.end()
    await engine.close()
  }
  return { engine: 'pglite', place: folder, pool, guard: watch.guard, close }
}

/** Messages of a query that are answered together, at the one that ends it: P, B, D, E and C of PostgreSQL's protocol. */
const KEPT_BACK = new Set([...'PBDEC'].map((letter) => letter.charCodeAt(0)))

/**
 * The engine as PGlite's bridge to pg takes it, which uses no more of a database than this. The bridge sends a query in five
 * messages and waits for each; here the round trip to the other process is made once for all.
 */
function asDatabase(engine: EngineProcess, watch: EngineWatch): PGlite {
  const bytes = new EventEmitter()
  let replies: { readonly name: string }[] = []
  // Resolves when the stream ends, which this one never does.
  void parse(bytes as unknown as NodeJS.ReadableStream, (message) => replies.push(message))
  let kept: Uint8Array[] = []
  const execProtocolStream = async (message: Uint8Array): Promise<readonly { readonly name: string }[]> => {
    kept.push(message)
    if (KEPT_BACK.has(message[0] ?? 0)) return []
    const messages = kept
    kept = []
    const answer = await engine.execute(messages).catch((error: unknown) => {
      // Everybody has been told, and the bridge has nobody left to tell.
      if (watch.hasFailed()) return undefined
      throw error
    })
    if (!answer) return []
    replies = []
    bytes.emit('data', Buffer.from(answer.buffer, answer.byteOffset, answer.byteLength))
    return replies
  }
  return { waitReady: Promise.resolve(), execProtocolStream } as unknown as PGlite
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  )
}
