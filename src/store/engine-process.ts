import { type ChildProcess, spawn } from 'node:child_process'
import { readFile, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { setTimeout as delay } from 'node:timers/promises'
import { EnvironmentError } from '../errors.ts'
import { SERVER_SETTINGS } from './create-cluster.ts'
import { diskError, hasCode } from './disk-errors.ts'
import { engineError } from './engine-errors.ts'
import { ENGINE_SCRIPT } from './engine-script.ts'
import { identityOf, isAlive, isInThisSpace, ProcessIdentity } from './process-identity.ts'

export interface EngineProcess {
  /** Executes protocol messages in order and answers with the bytes of their replies. Throws what the engine threw. */
  execute(messages: readonly Uint8Array[]): Promise<Uint8Array>
  /** Writes everything and ends. */
  close(): Promise<void>
  /** Ends it as a power failure would: its files are whole, and the next start recovers them. */
  kill(): Promise<void>
}

interface Answer {
  readonly id: number
  readonly reply?: Uint8Array
  readonly failure?: { readonly message: string; readonly code?: string; readonly errno?: number }
}

type Request =
  | { readonly kind: 'open' | 'close' }
  | { readonly kind: 'execute'; readonly messages: readonly Uint8Array[] }

/**
 * Starts the PostgreSQL on `folder` in a process of its own: it holds some 150 MB, and a large process is slow to start others,
 * of which a season starts thousands. The caller holds the folder's lock, and calls nothing after `onEnd`, which comes when the
 * process ends unasked. Throws EnvironmentError when the folder does not open.
 */
export async function startEngine(folder: string, onEnd: (failure: unknown) => void): Promise<EngineProcess> {
  const record = `${folder}.process`
  await endOrphan(record)
  const child = startChild(folder)
  const channel = channelTo(child, folder, onEnd)
  const kill = async (): Promise<void> => {
    await channel.kill()
    await rm(record, { force: true })
  }
  try {
    // Before it opens anything: whoever takes the folder over from a killed process ends its engine first.
    await writeFile(record, `${JSON.stringify(identityOf(child.pid ?? 0))}\n`).catch((error: unknown) => {
      throw diskError(error, record)
    })
    await channel.ask({ kind: 'open' }).catch((error: unknown) => {
      throw engineError(error, folder)
    })
  } catch (error) {
    await kill()
    throw error
  }
  return {
    execute: async (messages) => (await channel.ask({ kind: 'execute', messages })) ?? new Uint8Array(),
    close: async () => {
      await channel.ask({ kind: 'close' })
      await kill()
    },
    kill,
  }
}

function startChild(folder: string): ChildProcess {
  const module = createRequire(import.meta.url).resolve('@electric-sql/pglite')
  return spawn(process.execPath, ['-e', ENGINE_SCRIPT, module, folder, JSON.stringify(SERVER_SETTINGS)], {
    // Out of the terminal's reach: Ctrl-C is for the arena, which still has things to save.
    detached: true,
    env: {},
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    serialization: 'advanced',
  })
}

interface Channel {
  ask(request: Request): Promise<Uint8Array | undefined>
  kill(): Promise<void>
}

const endedError = (folder: string, message: string): EnvironmentError =>
  new EnvironmentError(message, {
    place: folder,
    remedy: 'start again; what was saved before is kept',
  })

function channelTo(child: ChildProcess, folder: string, onEnd: (failure: unknown) => void): Channel {
  const waiting = new Map<number, (answer: Answer) => void>()
  let asked = 0
  let isExpected = false
  const settle = (answer: Answer): void => {
    waiting.get(answer.id)?.(answer)
    waiting.delete(answer.id)
    // Only somebody who waits keeps this process alive.
    if (waiting.size === 0) child.channel?.unref()
  }
  const ended = new Promise<void>((resolve) => {
    const end = (message: string): void => {
      // First the reason that everybody is told, then the answers that will not come.
      if (!isExpected) onEnd(endedError(folder, message))
      for (const id of waiting.keys()) settle({ id, failure: { message } })
      resolve()
    }
    child.once('exit', (code, signal) => end(`the database's process has ended (${signal ?? code})`))
    child.once('error', ({ message }) => end(`the database's process could not be started: ${message}`))
  })
  child.on('message', (answer) => settle(answer as Answer))
  child.unref()
  return {
    ask: (request) =>
      new Promise((resolve, reject) => {
        const id = asked++
        waiting.set(id, ({ reply, failure }) => (failure ? reject(errorOf(failure)) : resolve(reply)))
        child.channel?.ref()
        // A channel that is closed says so here; the end of the process, which closed it, is told above.
        child.send({ id, ...request }, (error) => {
          if (error) settle({ id, failure: { message: error.message } })
        })
      }),
    kill: async () => {
      isExpected = true
      child.ref()
      child.kill('SIGKILL')
      await ended
    },
  }
}

const errorOf = ({ message, ...codes }: NonNullable<Answer['failure']>): Error =>
  Object.assign(new Error(message), codes)

/** How long a process that was killed may take to be gone, in milliseconds. */
const GONE_MS = 30_000

/** Ends the engine of an arena that was killed: it would end by itself, but may still be at its last statement. */
async function endOrphan(record: string): Promise<void> {
  const text = await readFile(record, 'utf8').catch((error: unknown) => {
    if (hasCode(error, 'ENOENT')) return undefined
    throw diskError(error, record)
  })
  const orphan = text === undefined ? undefined : parseIdentity(text)
  if (!orphan) return
  for (let waited = 0; isAlive(orphan); waited += 5) {
    if (!isInThisSpace(orphan) || waited > GONE_MS)
      throw new EnvironmentError(`the database is still in use by process ${orphan.pid}`, {
        place: record,
        remedy: 'stop it; if it has ended, remove the file',
      })
    killQuietly(orphan.pid)
    await delay(5)
  }
}

/** A process that ends between the look and the signal is no error. */
function killQuietly(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch (error) {
    if (!hasCode(error, 'ESRCH')) throw error
  }
}

/** Undefined for half a line: its process died before it could open anything. */
function parseIdentity(text: string): ProcessIdentity | undefined {
  try {
    return ProcessIdentity.parse(JSON.parse(text))
  } catch {
    return undefined
  }
}
