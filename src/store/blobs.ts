import { createHash, randomUUID } from 'node:crypto'
import { mkdir, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { EnvironmentError, InputError } from '../errors.ts'
import { digestOf } from '../schema/canonical.ts'
import { Digest } from '../schema/ids.ts'
import { diskError, hasCode } from './disk-errors.ts'
import type { Blobs } from './store.ts'

const DEFAULT_MAX_BYTES = 64 * 1024 * 1024
/** No write takes as long; an older draft belongs to a process that was killed. */
const DRAFT_AGE_MS = 24 * 60 * 60 * 1000

/** Opens `<folder>/ab/cdef…`, made when absent, and removes what killed processes left half written there. */
export async function openBlobs(folder: string, now: () => Date): Promise<Blobs> {
  const drafts = join(folder, 'drafts')
  await mkdir(drafts, { recursive: true }).catch((error: unknown) => {
    throw diskError(error, drafts)
  })
  await removeOldDrafts(drafts, now().getTime() - DRAFT_AGE_MS)
  const pathOf = (digest: Digest): string => join(folder, digest.slice(0, 2), digest.slice(2))

  return {
    async put(bytes, maxBytes = DEFAULT_MAX_BYTES) {
      const digest = digestOf(bytes)
      const path = pathOf(digest)
      checkSize(bytes.byteLength, maxBytes, path)
      // Compared, not only looked for: a file that the disk has spoilt is written anew.
      const there = await readIfThere(path)
      if (there === undefined || !there.equals(bytes)) {
        await writeDurably(bytes, join(drafts, randomUUID()), path, join(folder, digest.slice(0, 2)))
      }
      return digest
    },
    async get(name, maxBytes = DEFAULT_MAX_BYTES) {
      const digest = Digest.parse(name)
      const path = pathOf(digest)
      const size = await sizeIfThere(path)
      if (size === undefined) return undefined
      checkSize(size, maxBytes, path)
      const bytes = await readIfThere(path)
      if (bytes === undefined) return undefined
      if (createHash('sha256').update(bytes).digest('hex') !== digest) {
        throw new EnvironmentError('the file no longer holds the bytes that it is named by', {
          place: path,
          remedy: 'restore it from a backup, or remove it: what it belongs to then shows without it',
        })
      }
      return bytes
    },
  }
}

/** The name appears only when the bytes are on the disk. */
async function writeDurably(bytes: Uint8Array, draft: string, path: string, folder: string): Promise<void> {
  try {
    await mkdir(folder, { recursive: true })
    const file = await open(draft, 'wx')
    try {
      await file.writeFile(bytes)
      await file.sync()
    } finally {
      await file.close()
    }
    await rename(draft, path)
    await syncFolder(folder)
  } catch (error) {
    await rm(draft, { force: true })
    throw diskError(error, path)
  }
}

async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

async function removeOldDrafts(drafts: string, beforeMs: number): Promise<void> {
  for (const name of await readdir(drafts)) {
    const path = join(drafts, name)
    const draft = await stat(path).catch(() => undefined)
    if (draft && draft.mtimeMs < beforeMs) await rm(path, { force: true })
  }
}

function checkSize(bytes: number, maxBytes: number, place: string): void {
  if (bytes <= maxBytes) return
  throw new InputError(`${bytes} bytes are more than the ${maxBytes} allowed here`, { place })
}

async function readIfThere(path: string): Promise<Buffer | undefined> {
  try {
    return await readFile(path)
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return undefined
    throw diskError(error, path)
  }
}

async function sizeIfThere(path: string): Promise<number | undefined> {
  try {
    return (await stat(path)).size
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return undefined
    throw diskError(error, path)
  }
}
