import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { EnvironmentError } from '../../src/errors.ts'
import { lockFolder } from '../../src/store/folder-lock.ts'
import { openStore } from '../../src/store/open-store.ts'
import { buildChildren, type Child, type Children } from './children.ts'
import { NOW } from './engines.ts'

const now = (): Date => NOW

describe('one process at a time uses a data folder', () => {
  let children: Children
  let folder: string
  beforeAll(async () => {
    children = await buildChildren(['hold-lock'])
  })
  afterAll(() => children?.remove())
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'arena-lock-'))
  })
  afterEach(() => rmSync(folder, { recursive: true, force: true }))

  const hold = (name: string): Child => children.start('hold-lock', [folder, name])

  test('a second one is told the folder, the other process and the remedy, in one line', async () => {
    const child = hold('arena serve')
    expect(await child.line()).toBe('held')
    const refusal = await openStore({ dataDir: folder, now }).catch((error: unknown) => error)
    expect(refusal).toBeInstanceOf(EnvironmentError)
    expect(String(refusal)).toContain(
      `${folder}: in use by process ${child.pid} (arena serve, since 2030-01-02T03:04:05.678Z)`,
    )
    expect(String(refusal)).toMatch(/--data OTHER.*DATABASE_URL/)
    expect(String(refusal)).not.toContain('\n')
    expect(readdirSync(folder)).toEqual(['lock'])
    await child.end()
    expect(readdirSync(folder)).toEqual([])
  })

  test('the same process is refused too', async () => {
    const lock = await lockFolder(folder, 'arena', now)
    await expect(lockFolder(folder, 'arena', now)).rejects.toThrow(`in use by process ${process.pid}`)
    await lock.release()
    await (await lockFolder(folder, 'arena', now)).release()
  })

  test('the lock of a killed process is taken over', async () => {
    const child = hold('arena')
    expect(await child.line()).toBe('held')
    await child.end('SIGKILL')
    expect(readdirSync(folder)).toEqual(['lock'])
    const lock = await lockFolder(folder, 'arena', now)
    expect(readFileSync(join(folder, 'lock'), 'utf8')).toContain(`"pid":${process.pid}`)
    await lock.release()
    expect(readdirSync(folder)).toEqual([])
  })

  test('a process id that was given out again is another process', async () => {
    const lock = await lockFolder(folder, 'arena', now)
    const text = readFileSync(join(folder, 'lock'), 'utf8')
    await lock.release()
    writeFileSync(join(folder, 'lock'), text.replace(/"startTime":"\d+"/, '"startTime":"1"'))
    await (await lockFolder(folder, 'arena', now)).release()
  })

  test('a process in another container counts as alive, and the message says what to do if it is not', async () => {
    const lock = await lockFolder(folder, 'arena', now)
    const text = readFileSync(join(folder, 'lock'), 'utf8')
    await lock.release()
    const elsewhere = text.replace(/pid:\[\d+\]/, 'pid:[1]').replace(/"pid":\d+/, '"pid":1')
    writeFileSync(join(folder, 'lock'), elsewhere)
    await expect(lockFolder(folder, 'arena', now)).rejects.toThrow(/another container: remove .*lock/)
    expect(readFileSync(join(folder, 'lock'), 'utf8')).toBe(elsewhere)
  })

  test("a file that is not the arena's lock is left alone", async () => {
    writeFileSync(join(folder, 'lock'), 'mine')
    await expect(lockFolder(folder, 'arena', now)).rejects.toThrow(/not a lock file/)
    expect(readFileSync(join(folder, 'lock'), 'utf8')).toBe('mine')
  })

  test('of several that find the lock of a killed process, exactly one takes it over', async () => {
    for (let turn = 0; turn < 3; turn++) {
      const killed = hold('killed')
      await killed.line()
      await killed.end('SIGKILL')
      const rivals = ['a', 'b', 'c', 'd'].map(hold)
      const answers = await Promise.all(rivals.map((rival) => rival.line()))
      expect(answers.filter((answer) => answer === 'held')).toHaveLength(1)
      expect(answers.filter((answer) => answer?.startsWith('refused: '))).toHaveLength(3)
      await Promise.all(rivals.map((rival) => rival.end()))
      expect(readdirSync(folder)).toEqual([])
    }
  })
})
