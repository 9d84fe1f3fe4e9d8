import { digestOf } from '../../../src/schema/canonical.ts'
import { openStore } from '../../../src/store/open-store.ts'

const [dataDir = '', databaseUrl = ''] = process.argv.slice(2)
const store = await openStore({
  dataDir,
  ...(databaseUrl && { databaseUrl }),
  now: () => new Date('2030-01-02T03:04:05.678Z'),
  owner: 'the child',
})

/** Saves without end, and prints what was acknowledged: the parent ends it. */
for (let n = 0; ; n++) {
  const log = await store.blobs.put(Buffer.from(`log ${n}\n`.repeat(2000)))
  const key = digestOf(`cell ${n}`)
  const run = { kind: 'workflow' as const, tree: log, legs: [] }
  const createdAt = '2030-01-02T03:04:05.678Z'
  await store.cells.put({
    key,
    label: `cell ${n}`,
    task: key,
    environment: key,
    run,
    durationMs: n,
    createdAt,
  })
  process.stdout.write(`${key} ${log}\n`)
}
