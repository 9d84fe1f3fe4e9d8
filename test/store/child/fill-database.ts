import { randomBytes } from 'node:crypto'
import { digestOf } from '../../../src/schema/canonical.ts'
import { openStore } from '../../../src/store/open-store.ts'
import type { Store } from '../../../src/store/store.ts'

const [task = '', dataDir = ''] = process.argv.slice(2)
const now = (): Date => new Date('2030-01-02T03:04:05.678Z')
const keyOf = (n: number) => digestOf(`cell ${n}`)

/** A cell of 600,000 characters that do not compress well. */
function save(store: Store, n: number): Promise<boolean> {
  const key = keyOf(n)
  const legs = [
    {
      leg: 'test',
      job: randomBytes(300_000).toString('hex'),
      matrix: {},
      status: 'success' as const,
      reason: null,
      steps: [],
      testStep: null,
      processes: [],
      armed: null,
      limits: [],
      infra: null,
      durationMs: 0,
      cpuMs: null,
      peakMemoryMiB: null,
    },
  ]
  const run = { kind: 'workflow' as const, tree: key, legs }
  const createdAt = now().toISOString()
  return store.cells.put({ key, label: 'large', task: key, environment: key, run, durationMs: 0, createdAt })
}

const say = (value: unknown): boolean => process.stdout.write(`${JSON.stringify(value)}\n`)
const toldBy = (error: unknown): string =>
  error instanceof Error ? `${error.name}: ${error.message}` : 'none'

/** Saves until the disk is full. */
async function fill(store: Store): Promise<unknown> {
  const saved: number[] = []
  let refusals: string[] = []
  for (let n = 0; refusals.length === 0 && n < 300; n += 3) {
    // Several at once: those that wait for their turn when the engine ends must be told too.
    const answers = await Promise.allSettled([n, n + 1, n + 2].map((each) => save(store, each)))
    saved.push(...answers.flatMap((answer, index) => (answer.status === 'fulfilled' ? [n + index] : [])))
    refusals = answers.flatMap((answer) => (answer.status === 'rejected' ? [toldBy(answer.reason)] : []))
  }
  return { saved, refusals }
}

async function find(store: Store): Promise<unknown> {
  const numbers = Array.from({ length: 300 }, (_, n) => n)
  const cells = await store.cells.findMany(numbers.map(keyOf))
  return { found: numbers.filter((n) => cells.has(keyOf(n))) }
}

try {
  const store = await openStore({ dataDir, now })
  say(await (task === 'fill' ? fill(store) : find(store)))
  await store.close()
} catch (error) {
  say({ refusal: toldBy(error) })
}
