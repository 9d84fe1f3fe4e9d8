import type { TestsRun } from '../schema/ci-run.ts'
import type { Mutant } from '../schema/mutant.ts'
import type { TestKey } from '../schema/verdict.ts'
import { decideVerdict } from '../verdict/decide.ts'
import { outcomesOf, passedIn } from '../verdict/run-view.ts'
import type { Cells } from './cells.ts'
import { type Brought, collectEvidence, leastCaseMsAfter } from './collect-evidence.ts'
import { mapLimited } from './limit.ts'
import type { TaskInPlay } from './round.ts'

/** A reviewer's test set, applied. */
export interface TestSet {
  readonly name: string
  readonly brought: Brought
}

export interface KillRow {
  readonly tests: string
  /** Why it brought nothing that could be run; null when it did. */
  readonly forfeit: string | null
  readonly admitted: readonly TestKey[]
  /** Ids of the mutants on which one of its admitted tests does not pass. */
  readonly killed: readonly string[]
  /** Ids of those that a broken machine left open; they count for nothing. */
  readonly unknown: readonly string[]
  /** Of the mutants that are known; null where none is. */
  readonly share: number | null
}

export interface KillTableRequest {
  readonly task: TaskInPlay
  /** The control that submits the golden patch. */
  readonly golden: Brought
  readonly mutants: readonly Mutant[]
  readonly testSets: readonly TestSet[]
  /** Cells as a season has them: admission is found where it was run. */
  readonly cells: Cells
  /** Cells of mutants, which have limits of their own. */
  readonly mutantCells: Cells
  readonly width: number
}

/** The tests of a set that a round would admit, and what golden gives. */
async function admit(
  request: KillTableRequest,
  set: TestSet,
): Promise<{ admitted: readonly TestKey[]; golden: TestsRun | undefined }> {
  const { evidence } = await collectEvidence({
    task: request.task.prepared,
    protocol: 'blind',
    patch: request.golden,
    tests: set.brought,
    oracleCases: request.task.oracleCases,
    cells: request.cells,
    attempt: 0,
  })
  return { admitted: decideVerdict(evidence).admitted, golden: evidence.tests?.golden[0] }
}

async function rowOf(request: KillTableRequest, set: TestSet): Promise<KillRow> {
  const { outcome } = set.brought
  const row = { tests: set.name, admitted: [], killed: [], unknown: [] }
  const share = (killed: number, unknown: number): number | null =>
    request.mutants.length === unknown ? null : killed / (request.mutants.length - unknown)
  if (outcome.kind === 'forfeit') return { ...row, forfeit: outcome.reason, share: share(0, 0) }
  const { admitted, golden } = await admit(request, set)
  if (admitted.length === 0) return { ...row, forfeit: 'not-admitted', share: share(0, 0) }
  const isAdmitted = (one: { readonly file: string; readonly case: string }): boolean =>
    admitted.some((key) => key.file === one.file && key.case === one.case)
  const answers = await mapLimited(request.mutants, request.width, async (mutant) => {
    const { run } = await request.mutantCells.tests({
      task: request.task.prepared,
      label: `${set.name} on mutant`,
      changes: mutant.changes,
      tests: outcome.changes,
      cases: outcome.cases.filter(isAdmitted),
      repeat: 0,
      attempt: 0,
      leastCaseMs: golden && leastCaseMsAfter(golden),
    })
    return admitted.map((key) => passedIn(outcomesOf(run, key)))
  })
  const idsOf = (isSo: (answer: (typeof answers)[number]) => boolean): string[] =>
    request.mutants.filter((_, index) => isSo(answers[index] ?? [])).map(({ id }) => id)
  const killed = idsOf((answer) => answer.includes('no'))
  const unknown = idsOf((answer) => !answer.includes('no') && answer.includes('unknown'))
  return { ...row, forfeit: null, admitted, killed, unknown, share: share(killed.length, unknown.length) }
}

/** Which test set kills which mutant: only admitted tests count, as in a round. */
export const killTable = (request: KillTableRequest): Promise<readonly KillRow[]> =>
  mapLimited(request.testSets, request.width, (set) => rowOf(request, set))
