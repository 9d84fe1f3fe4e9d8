import { randomUUID } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { createWarmLayers, type WarmLayersOptions } from '../../src/ci/warm-layers.ts'
import { temporaryFolder } from '../helpers/repository.ts'

/** Layers in a folder, as a new process would open them; `fill` counts how often it was asked. */
function layersIn(folder: string, options: Partial<WarmLayersOptions> = {}) {
  const layers = createWarmLayers({
    folder,
    layerBytes: 2 ** 30,
    reuse: true,
    isLasting: (record) => record.toString() !== 'passing',
    newId: () => randomUUID(),
    ...options,
  })
  const fill =
    (text: string, record = 'lasting', bytes = 10) =>
    async (layer: string): Promise<Buffer> => {
      mkdirSync(layer, { recursive: true })
      writeFileSync(join(layer, 'text'), text)
      writeFileSync(join(layer, 'bytes'), Buffer.alloc(bytes))
      return Buffer.from(record)
    }
  return { layers, fill }
}

const textIn = ({ layer }: { readonly layer: string }): string => readFileSync(join(layer, 'text'), 'utf8')

/** As if nobody had used the layers for a day. */
function age(folder: string, hours = 24): void {
  const then = new Date(Date.now() - hours * 3_600_000)
  for (const name of readdirSync(folder)) utimesSync(join(folder, name), then, then)
}

describe('kept layers of the warm phase', () => {
  test('are found by the next process, with their record', async () => {
    using folder = temporaryFolder('warm')
    const first = layersIn(folder.path)
    await first.layers.get('a', first.fill('one'))
    const second = layersIn(folder.path)
    const found = await second.layers.get('a', second.fill('two'))
    expect([textIn(found), found.record.toString()]).toEqual(['one', 'lasting'])
  })

  test('are built once, however many ask at the same time', async () => {
    using folder = temporaryFolder('warm')
    const { layers, fill } = layersIn(folder.path)
    let builds = 0
    const build = (layer: string): Promise<Buffer> => {
      builds += 1
      return fill('one')(layer)
    }
    const all = await Promise.all([layers.get('a', build), layers.get('a', build), layers.get('a', build)])
    expect([builds, ...all.map(textIn)]).toEqual([1, 'one', 'one', 'one'])
  })

  test('hold for their process alone when the record says so', async () => {
    using folder = temporaryFolder('warm')
    const first = layersIn(folder.path)
    await first.layers.get('a', first.fill('one', 'passing'))
    expect(textIn(await first.layers.get('a', first.fill('two')))).toBe('one')
    const second = layersIn(folder.path)
    expect(textIn(await second.layers.get('a', second.fill('three')))).toBe('three')
    const third = layersIn(folder.path)
    expect(textIn(await third.layers.get('a', third.fill('four')))).toBe('three')
  })

  test('a cold run makes a new one beside the kept one, which others may have open', async () => {
    using folder = temporaryFolder('warm')
    const warm = layersIn(folder.path)
    const kept = await warm.layers.get('a', warm.fill('one'))
    const cold = layersIn(folder.path, { reuse: false })
    expect(textIn(await cold.layers.get('a', cold.fill('two')))).toBe('two')
    expect(textIn(kept)).toBe('one')
    const next = layersIn(folder.path)
    expect(textIn(await next.layers.get('a', next.fill('three')))).toBe('two')
  })

  test('a build that fails leaves nothing and is tried again', async () => {
    using folder = temporaryFolder('warm')
    const { layers, fill } = layersIn(folder.path)
    const broken = async (layer: string): Promise<Buffer> => {
      await fill('half')(layer)
      throw new Error('no network')
    }
    await expect(layers.get('a', broken)).rejects.toThrow('no network')
    expect(readdirSync(folder.path)).toEqual([])
    expect(textIn(await layers.get('a', fill('whole')))).toBe('whole')
  })

  test('what a killed process left half is never used', async () => {
    using folder = temporaryFolder('warm')
    const { layers, fill } = layersIn(folder.path)
    mkdirSync(join(folder.path, 'a.killed', 'layer'), { recursive: true })
    expect(textIn(await layers.get('a', fill('whole')))).toBe('whole')
  })

  test('the least recently used go when all take too much, but none that may be in use', async () => {
    using folder = temporaryFolder('warm')
    const { layers, fill } = layersIn(folder.path, { layerBytes: 2500 })
    await layers.get('old', fill('old', 'lasting', 1000))
    age(folder.path, 48)
    await layers.get('used', fill('used', 'lasting', 1000))
    await layers.get('new', fill('new', 'lasting', 1000))
    const keys = (): string[] => readdirSync(folder.path).map((name) => name.split('.')[0] ?? '')
    expect(keys().sort()).toEqual(['new', 'used'])
    await layers.get('newest', fill('newest', 'lasting', 1000))
    expect(keys().sort()).toEqual(['new', 'newest', 'used'])
  })

  test('one that a newer of its key has replaced goes when nobody uses it', async () => {
    using folder = temporaryFolder('warm')
    const warm = layersIn(folder.path)
    await warm.layers.get('a', warm.fill('one'))
    age(folder.path)
    const cold = layersIn(folder.path, { reuse: false })
    await cold.layers.get('a', cold.fill('two'))
    expect(readdirSync(folder.path)).toHaveLength(1)
  })
})
