import { settleAll } from '../ci/settle-all.ts'
import type { CiRun, TestsRun } from '../schema/ci-run.ts'
import type { Generation, Protocol, RoundCells } from '../schema/match.ts'
import type { PreparedTask } from '../schema/prepared.ts'
import type { AppliedChanges } from '../schema/tree.ts'
import type { Evidence, Review, Submission, TestsEvidence } from '../verdict/evidence.ts'
import type { Cells } from './cells.ts'
import { withFiles } from './with-files.ts'

/** What a role brought, whoever made it. */
export type Brought = Pick<Generation, 'outcome'>

export interface EvidenceRequest {
  readonly task: PreparedTask
  readonly protocol: Protocol
  readonly patch: Brought
  /** Null when the protocol does not ask the reviewer, or not yet. */
  readonly tests: Brought | null
  /** The upstream tests' own cases. */
  readonly oracleCases: readonly { readonly file: string; readonly case: string }[]
  readonly cells: Cells
  /** 0 at first; a battle that was void is played again with the next. */
  readonly attempt: number
}

export const submissionOf = (patch: Brought): Submission => {
  if (patch.outcome.kind === 'forfeit')
    return { kind: 'forfeit', reason: patch.outcome.reason, detail: patch.outcome.detail }
  return patch.outcome.changes.changes.length === 0
    ? { kind: 'forfeit', reason: 'empty', detail: 'nothing is left of the patch after the path policy' }
    : { kind: 'applied' }
}

export const reviewOf = (tests: Brought | null): Review => {
  if (tests === null) return { kind: 'not-asked' }
  if (tests.outcome.kind === 'forfeit')
    return { kind: 'forfeit', reason: tests.outcome.reason, detail: tests.outcome.detail }
  return { kind: 'tests', cases: tests.outcome.cases, overCap: tests.outcome.overCap }
}

export interface Collected {
  readonly evidence: Evidence
  readonly cells: RoundCells
}

const MINUTE_MS = 60_000

/**
 * A candidate may take three times golden's slowest run, in milliseconds. In whole minutes, so that the noise of a fast test
 * is no part of a cell's key; undefined where one minute, which every case has, is enough.
 */
export function leastCaseMsAfter(golden: TestsRun): number | undefined {
  const durations = golden.legs.flatMap((leg) =>
    leg.files.flatMap((file) => file.cases.map((result) => result.durationMs)),
  )
  const minutes = Math.ceil((3 * Math.max(0, ...durations)) / MINUTE_MS)
  return minutes > 1 ? minutes * MINUTE_MS : undefined
}

/** Golden itself is the reference probe: where not one of its test legs can run, nothing that was run here counts. */
export const probeOf = (golden: CiRun): 'ok' | 'failed' =>
  golden.legs.some((leg) => leg.testStep !== null && leg.status !== 'unsupported') ? 'ok' : 'failed'

/**
 * Runs or finds every cell of a round (DESIGN: the judge) and hands them to the judge. All of them, whatever the first
 * ones say: there is no early exit. A task without a golden patch has no verdict and must not come here.
 */
export async function collectEvidence(request: EvidenceRequest): Promise<Collected> {
  const { task, cells, attempt } = request
  const { golden } = task
  if (golden === null) throw new Error(`${task.loaded.task.id} has no golden patch`)
  const submission = submissionOf(request.patch)
  const review = reviewOf(request.tests)
  const patch =
    request.patch.outcome.kind === 'applied' && submission.kind === 'applied'
      ? request.patch.outcome.changes
      : null
  const tests =
    request.tests?.outcome.kind === 'applied' && request.tests.outcome.cases.length > 0
      ? { files: request.tests.outcome.changes, cases: request.tests.outcome.cases }
      : null

  const workflow = (label: string, changes: AppliedChanges | null, legs: 'all' | 'lint' = 'all') =>
    cells.workflow({ task, label, changes, legs, repeat: 0, attempt })
  const testsOn = (label: string, changes: AppliedChanges | null, repeat = 0, leastCaseMs?: number) =>
    tests === null
      ? null
      : cells.tests({
          task,
          label,
          changes,
          tests: tests.files,
          cases: tests.cases,
          repeat,
          attempt,
          leastCaseMs,
        })
  const testsOnPatch = async () => {
    const onGolden = patch === null ? null : await testsOn('tests on golden', golden)
    return onGolden ? testsOn('tests on patch', patch, 0, leastCaseMsAfter(onGolden.run)) : null
  }

  const [base, goldenRun] = await settleAll([workflow('base', null), workflow('golden', golden)])
  const hasLintLegs = goldenRun.run.legs.some((leg) => leg.testStep === null && leg.status !== 'skipped')
  const [
    patchRun,
    onBase,
    onCommentedBase,
    onGolden,
    onGoldenAgain,
    onCommentedGolden,
    onPatch,
    lint,
    oracle,
  ] = await settleAll([
    patch === null ? null : workflow('patch', patch),
    testsOn('tests on base', null),
    testsOn('tests on commented base', task.commentedBase),
    testsOn('tests on golden', golden),
    testsOn('tests on golden, again', golden, 1),
    testsOn('tests on commented golden', task.commentedGolden ?? golden),
    testsOnPatch(),
    tests !== null && hasLintLegs
      ? workflow('lint with tests', withFiles(golden, tests.files), 'lint')
      : null,
    patch !== null && task.upstreamTests !== null
      ? cells.tests({
          task,
          label: 'oracle',
          changes: patch,
          tests: task.upstreamTests,
          cases: request.oracleCases,
          repeat: 0,
          attempt,
        })
      : null,
  ])
  const testsEvidence: TestsEvidence | null =
    tests === null
      ? null
      : {
          base: onBase?.run ?? null,
          commentedBase: onCommentedBase?.run ?? null,
          golden: [onGolden, onGoldenAgain, onCommentedGolden].flatMap((cell) => (cell ? [cell.run] : [])),
          patch: onPatch?.run ?? null,
          lintOnGolden: lint === null ? null : { plain: goldenRun.run, withTests: lint.run },
        }
  return {
    evidence: {
      protocol: request.protocol,
      submission,
      review,
      base: base.run,
      golden: goldenRun.run,
      patch: patchRun?.run ?? null,
      tests: testsEvidence,
      oracle: oracle?.run ?? null,
      oracleCases: request.oracleCases,
      failToPass: task.loaded.task.FAIL_TO_PASS,
      passToPass: task.loaded.task.PASS_TO_PASS,
      probe: probeOf(goldenRun.run),
      budget: 'ok',
      overSpecified: [],
    },
    cells: {
      base: base.key,
      golden: goldenRun.key,
      patch: patchRun?.key ?? null,
      testsOnBase: onBase?.key ?? null,
      testsOnCommentedBase: onCommentedBase?.key ?? null,
      testsOnGolden: [onGolden, onGoldenAgain, onCommentedGolden].flatMap((cell) => (cell ? [cell.key] : [])),
      testsOnPatch: onPatch?.key ?? null,
      lintOnGolden: lint?.key ?? null,
      oracle: oracle?.key ?? null,
    },
  }
}
