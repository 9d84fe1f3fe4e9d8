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
  /** Whether another process may use the layer that left this record. */
  readonly isLasting: (record: Buffer) => boolean
  readonly newId: () => string
}

/** A layer that was used so lately may be in use by another process. */
const IN_USE_MS = 60 * 60_000

const RECORD = 'record.json'
const BYTES = 'bytes'

/**
 * Layers that outlive the process, by content: made beside their place and moved there when whole, so that a killed process
 * leaves nothing half. A layer is never changed or replaced, since another process may have it open: a newer one of its key
 * stands beside it. The least recently used go when all take more than `layerBytes`, and what a newer one has replaced.
 */
export function createWarmLayers(options: WarmLayersOptions): WarmLayers {
  const flights = new Map<string, Promise<WarmLayer>>()
  const make = async (key: string, build: (layer: string) => Promise<Buffer>): Promise<WarmLayer> => {
    const kept = options.reuse ? await newest(options, key) : undefined
    if (kept) return kept
    const name = `${key}.${options.newId()}`
    const draft = join(options.folder, `making-${name}`)
    const folder = join(options.folder, name)
    await mkdir(draft, { recursive: true })
    try {
      const record = await build(join(draft, 'layer'))
      await writeFile(join(draft, BYTES), String(await folderBytes(draft)))
      await writeFile(join(draft, RECORD), record)
      await rename(draft, folder)
      await evict(options, name)
      return { layer: join(folder, 'layer'), record }
    } finally {
      await removeTree(draft)
    }
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

/** The last made of a key that may be used, marked as used now. */
async function newest(options: WarmLayersOptions, key: string): Promise<WarmLayer | undefined> {
  for (const { name, folder } of (await layersIn(options.folder)).reverse()) {
    if (keyOf(name) !== key) continue
    const record = await readFile(join(folder, RECORD)).catch(() => undefined)
    if (record === undefined || !options.isLasting(record)) continue
    await utimes(folder, new Date(), new Date())
    return { layer: join(folder, 'layer'), record }
  }
  return undefined
}

interface Place {
  readonly name: string
  readonly folder: string
  readonly bytes: number
  readonly usedAt: number
}

const keyOf = (name: string): string => name.split('.')[0] ?? ''

/** The least recently used first. */
async function layersIn(folder: string): Promise<Place[]> {
  const names = await readdir(folder).catch(() => [])
  const places = await Promise.all(
    names
      .filter((name) => !name.startsWith('making-'))
      .map(async (name): Promise<Place> => {
        const place = join(folder, name)
        const [about, bytes] = await Promise.all([
          stat(place).catch(() => undefined),
          readFile(join(place, BYTES), 'utf8').catch(() => '0'),
        ])
        return { name, folder: place, bytes: Number(bytes), usedAt: about?.mtimeMs ?? 0 }
      }),
  )
  return places.sort((a, b) => a.usedAt - b.usedAt)
}

async function evict(options: WarmLayersOptions, made: string): Promise<void> {
  const places = await layersIn(options.folder)
  let total = places.reduce((sum, { bytes }) => sum + bytes, 0)
  for (const { name, folder, bytes, usedAt } of places) {
    const isReplaced = keyOf(name) === keyOf(made)
    if (name === made || Date.now() - usedAt < IN_USE_MS) continue
    if (total <= options.layerBytes && !isReplaced) continue
    total -= bytes
    await removeTree(folder)
  }
}
