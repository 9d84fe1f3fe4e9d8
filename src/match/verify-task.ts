import { settleAll } from '../ci/settle-all.ts'
import type { AppliedChanges } from '../schema/tree.ts'
import type { Verification } from '../schema/verification.ts'
import { type VerificationRuns, verifyTask } from '../verdict/verify-task.ts'
import type { Cells } from './cells.ts'
import type { TaskInPlay } from './round.ts'
import { withFiles } from './with-files.ts'

export interface VerifyPorts {
  /**
   * Cells of one executor for each repetition: what one keeps between its runs the next does not have, and the last starts
   * cold. Three or more.
   */
  readonly cells: readonly Cells[]
}

/**
 * Runs base and golden of a task as often as there are executors, with and without the upstream tests, and judges them. Runs
 * are cells: those of an earlier, killed verification are found. Throws when the task has no golden patch.
 */
export async function verifyTaskByCi(
  { prepared, oracleCases }: TaskInPlay,
  ports: VerifyPorts,
): Promise<Verification> {
  const { golden, upstreamTests } = prepared
  if (golden === null || upstreamTests === null)
    throw new Error(`${prepared.loaded.task.id} has no golden patch or no test patch`)
  const [first] = ports.cells
  if (!first) throw new Error('a verification needs an executor')
  const task = prepared
  const request = (label: string, changes: AppliedChanges | null, repeat: number) => ({
    ...{ task, label: repeat === 0 ? label : `${label}, run ${repeat + 1}`, changes, repeat, attempt: 0 },
  })
  const workflows = (label: string, changes: AppliedChanges | null, legs: 'all' | 'plain') =>
    inTurn(ports.cells, async (cells, repeat) => {
      const cell = await cells.workflow({ ...request(label, changes, repeat), legs })
      return cell.run
    })
  const tests = async (label: string, changes: AppliedChanges | null, repeat = 0) => {
    const cells = ports.cells[repeat] ?? first
    const files = { tests: upstreamTests, cases: oracleCases }
    return (await cells.tests({ ...request(label, changes, repeat), ...files })).run
  }
  // Where no leg can run, one look is enough.
  const look = await first.workflow({ ...request('golden', golden, 0), legs: 'all' })
  if (look.run.legs.every(({ status }) => status === 'unsupported' || status === 'skipped'))
    return verifyTask({ ...NOTHING, golden: [look.run] })
  const [base, goldenRuns] = await settleAll([
    workflows('base', null, 'all'),
    workflows('golden', golden, 'all'),
  ])
  const [baseWithTests, goldenWithTests] = await settleAll([
    workflows('base with upstream tests', withFiles(null, upstreamTests), 'plain'),
    workflows('golden with upstream tests', withFiles(golden, upstreamTests), 'plain'),
  ])
  const [onBase, onCommentedBase, onGolden, onGoldenAgain, onCommentedGolden] = await settleAll([
    tests('upstream tests on base', null),
    tests('upstream tests on commented base', task.commentedBase),
    tests('upstream tests on golden', golden),
    tests('upstream tests on golden', golden, 1),
    task.commentedGolden === null
      ? tests('upstream tests on golden', golden, 2)
      : tests('upstream tests on commented golden', task.commentedGolden),
  ])
  return verifyTask({
    base,
    golden: goldenRuns,
    baseWithTests,
    goldenWithTests,
    tests: {
      base: onBase,
      commentedBase: onCommentedBase,
      golden: [onGolden, onGoldenAgain, onCommentedGolden],
    },
    cases: oracleCases,
    failToPass: task.loaded.task.FAIL_TO_PASS,
    passToPass: task.loaded.task.PASS_TO_PASS,
  })
}

const NOTHING: VerificationRuns = {
  base: [],
  golden: [],
  baseWithTests: [],
  goldenWithTests: [],
  tests: { base: null, commentedBase: null, golden: [] },
  cases: [],
  failToPass: [],
  passToPass: [],
}

/** One after the other: the next finds no sandbox of the one before busy with the same tree. */
async function inTurn<R>(
  cells: readonly Cells[],
  body: (cells: Cells, repeat: number) => Promise<R>,
): Promise<readonly R[]> {
  const results: R[] = []
  for (const [repeat, one] of cells.entries()) results.push(await body(one, repeat))
  return results
}
