import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { buildChildren, type Children } from './children.ts'
import { engines } from './engines.ts'

let children: Children
beforeAll(async () => {
  children = await buildChildren(['save-cells'])
})
afterAll(() => children?.remove())

describe.each(engines)('a process killed while it saves, $name', ({ skip, start }) => {
  if (skip) return test.skip('needs PostgreSQL', () => {})

  test('loses nothing that was acknowledged and leaves nothing half', async () => {
    const place = await start()
    try {
      const acknowledged: string[][] = []
      // Twice, so that the second kill meets a folder that was recovered already.
      for (const enough of [40, 25]) {
        const child = children.start('save-cells', [place.dataDir, place.databaseUrl ?? ''])
        for (let n = 0; n < enough; n++) acknowledged.push((await child.line())?.split(' ') ?? [])
        const ended = child.end('SIGKILL')
        for (let line = await child.line(); line !== undefined; line = await child.line()) {
          acknowledged.push(line.split(' '))
        }
        await ended
      }
      const store = await place.open()
      for (const [key = '', log = ''] of acknowledged) {
        expect(await store.cells.find(key)).toMatchObject({ key, run: { tree: log } })
        expect((await store.blobs.get(log))?.byteLength).toBeGreaterThan(10_000)
      }
      for (const log of blobNames(join(place.dataDir, 'blobs'))) {
        expect(await store.blobs.get(log)).toBeDefined()
      }
      await store.close()
      expect(acknowledged.length).toBeGreaterThanOrEqual(65)
    } finally {
      await place.stop()
    }
  })
})

function blobNames(folder: string): readonly string[] {
  const folders = readdirSync(folder).filter((name) => name !== 'drafts')
  return folders.flatMap((name) => readdirSync(join(folder, name)).map((rest) => name + rest))
}
