import { mkdtempSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { EnvironmentError, InputError } from '../../src/errors.ts'
import { digestOf } from '../../src/schema/canonical.ts'
import { openBlobs } from '../../src/store/blobs.ts'
import { NOW } from './engines.ts'

const now = (): Date => NOW
const hello = Buffer.from('hello')
const name = digestOf('hello')

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'arena-blobs-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

describe('blobs', () => {
  test('are files named by their SHA-256, saved once however often they are put', async () => {
    const blobs = await openBlobs(folder, now)
    const names = await Promise.all(Array.from({ length: 20 }, () => blobs.put(hello)))
    expect(new Set(names)).toEqual(new Set([name]))
    expect(readFileSync(join(folder, name.slice(0, 2), name.slice(2)))).toEqual(hello)
    expect(readdirSync(join(folder, 'drafts'))).toEqual([])
    expect(await blobs.get(digestOf('absent'))).toBeUndefined()
  })

  test('that the disk spoilt are told as broken, and are whole again after the next put', async () => {
    const blobs = await openBlobs(folder, now)
    await blobs.put(hello)
    writeFileSync(join(folder, name.slice(0, 2), name.slice(2)), 'hexxo')
    const failure = await blobs.get(name).catch((error: unknown) => error)
    expect(failure).toBeInstanceOf(EnvironmentError)
    expect(String(failure)).toContain(join(folder, name.slice(0, 2), name.slice(2)))
    await blobs.put(hello)
    expect(await blobs.get(name)).toEqual(hello)
  })

  test('above the size allowed are refused, both ways', async () => {
    const blobs = await openBlobs(folder, now)
    await expect(blobs.put(hello, 4)).rejects.toThrow(InputError)
    expect(await blobs.get(name)).toBeUndefined()
    await blobs.put(hello, 5)
    await expect(blobs.get(name, 4)).rejects.toThrow(/5 bytes are more than the 4 allowed/)
    expect(await blobs.get(name, 5)).toEqual(hello)
  })

  test('that killed processes left half written are removed, those of living ones are not', async () => {
    await openBlobs(folder, now)
    for (const draft of ['old', 'new']) writeFileSync(join(folder, 'drafts', draft), 'half')
    const twoDaysAgo = new Date(NOW.getTime() - 2 * 24 * 3600 * 1000)
    utimesSync(join(folder, 'drafts', 'old'), twoDaysAgo, twoDaysAgo)
    utimesSync(join(folder, 'drafts', 'new'), NOW, NOW)
    await openBlobs(folder, now)
    expect(readdirSync(join(folder, 'drafts'))).toEqual(['new'])
  })

  test('in a folder that cannot be made name the place and the remedy', async () => {
    writeFileSync(join(folder, 'file'), '')
    await expect(openBlobs(join(folder, 'file'), now)).rejects.toThrow(/file.*--data OTHER/)
  })
})
