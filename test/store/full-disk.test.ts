import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { needs } from '../helpers/require.ts'
import { buildChildren, type Children } from './children.ts'

/**
 * Runs a script, with `arguments`, in a mount namespace of its own, in which `folder` is a file system of this size. It
 * ends with the script.
 */
function inSmallFileSystem(
  folder: string,
  size: string,
  script: string,
  ...scriptArguments: readonly string[]
): string {
  const mountAndRun = `mount -t tmpfs -o size=${size} tmpfs "$1" && cd "$1" && shift && ${script}`
  return execFileSync(
    'unshare',
    ['--mount', '--map-root-user', 'sh', '-c', mountAndRun, 'sh', folder, ...scriptArguments],
    { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] },
  )
}

function canMount(): boolean {
  const folder = mkdtempSync(join(tmpdir(), 'arena-mount-'))
  try {
    // Some kernels let a user mount and not mount again with another size.
    inSmallFileSystem(folder, '1m', 'mount -o remount,size=2m .')
    return true
  } catch {
    return false
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

describe.skipIf(needs('a file system of its own (unshare, tmpfs)', canMount()))('on a full disk', () => {
  let children: Children
  let folder: string
  beforeAll(async () => {
    children = await buildChildren(['fill-disk', 'fill-database'])
  })
  afterAll(() => children?.remove())
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'arena-full-'))
  })
  afterEach(() => rmSync(folder, { recursive: true, force: true }))

  test('a blob is refused in one line with the remedy, and those saved before are whole', () => {
    const output = inSmallFileSystem(folder, '2m', '"$@" blobs', process.execPath, children.path('fill-disk'))
    const { saved, lost, name, message } = JSON.parse(output)
    expect({ lost, name }).toEqual({ lost: 0, name: 'EnvironmentError' })
    expect(saved).toBeGreaterThan(3)
    expect(message).toMatch(/^\S+: no space left on the disk; free some space or use --data OTHER/)
  })

  test('the embedded database refuses whoever saves or waits, and has all that it acknowledged when there is space', () => {
    const output = inSmallFileSystem(
      folder,
      '60m',
      '"$@" fill data && mount -o remount,size=300m . && "$@" find data',
      process.execPath,
      children.path('fill-database'),
    )
    const [{ saved, refusals } = {}, { found } = {}] = output
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
    expect(saved.length).toBeGreaterThan(3)
    expect(refusals.length).toBeGreaterThan(0)
    for (const refusal of refusals) {
      expect(refusal).toMatch(/^EnvironmentError: \S+pglite: no space left on the disk.*; free some space/)
    }
    expect(found).toEqual(expect.arrayContaining(saved))
  })

  test('a new database is refused in one line and leaves nothing behind', () => {
    const output = inSmallFileSystem(
      folder,
      '20m',
      '"$@" fill data; ls data',
      process.execPath,
      children.path('fill-database'),
    )
    const [answer = '', ...left] = output.trim().split('\n')
    expect(JSON.parse(answer).refusal).toMatch(
      /^EnvironmentError: \S+: no space left on the disk; free some space/,
    )
    expect(left).toEqual([])
  })
})
