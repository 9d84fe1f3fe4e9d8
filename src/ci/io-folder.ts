import { constants } from 'node:fs'
import { chmod, lstat, mkdir, open, opendir, statfs } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { WorkflowError } from '../../workflows/errors.ts'
import { IO_INSIDE } from './runners/port.ts'

/**
 * The folder that host and sandbox share. Hostile code owns what is in it between two calls, so everything of ours is made
 * new, never opened by following a link, and read only while nothing inside runs.
 */
export interface IoFolder {
  readonly host: string
}

export const insideIo = (name: string): string => `${IO_INSIDE}/${name}`

/** Makes the shared folder itself; everybody may write in it, since the sandbox's user is not ours. */
export async function makeIoFolder(host: string): Promise<IoFolder> {
  await mkdir(host, { recursive: true })
  await chmod(host, 0o777)
  return { host }
}

/** The sandbox has filled its shared folder while the host's disk has room: the code's own failure, never the machine's. */
export class SharedFolderFullError extends WorkflowError {}

/** A new folder in it. Throws when the name is taken, be it by a link; SharedFolderFullError when the sandbox left no room. */
export async function makeFolder(io: IoFolder, name: string): Promise<void> {
  await orFull(io, async () => {
    const path = join(io.host, name)
    await mkdir(path)
    await chmod(path, 0o777)
  })
}

/** A new file in a folder just made. Throws as makeFolder does. */
export async function makeFile(
  io: IoFolder,
  name: string,
  content: string | Buffer,
  mode: number,
): Promise<void> {
  await orFull(io, async () => {
    const flags = constants.O_CREAT | constants.O_EXCL | constants.O_WRONLY
    const file = await open(join(io.host, name), flags, mode)
    try {
      await file.writeFile(content)
      // The mask of this process must not close the file to the sandbox's user.
      await file.chmod(mode)
    } finally {
      await file.close()
    }
  })
}

async function orFull(io: IoFolder, body: () => Promise<void>): Promise<void> {
  try {
    await body()
  } catch (cause) {
    const full = cause instanceof Error && 'code' in cause && cause.code === 'ENOSPC'
    if (full && (await isFullAlone(io))) {
      throw new SharedFolderFullError('the folder of scripts and reports was filled', { cause })
    }
    throw cause
  }
}

/** Whether the shared folder is a file system of its own, and the disk around it has room. */
async function isFullAlone(io: IoFolder): Promise<boolean> {
  const around = dirname(io.host)
  const [inside, outside] = await Promise.all([lstat(io.host), lstat(around)])
  return inside.dev !== outside.dev && (await statfs(around)).bavail > 0
}

/** The bytes of a plain file, at most `cap`; undefined for what is missing, too long, a link or no file at all. */
export async function readPlainFile(path: string, cap: number): Promise<Buffer | undefined> {
  const about = await lstat(path).catch(() => undefined)
  if (!about?.isFile() || about.size > cap) return undefined
  const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK).catch(
    () => undefined,
  )
  if (!file) return undefined
  try {
    const buffer = Buffer.alloc(about.size)
    const { bytesRead } = await file.read(buffer, 0, about.size, 0)
    return buffer.subarray(0, bytesRead)
  } finally {
    await file.close()
  }
}

const DEPTH = 8
const FILES = 20_000

/**
 * All plain files below a folder of the shared one, by relative path, at most `cap` bytes together: files past the cap,
 * links, and folders deeper than eight are left out, so what they would have reported is absent.
 */
export async function readPlainFiles(io: IoFolder, name: string, cap: number): Promise<Map<string, Buffer>> {
  const found = new Map<string, Buffer>()
  let left = cap
  const walk = async (folder: string, prefix: string, depth: number): Promise<void> => {
    const about = await lstat(folder).catch(() => undefined)
    if (!about?.isDirectory() || depth > DEPTH) return
    const names = await namesIn(folder)
    for (const entry of names) {
      if (found.size >= FILES) return
      const path = join(folder, entry)
      const kind = await lstat(path).catch(() => undefined)
      if (kind?.isDirectory()) await walk(path, `${prefix}${entry}/`, depth + 1)
      const bytes = kind?.isFile() ? await readPlainFile(path, left) : undefined
      if (bytes === undefined) continue
      left -= bytes.length
      found.set(`${prefix}${entry}`, bytes)
    }
  }
  await walk(join(io.host, name), '', 0)
  return found
}

async function namesIn(folder: string): Promise<string[]> {
  const names: string[] = []
  const dir = await opendir(folder).catch(() => undefined)
  if (!dir) return names
  for await (const entry of dir) {
    names.push(entry.name)
    if (names.length >= FILES) break
  }
  return names.sort()
}
