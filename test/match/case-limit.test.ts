import { expect, test } from 'vitest'
import { createCells } from '../../src/match/cells.ts'
import { collectEvidence } from '../../src/match/collect-evidence.ts'
import { competitor, fakeCellStore, fakeCi, GOLDEN, generation, PATCH, sharp, TASK } from './fakes.ts'

/** What the run on the patch may take at least, when golden's slowest case took so long. */
async function limitAfter(goldenMs: number): Promise<number | undefined> {
  let limit: number | undefined
  const ci = fakeCi({
    runTests: async ({ changes, leastCaseMs }) => {
      if (changes?.digest === PATCH.digest) limit = leastCaseMs
      const run = sharp(changes)
      if (changes?.digest !== GOLDEN.digest) return run
      const slow = run.legs.map((leg) => ({
        ...leg,
        files: leg.files.map((file) => ({
          ...file,
          cases: file.cases.map((result) => ({ ...result, durationMs: goldenMs })),
        })),
      }))
      return { ...run, legs: slow }
    },
  })
  await collectEvidence({
    task: TASK,
    protocol: 'blind',
    patch: generation('patch', competitor('a')),
    tests: generation('tests', competitor('b')),
    oracleCases: [],
    cells: createCells({ ci, store: fakeCellStore(), now: () => 0, onEvent: () => undefined }),
    attempt: 0,
  })
  return limit
}

test('a candidate may take three times golden’s slowest run', async () => {
  expect(await limitAfter(45_000)).toBe(180_000)
})

test('a fast test has the limit that every case has, so that its noise changes no key', async () => {
  expect(await limitAfter(300)).toBeUndefined()
  expect(await limitAfter(19_000)).toBeUndefined()
})
