import { InputError } from '../errors.ts'
import { probeOf, reviewOf, submissionOf } from '../match/collect-evidence.ts'
import type { CellRun, CiRun, TestsRun } from '../schema/ci-run.ts'
import type { Round } from '../schema/match.ts'
import type { Store } from '../store/store.ts'
import { decideVerdict } from '../verdict/decide.ts'
import type { Evidence } from '../verdict/evidence.ts'
import { JUDGE_VERSION } from '../verdict/judge-version.ts'

export interface Rejudged {
  readonly judgeVersion: string
  readonly rounds: number
  readonly changed: readonly { readonly round: string; readonly before: string; readonly after: string }[]
  /** Rounds whose cells are no longer all there: their old verdict stands. */
  readonly stale: readonly string[]
}

const asWorkflow = (run: CellRun | undefined): CiRun | null => (run?.kind === 'workflow' ? run : null)
const asTests = (run: CellRun | undefined): TestsRun | null => (run?.kind === 'tests' ? run : null)

/** What the judge saw, from stored cells and generations; undefined when one is missing. */
async function storedEvidence(
  store: Store,
  round: Round,
  protocol: Evidence['protocol'],
): Promise<Evidence | undefined> {
  const { cells } = round
  const keys = [
    cells.base,
    cells.golden,
    cells.patch,
    cells.testsOnBase,
    cells.testsOnCommentedBase,
    ...cells.testsOnGolden,
    cells.testsOnPatch,
    cells.lintOnGolden,
    cells.oracle,
  ].filter((key) => key !== null)
  const [found, patch, tests, task] = await Promise.all([
    store.cells.findMany(keys),
    store.generations.find(round.patch),
    round.tests === null ? null : store.generations.find(round.tests),
    store.tasks.find(round.task),
  ])
  if (keys.some((key) => !found.has(key)) || !patch || tests === undefined || !task) return undefined
  const runOf = (key: string | null): CellRun | undefined => (key === null ? undefined : found.get(key)?.run)
  const base = asWorkflow(runOf(cells.base))
  const golden = asWorkflow(runOf(cells.golden))
  if (!base || !golden) return undefined
  const lint = asWorkflow(runOf(cells.lintOnGolden))
  const oracle = asTests(runOf(cells.oracle))
  return {
    protocol,
    submission: submissionOf(patch),
    review: reviewOf(tests),
    base,
    golden,
    patch: asWorkflow(runOf(cells.patch)),
    tests:
      cells.testsOnBase === null
        ? null
        : {
            base: asTests(runOf(cells.testsOnBase)),
            commentedBase: asTests(runOf(cells.testsOnCommentedBase)),
            golden: cells.testsOnGolden.flatMap((key) => asTests(runOf(key)) ?? []),
            patch: asTests(runOf(cells.testsOnPatch)),
            lintOnGolden: lint === null ? null : { plain: golden, withTests: lint },
          },
    oracle,
    oracleCases: oracle
      ? [
          ...new Map(
            oracle.legs
              .flatMap((leg) => leg.files)
              .flatMap((file) => file.cases.map((result) => ({ file: file.path, case: result.case })))
              .map((name) => [`${name.file}\0${name.case}`, name]),
          ).values(),
        ]
      : [],
    failToPass: task.document.FAIL_TO_PASS,
    passToPass: task.document.PASS_TO_PASS,
    probe: probeOf(golden),
    budget: 'ok',
    overSpecified: [],
  }
}

/**
 * Decides every stored round of a season again with the current judge. Nothing is run and nothing is edited: a different
 * verdict becomes a new revision. Never makes a void: where a cell is missing, or the judge could not tell, the old
 * verdict stands, marked stale. Throws InputError for an unknown season.
 */
export async function rejudgeSeason(store: Store, seasonId: string, now: () => number): Promise<Rejudged> {
  const season = await store.seasons.latest(seasonId)
  if (!season)
    throw new InputError(`there is no season ${seasonId}`, { remedy: 'arena standings lists them' })
  const rounds = await store.rounds.list(season.digest)
  const changed: { round: string; before: string; after: string }[] = []
  const stale: string[] = []
  for (const round of rounds) {
    const evidence = await storedEvidence(store, round, season.document.protocol)
    const verdict = evidence ? decideVerdict(evidence) : undefined
    const stands = !verdict || verdict.kind === 'void'
    const decidedAt = new Date(now()).toISOString()
    if (stands) {
      stale.push(round.id)
      await store.rounds.revise(round.id, {
        judgeVersion: JUDGE_VERSION,
        verdict: round.verdict,
        stale: true,
        decidedAt,
      })
      continue
    }
    await store.rounds.revise(round.id, { judgeVersion: JUDGE_VERSION, verdict, stale: false, decidedAt })
    if (verdict.kind !== round.verdict.kind)
      changed.push({ round: round.id, before: round.verdict.kind, after: verdict.kind })
  }
  return { judgeVersion: JUDGE_VERSION, rounds: rounds.length, changed, stale }
}
