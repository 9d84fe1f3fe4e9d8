import { createCellGate } from '../ci/cell-gate.ts'
import { type Blamed, runWithBlame } from '../ci/infra-fault.ts'
import type { Ci } from '../ci/port.ts'
import { digestOfValue } from '../schema/canonical.ts'
import type { CellRun, CiRun, TestsRun } from '../schema/ci-run.ts'
import type { OnEvent } from '../schema/event.ts'
import type { Digest } from '../schema/ids.ts'
import type { PreparedTask } from '../schema/prepared.ts'
import type { AppliedChanges } from '../schema/tree.ts'
import { singleFlight } from './limit.ts'

export interface StoredCell {
  readonly key: Digest
  readonly label: string
  readonly task: string
  readonly environment: string
  readonly run: CellRun
  readonly durationMs: number
  readonly createdAt: string
}

/** What cells need from the store. */
export interface CellStore {
  find(key: string): Promise<{ readonly run: CellRun } | undefined>
  put(cell: StoredCell): Promise<unknown>
}

export interface Cell<R> {
  readonly key: Digest
  readonly run: R
}

export interface WorkflowCellRequest {
  readonly task: PreparedTask
  readonly label: string
  readonly changes: AppliedChanges | null
  readonly legs: 'all' | 'lint' | 'plain'
  /** 0, 1, 2 …: the same tree again in fresh sandboxes. */
  readonly repeat: number
  /** The next try after a void: cells that infrastructure broke are run again. */
  readonly attempt: number
}

export interface TestsCellRequest extends Omit<WorkflowCellRequest, 'legs'> {
  readonly tests: AppliedChanges
  readonly cases: readonly { readonly file: string; readonly case: string }[]
  /** See RunTestsRequest. Part of the cell's key. */
  readonly leastCaseMs?: number | undefined
}

/**
 * Cells by what their result depends on: task, tree bytes, tests, environment, repeat. Not the judge's version: another
 * judge reads the same cells. A cell is run once, however many rounds ask for it at the same time, and then found.
 */
export interface Cells {
  workflow(request: WorkflowCellRequest): Promise<Cell<CiRun>>
  tests(request: TestsCellRequest): Promise<Cell<TestsRun>>
  /** Cells found in the store, and cells that had to be run. Each key counts once. */
  counts(): { readonly hit: number; readonly miss: number }
}

export interface CellPorts {
  readonly ci: Ci
  readonly store: CellStore
  /** Milliseconds since 1970. */
  readonly now: () => number
  readonly onEvent: OnEvent
  /** Ends what runs: such a cell throws the signal's reason, and nothing of it is blamed or kept. */
  readonly signal?: AbortSignal | undefined
}

const isInfra = (run: CellRun): boolean => run.legs.some((leg) => leg.infra !== null)

/** In a word what came out, for progress lines. */
function outcomeOf(run: CellRun): string {
  if (isInfra(run)) return 'infrastructure'
  if (run.kind === 'workflow')
    return run.legs.every((leg) => leg.status === 'success') ? 'success' : 'failure'
  const cases = run.legs.flatMap((leg) => leg.files.flatMap((file) => file.cases))
  return `${cases.filter((result) => result.outcome === 'passed').length}/${cases.length} passed`
}

function outcomeOfBlame(blamed: Blamed<CellRun>): string {
  if (blamed.kind === 'cell') return 'its control was clean: not passed'
  return blamed.attempts.at(-1)?.control === 'broken'
    ? 'so did its control'
    : "nobody's bytes but the task's own are in it: infrastructure"
}

export function createCells(ports: CellPorts): Cells {
  const { ci, store, now, onEvent, signal } = ports
  const ending = signal ? { signal } : {}
  const flights = singleFlight<Cell<CellRun>>()
  const gate = createCellGate()
  let hit = 0
  let miss = 0

  /** What a stopped run gives is nobody's result. */
  const unlessStopped = async (run: () => Promise<CellRun>): Promise<CellRun> => {
    signal?.throwIfAborted()
    const made = await run()
    signal?.throwIfAborted()
    return made
  }

  const obtain = (
    task: PreparedTask,
    label: string,
    identity: Readonly<Record<string, unknown>>,
    attempt: number,
    hasCandidate: boolean,
    run: () => Promise<CellRun>,
  ): Promise<Cell<CellRun>> => {
    const key = digestOfValue({ ...identity, task: task.loaded.digest, environment: ci.environmentDigest })
    return flights(`${key}:${attempt}`, async () => {
      signal?.throwIfAborted()
      const taskId = task.loaded.task.id
      const known = await store.find(key)
      if (known) {
        hit++
        onEvent({
          kind: 'cell-finished',
          task: taskId,
          cell: label,
          cached: true,
          durationMs: 0,
          outcome: outcomeOf(known.run),
        })
        return { key, run: known.run }
      }
      miss++
      onEvent({ kind: 'cell-started', task: taskId, cell: label })
      const startedAt = now()
      const blamed = await runWithBlame({
        run: () => unlessStopped(run),
        control: () =>
          unlessStopped(() => ci.runWorkflow({ task, changes: task.golden, legs: 'all', ...ending })),
        gate,
        hasCandidate,
      })
      const made = blamed.run
      if (blamed.kind !== 'good')
        onEvent({
          kind: 'warning',
          message: `${taskId}, ${label}: broke ${blamed.attempts.length} times (${blamed.evidence.at(-1)?.message ?? ''}); ${outcomeOfBlame(blamed)}`,
        })
      const durationMs = now() - startedAt
      // A run that infrastructure broke is kept to be shown, under a key of its own: the next asking runs the cell again.
      const keptAs = isInfra(made) ? digestOfValue({ brokenRunOf: key, startedAt, attempt }) : key
      await store.put({
        key: keptAs,
        label,
        task: task.loaded.digest,
        environment: ci.environmentDigest,
        run: made,
        durationMs,
        createdAt: new Date(startedAt).toISOString(),
      })
      onEvent({
        kind: 'cell-finished',
        task: taskId,
        cell: label,
        cached: false,
        durationMs,
        outcome: outcomeOf(made),
      })
      return { key: keptAs, run: made }
    })
  }

  const treeOf = (changes: AppliedChanges | null): string | null =>
    changes === null || changes.changes.length === 0 ? null : changes.digest

  return {
    async workflow({ task, label, changes, legs, repeat, attempt }) {
      const identity = { kind: 'workflow', tree: treeOf(changes), legs, repeat }
      // Base, and golden itself: the same tree also when a control or a competitor brings it.
      const hasCandidate = treeOf(changes) !== null && treeOf(changes) !== treeOf(task.golden)
      const cell = await obtain(task, label, identity, attempt, hasCandidate, () =>
        ci.runWorkflow({ task, changes, legs, ...ending }),
      )
      if (cell.run.kind !== 'workflow') throw new Error(`cell ${cell.key} is not a workflow run`)
      return { key: cell.key, run: cell.run }
    },
    async tests({ task, label, changes, tests, cases, repeat, attempt, leastCaseMs }) {
      const identity = {
        kind: 'tests',
        tree: treeOf(changes),
        tests: tests.digest,
        cases,
        repeat,
        leastCaseMs,
      }
      const cell = await obtain(task, label, identity, attempt, true, () =>
        ci.runTests({ task, changes, tests, cases, ...(leastCaseMs ? { leastCaseMs } : {}), ...ending }),
      )
      if (cell.run.kind !== 'tests') throw new Error(`cell ${cell.key} is not a tests run`)
      return { key: cell.key, run: cell.run }
    },
    counts: () => ({ hit, miss }),
  }
}
