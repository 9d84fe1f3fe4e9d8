import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { folderBytes, removeTree } from './remove-tree.ts'

export interface SetupLayers<T> {
  /**
   * Runs the body on the layer of this key, building it first when it is not there. Many callers of one key wait for one
   * build; a build that throws is kept by nobody. The folder stays until the body has ended.
   */
  use<R>(
    key: string,
    build: (folder: string) => Promise<T>,
    body: (value: T, folder: string) => Promise<R>,
  ): Promise<R>
  /** Removes every layer that no body uses. */
  close(): Promise<void>
}

interface Entry<T> {
  readonly folder: string
  readonly built: Promise<{ readonly value: T; readonly bytes: number }>
  bytes: number
  users: number
}

/** Layers after set-up, kept in a folder up to a number of bytes on disk; the least recently used ones go first. */
export function createSetupLayers<T>(root: string, capBytes: number, newId: () => string): SetupLayers<T> {
  // A Map keeps the order of insertion: an entry that is used is put at the end again.
  const entries = new Map<string, Entry<T>>()
  const start = (key: string, build: (folder: string) => Promise<T>): Entry<T> => {
    const folder = join(root, newId())
    const built = (async () => {
      await mkdir(root, { recursive: true })
      const value = await build(folder)
      return { value, bytes: await folderBytes(folder) }
    })()
    const entry: Entry<T> = { folder, built, bytes: 0, users: 0 }
    entries.set(key, entry)
    return entry
  }
  const drop = async (key: string, entry: Entry<T>): Promise<void> => {
    if (entries.get(key) !== entry) return
    entries.delete(key)
    await removeTree(entry.folder)
  }
  const evict = async (cap: number): Promise<void> => {
    let total = [...entries.values()].reduce((sum, entry) => sum + entry.bytes, 0)
    for (const [key, entry] of [...entries]) {
      if (total <= cap) return
      if (entry.users > 0 || !entries.delete(key)) continue
      total -= entry.bytes
      await removeTree(entry.folder)
    }
  }
  return {
    async use(key, build, body) {
      const entry = entries.get(key) ?? start(key, build)
      entries.delete(key)
      entries.set(key, entry)
      entry.users += 1
      try {
        const { value, bytes } = await builtOr(entry, () => drop(key, entry))
        entry.bytes = bytes
        return await body(value, entry.folder)
      } finally {
        entry.users -= 1
        await evict(capBytes)
      }
    },
    close: () => evict(-1),
  }
}

async function builtOr<T>(entry: Entry<T>, whenBroken: () => Promise<void>): Entry<T>['built'] {
  try {
    return await entry.built
  } catch (error) {
    await whenBroken()
    throw error
  }
}
