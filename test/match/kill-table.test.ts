import { describe, expect, it } from 'vitest'
import { createCells } from '../../src/match/cells.ts'
import type { Brought } from '../../src/match/collect-evidence.ts'
import { killTable } from '../../src/match/kill-table.ts'
import { keepMutants } from '../../src/match/mutant-pool.ts'
import { toAppliedChanges } from '../../src/schema/applied.ts'
import type { CiRun } from '../../src/schema/ci-run.ts'
import type { Mutant } from '../../src/schema/mutant.ts'
import type { AppliedChanges } from '../../src/schema/tree.ts'
import { oneLeg, testsRun } from '../helpers/worlds.ts'
import { BROKEN_RUN, fakeCellStore, fakeCi, GOLDEN, IN_PLAY, TASK } from './fakes.ts'

const changed = (text: string): AppliedChanges =>
  toAppliedChanges([
    { change: 'write', path: 'a.py', mode: '100644', contentBase64: Buffer.from(text).toString('base64') },
  ])
const mutantOf = (text: string): Mutant => {
  const changes = changed(text)
  return {
    id: changes.digest,
    operator: 'off-by-one',
    path: 'a.py' as Mutant['path'],
    line: 1,
    before: '1',
    after: '2',
    changes,
  }
}
const UPSTREAM = changed('upstream')
const TASK_WITH_GOLDEN = {
  prepared: { ...TASK, golden: GOLDEN, upstreamTests: UPSTREAM },
  oracleCases: [{ file: 'tests/u.py', case: 'test_u' }],
}
const GOLDEN_RUN = oneLeg({ a: 'passed', b: 'passed', c: 'failed' })

const cellsOf = (ci: Parameters<typeof fakeCi>[0]) =>
  createCells({ ci: fakeCi(ci), store: fakeCellStore(), now: () => 0, onEvent: () => {} })

describe('the pool', () => {
  const [own, upstream, equivalent, unbuilt] = ['own', 'upstream', 'equivalent', 'unbuilt'].map(mutantOf) as [
    Mutant,
    Mutant,
    Mutant,
    Mutant,
  ]
  const runs = new Map<string, CiRun>([
    [own.id, oneLeg({ a: 'passed', b: 'failed', c: 'failed' })],
    [unbuilt.id, oneLeg({ a: 'absent', b: 'absent' })],
  ])
  const upstreamOn = (changes: AppliedChanges | null) =>
    testsRun({ test: { 'tests/u.py test_u': changes?.digest === upstream.id ? 'failed' : 'passed' } })
  const request = (candidates: readonly Mutant[], most = 10) => ({
    task: TASK_WITH_GOLDEN,
    golden: GOLDEN_RUN,
    upstream: upstreamOn(GOLDEN),
    candidates,
    most,
    width: 2,
    cells: cellsOf({
      runWorkflow: async ({ changes }) => runs.get(changes?.digest ?? '') ?? GOLDEN_RUN,
      runTests: async ({ changes }) => upstreamOn(changes),
    }),
  })

  it('keeps what builds and what the own or the upstream tests can tell', async () => {
    const pool = await keepMutants(request([equivalent, own, unbuilt, upstream]))
    expect(pool.kept).toEqual([own, upstream])
    expect(pool.dropped).toEqual([
      { mutant: equivalent, why: 'no-test-tells' },
      { mutant: unbuilt, why: 'does-not-build' },
    ])
  })
  it('tries no more than it needs', async () => {
    const pool = await keepMutants(request([own, unbuilt, upstream, equivalent], 1))
    expect(pool.kept).toEqual([own])
    expect(pool.dropped).toEqual([])
  })
  it('says nothing of a mutant on a machine that broke', async () => {
    const cells = cellsOf({ runWorkflow: async () => BROKEN_RUN })
    const pool = await keepMutants({ ...request([own]), cells })
    expect(pool).toMatchObject({ kept: [], dropped: [{ why: 'infrastructure' }] })
  })
})

describe('the kill table', () => {
  const mutants = ['first', 'second'].map(mutantOf)
  const setOf = (name: string, cases: readonly string[]): { name: string; brought: Brought } => ({
    name,
    brought: {
      outcome: {
        kind: 'applied',
        given: '',
        applied: '',
        changes: changed(name),
        cases: cases.map((one) => ({ file: 'tests/t.py', case: one })),
        overCap: [],
        notes: [],
      },
    },
  })
  /** `sharp` tells everything, `narrow` only the first mutant, `blind` fails on golden too. */
  const passes = (name: string, changes: AppliedChanges | null): boolean => {
    if (name === 'blind' || changes === null || changes.digest === TASK.commentedBase.digest) return false
    if (changes.digest === GOLDEN.digest) return true
    return name === 'narrow' && changes.digest === mutants[1]?.id
  }
  const ci: Parameters<typeof fakeCi>[0] = {
    runTests: async ({ changes, cases }) =>
      testsRun({
        test: Object.fromEntries(
          cases.map((one) => [`${one.file} ${one.case}`, passes(one.case, changes) ? 'passed' : 'failed']),
        ),
      }),
  }
  const golden: Brought = {
    outcome: { kind: 'applied', given: '', applied: '', changes: GOLDEN, cases: [], overCap: [], notes: [] },
  }
  const table = (sets: readonly { name: string; brought: Brought }[], killed = mutants) =>
    killTable({
      task: { ...IN_PLAY, prepared: { ...TASK, golden: GOLDEN } },
      golden,
      mutants: killed,
      testSets: sets,
      cells: cellsOf(ci),
      mutantCells: cellsOf(ci),
      width: 2,
    })

  it('counts a mutant as killed when an admitted test does not pass on it', async () => {
    const rows = await table([setOf('a', ['sharp']), setOf('b', ['narrow']), setOf('c', ['narrow', 'blind'])])
    expect(rows.map(({ tests, killed, share }) => [tests, killed.length, share])).toEqual([
      ['a', 2, 1],
      ['b', 1, 0.5],
      // A test that is not admitted kills nothing, though it fails on every mutant.
      ['c', 1, 0.5],
    ])
    expect(rows[1]?.killed).toEqual([mutants[0]?.id])
  })
  it('has a row for tests that brought nothing, and no share without mutants', async () => {
    const forfeited: Brought = {
      outcome: { kind: 'forfeit', reason: 'does-not-apply', detail: '', given: '', notes: [] },
    }
    const rows = await table([{ name: 'none', brought: forfeited }, setOf('blind', ['blind'])])
    expect(rows).toMatchObject([
      { forfeit: 'does-not-apply', killed: [], share: 0 },
      { forfeit: 'not-admitted', killed: [], share: 0 },
    ])
    expect(await table([setOf('a', ['sharp'])], [])).toMatchObject([{ forfeit: null, share: null }])
  })
})
