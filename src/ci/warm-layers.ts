import { mkdir, readdir, readFile, rename, stat, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { folderBytes, removeTree } from './remove-tree.ts'

/** A kept layer: its folder, and what the phase that made it has written down. */
export interface WarmLayer {
  readonly layer: string
  readonly record: Buffer
}

export interface WarmLayers {
  /** The layer of a key, which `build` fills when it is not kept: it answers the record. One build a key at a time. */
  get(key: string, build: (layer: string) => Promise<Buffer>): Promise<WarmLayer>
}

export interface WarmLayersOptions {
  readonly folder: string
  readonly layerBytes: number
  readonly reuse: boolean
  readonly newId: () => string
}

/** A layer that was used so lately may be in use by another process. */
const IN_USE_MS = 60 * 60_000

const RECORD = 'record.json'
const BYTES = 'bytes'

/**
 * Layers that outlive the process, by content: made beside their place and moved there when whole, so that a killed process
 * leaves nothing half and two processes do not meet. The least recently used go when they take more than `layerBytes`.
 */
export function createWarmLayers(options: WarmLayersOptions): WarmLayers {
  const flights = new Map<string, Promise<WarmLayer>>()
  const find = async (key: string): Promise<WarmLayer | undefined> => {
    const folder = join(options.folder, key)
    const record = await readFile(join(folder, RECORD)).catch(() => undefined)
    if (record === undefined) return undefined
    await utimes(folder, new Date(), new Date())
    return { layer: join(folder, 'layer'), record }
  }
  const make = async (key: string, build: (layer: string) => Promise<Buffer>): Promise<WarmLayer> => {
    const kept = options.reuse ? await find(key) : undefined
    if (kept) return kept
    const folder = join(options.folder, key)
    const draft = join(options.folder, `making-${options.newId()}`)
    await mkdir(draft, { recursive: true })
    try {
      const record = await build(join(draft, 'layer'))
      await writeFile(join(draft, BYTES), String(await folderBytes(draft)))
      await writeFile(join(draft, RECORD), record)
      // A run that trusts nothing kept puts its own in the place, unless somebody else has it open.
      if (!options.reuse) await rename(folder, `${draft}-old`).catch(() => undefined)
      await rename(draft, folder).catch(async (cause: unknown) => {
        if (!(await find(key))) throw cause
      })
    } finally {
      await removeTree(draft)
      await removeTree(`${draft}-old`)
    }
    await evict(options, key)
    const made = await find(key)
    if (!made) throw new Error(`the warm layer ${key} is gone`)
    return made
  }
  return {
    get: (key, build) => {
      const flight = flights.get(key) ?? make(key, build)
      flights.set(key, flight)
      // A build that failed is kept by nobody.
      flight.catch(() => flights.delete(key))
      return flight
    },
  }
}

async function evict(options: WarmLayersOptions, keep: string): Promise<void> {
  const names = await readdir(options.folder)
  const layers = await Promise.all(
    names
      .filter((name) => !name.startsWith('making-'))
      .map(async (name) => {
        const folder = join(options.folder, name)
        const [about, bytes] = await Promise.all([
          stat(folder).catch(() => undefined),
          readFile(join(folder, BYTES), 'utf8').catch(() => '0'),
        ])
        return { name, folder, bytes: Number(bytes), usedAt: about?.mtimeMs ?? 0 }
      }),
  )
  let total = layers.reduce((sum, { bytes }) => sum + bytes, 0)
  for (const { name, folder, bytes, usedAt } of layers.sort((a, b) => a.usedAt - b.usedAt)) {
    if (total <= options.layerBytes || name === keep || Date.now() - usedAt < IN_USE_MS) continue
    total -= bytes
    await removeTree(folder)
  }
}
