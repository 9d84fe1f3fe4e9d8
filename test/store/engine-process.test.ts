import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { digestOf } from '../../src/schema/canonical.ts'
import { openStore } from '../../src/store/open-store.ts'
import type { Store } from '../../src/store/store.ts'
import { buildChildren } from './children.ts'
import { NOW } from './engines.ts'

let dataDir: string
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'arena-engine-'))
})
afterEach(() => rmSync(dataDir, { recursive: true, force: true }))

const record = (): string => join(dataDir, 'pglite.process')
const enginePid = (): number => JSON.parse(readFileSync(record(), 'utf8')).pid
const open = (): Promise<Store> => openStore({ dataDir, now: () => NOW })

const isAlive = (pid: number): boolean => {
  // A process that has ended and that nobody has waited for still has a folder here.
  const stat = existsSync(`/proc/${pid}/stat`) ? readFileSync(`/proc/${pid}/stat`, 'utf8') : ''
  return stat !== '' && stat.slice(stat.lastIndexOf(')')).split(' ')[1] !== 'Z'
}

test('the embedded database runs in a process of its own, which ends with the store and leaves no record', async () => {
  const store = await open()
  const pid = enginePid()
  expect({ pid: pid !== process.pid, alive: isAlive(pid) }).toEqual({ pid: true, alive: true })
  await store.close()
  expect({ alive: isAlive(pid), record: existsSync(record()) }).toEqual({ alive: false, record: false })
})

test('when that process is killed, whoever waits or asks is told in one line, and the next start has what was saved', async () => {
  const store = await open()
  await store.blobs.put(Buffer.from('kept'))
  const cell = {
    key: digestOf('cell'),
    label: 'cell',
    task: digestOf('task'),
    environment: digestOf('environment'),
    run: { kind: 'workflow' as const, tree: digestOf('tree'), legs: [] },
    durationMs: 1,
    createdAt: NOW.toISOString(),
  }
  await store.cells.put(cell)
  process.kill(enginePid(), 'SIGSTOP')
  const waiting = store.cells.find(cell.key)
  process.kill(enginePid(), 'SIGKILL')
  const words =
    /pglite: the database's process has ended \(SIGKILL\); start again; what was saved before is kept/
  await expect(waiting).rejects.toThrow(words)
  await expect(store.cells.find(cell.key)).rejects.toThrow(words)
  await store.close()
  const again = await open()
  expect(await again.cells.find(cell.key)).toMatchObject({ key: cell.key })
  await again.close()
})

test('the engine of a killed arena is ended before its folder is opened again', async () => {
  const children = await buildChildren(['save-cells'])
  try {
    const arena = children.start('save-cells', [dataDir])
    await arena.line()
    const engine = enginePid()
    // It cannot see that the arena has gone.
    process.kill(engine, 'SIGSTOP')
    await arena.end('SIGKILL')
    expect(isAlive(engine)).toBe(true)
    const store = await open()
    expect({ alive: isAlive(engine), other: enginePid() !== engine }).toEqual({ alive: false, other: true })
    await store.close()
  } finally {
    children.remove()
  }
})

test('half a record, of a process that was killed while it wrote it, stops nobody', async () => {
  writeFileSync(record(), '{"pid": 1')
  const store = await open()
  await store.close()
  expect(existsSync(record())).toBe(false)
})
