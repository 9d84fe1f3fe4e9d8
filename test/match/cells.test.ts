import { describe, expect, test } from 'vitest'
import type { Ci } from '../../src/ci/port.ts'
import { createCells } from '../../src/match/cells.ts'
import { BROKEN_RUN, CASES, fakeCellStore, fakeCi, GOLDEN, GOOD_RUN, PATCH, TASK, TESTS } from './fakes.ts'

const cellsOn = (ci: Ci, signal?: AbortSignal) => {
  const store = fakeCellStore()
  const warnings: string[] = []
  const cells = createCells({
    ci,
    store,
    now: () => 0,
    onEvent: (event) => void (event.kind === 'warning' && warnings.push(event.message)),
    signal,
  })
  return { cells, store, warnings }
}

const at = { task: TASK, legs: 'all', repeat: 0, attempt: 0 } as const

/** Cells break three times, and the control beside each is clean. */
const breaksBesideCleanControls = () => {
  let calls = 0
  return fakeCi({
    runWorkflow: async () => {
      calls += 1
      return calls % 2 === 1 && calls < 6 ? BROKEN_RUN : GOOD_RUN
    },
  })
}

describe('a cell that breaks beside clean controls', () => {
  test.each([
    ['base', null],
    ['golden', GOLDEN],
  ])('%s holds nobody’s bytes: infrastructure, and the next asking runs it again', async (label, changes) => {
    const { cells, store, warnings } = cellsOn(breaksBesideCleanControls())
    const broken = await cells.workflow({ ...at, label, changes })
    expect(broken.run.legs[0]).toMatchObject({ status: 'infra_error', infra: { source: 'sandbox' } })
    expect(warnings.join()).not.toContain('not passed')
    const again = await cells.workflow({ ...at, label, changes, attempt: 1 })
    expect(again.run.legs[0]?.status).toBe('success')
    expect(again.key).not.toBe(broken.key)
    expect(store.kept.get(again.key)?.run).toEqual(GOOD_RUN)
  })

  test('a patch is to blame itself', async () => {
    const { cells, store } = cellsOn(breaksBesideCleanControls())
    const made = await cells.workflow({ ...at, label: 'patch', changes: PATCH })
    expect(made.run.legs[0]).toMatchObject({ status: 'failure', infra: null })
    expect(store.kept.has(made.key)).toBe(true)
  })
})

describe('a cell that is stopped', () => {
  test('is neither blamed nor kept, though its run came back broken', async () => {
    const stop = new AbortController()
    let runs = 0
    const ci = fakeCi({
      runWorkflow: async ({ signal }) => {
        expect(signal).toBe(stop.signal)
        runs += 1
        stop.abort()
        return BROKEN_RUN
      },
    })
    const { cells, store } = cellsOn(ci, stop.signal)
    await expect(cells.workflow({ ...at, label: 'patch', changes: PATCH })).rejects.toMatchObject({
      name: 'AbortError',
    })
    expect(runs).toBe(1)
    expect(store.kept.size).toBe(0)
  })

  test('runs of tests get the signal too', async () => {
    const stop = new AbortController()
    const ci = fakeCi({
      runTests: ({ signal }) =>
        new Promise((_, reject) => signal?.addEventListener('abort', () => reject(signal.reason))),
    })
    const { cells, store } = cellsOn(ci, stop.signal)
    const running = cells.tests({ ...at, label: 'tests on base', changes: null, tests: TESTS, cases: CASES })
    setImmediate(() => stop.abort())
    await expect(running).rejects.toMatchObject({ name: 'AbortError' })
    expect(store.kept.size).toBe(0)
  })
})
