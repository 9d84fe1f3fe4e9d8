import { execFileSync, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'

export interface TestPostgres {
  readonly url: string
  stop(): Promise<void>
}

/** TEST_DATABASE_URL, or the server's programs of the distribution. */
export function isPostgresAtHand(): boolean {
  return process.env.TEST_DATABASE_URL !== undefined || serverPrograms() !== undefined
}

/** A schema of its own on TEST_DATABASE_URL, or on a server that lives only as long; `stop` leaves nothing behind. */
export async function startPostgres(): Promise<TestPostgres> {
  const given = process.env.TEST_DATABASE_URL
  const server = given === undefined ? await startServer() : { url: given, stop: async () => {} }
  const schema = `arena_test_${randomUUID().replaceAll('-', '')}`
  await runSql(server.url, `create schema ${schema}`)
  const url = new URL(server.url)
  url.searchParams.set('options', `-c search_path=${schema}`)
  return {
    url: url.href,
    stop: async () => {
      await runSql(server.url, `drop schema ${schema} cascade`)
      await server.stop()
    },
  }
}

/** Answers the rows of one statement, on a connection of its own. */
export async function runSql(url: string, statement: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query(statement)).rows
  } finally {
    await client.end()
  }
}

function serverPrograms(): string | undefined {
  const root = '/usr/lib/postgresql'
  if (!existsSync(root)) return undefined
  const folders = readdirSync(root).map((version) => join(root, version, 'bin'))
  return folders.find((folder) => existsSync(join(folder, 'initdb')) && existsSync(join(folder, 'postgres')))
}

/** A server on loopback only, without a password, its data in a temporary folder and not synced. */
async function startServer(): Promise<TestPostgres> {
  const programs = serverPrograms()
  if (programs === undefined) throw new Error('PostgreSQL is not installed')
  const folder = mkdtempSync(join(tmpdir(), 'arena-postgres-'))
  // The server refuses to run as root; Debian's package brings a user for it.
  const user = process.getuid?.() === 0 ? userNamed('postgres') : undefined
  if (user) chownSync(folder, user.uid, user.gid)
  const data = join(folder, 'data')
  const options = { cwd: folder, ...user }
  execFileSync(
    join(programs, 'initdb'),
    ['--pgdata', data, '--username', 'arena', '--auth', 'trust', '--encoding', 'UTF8', '--no-sync'],
    { ...options, stdio: 'pipe' },
  )
  const port = await freePort()
  const settings = ['listen_addresses=127.0.0.1', `unix_socket_directories=${folder}`, 'fsync=off']
  const server = spawn(
    join(programs, 'postgres'),
    ['-D', data, '-p', String(port), ...settings.flatMap((setting) => ['-c', setting])],
    { ...options, stdio: ['ignore', 'ignore', 'pipe'] },
  )
  const ended = new Promise<void>((resolve) => server.once('exit', () => resolve()))
  // A test run that is broken off must not leave a server behind.
  const killServer = (): boolean => server.kill('SIGKILL')
  process.once('exit', killServer)
  const stop = async (): Promise<void> => {
    server.kill('SIGINT')
    await ended
    process.off('exit', killServer)
    rmSync(folder, { recursive: true, force: true })
  }
  let log = ''
  const ready = new Promise<void>((resolve) => {
    server.stderr.on('data', (chunk: Buffer) => {
      log += chunk
      if (log.includes('ready to accept connections')) resolve()
    })
  })
  await Promise.race([ready, ended])
  if (server.exitCode !== null) {
    await stop()
    throw new Error(`PostgreSQL did not start: ${log}`)
  }
  return { url: `postgresql://arena@127.0.0.1:${port}/postgres`, stop }
}

function userNamed(name: string): { readonly uid: number; readonly gid: number } {
  const idOf = (flag: string): number => Number(execFileSync('id', [flag, name], { encoding: 'utf8' }))
  return { uid: idOf('-u'), gid: idOf('-g') }
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer()
    probe.once('error', reject)
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address()
      const port = typeof address === 'object' && address ? address.port : 0
      probe.close(() => resolve(port))
    })
  })
}
