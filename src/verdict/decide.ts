import type { CellRun, LegResult, TestsRun } from '../schema/ci-run.ts'
import type { Verdict, VerdictKind } from '../schema/verdict.ts'
import { byText } from './canonical-order.ts'
import type { Evidence } from './evidence.ts'
import { judgeTests, type TestsState } from './judge-tests.ts'
import { JUDGE_VERSION } from './judge-version.ts'
import { judgePatch } from './playable.ts'
import { paperPoints } from './points.ts'
import { isResolved } from './resolved.ts'
import { valuesOf } from './tri.ts'

/** A verdict's lists stay readable: the rest of a broken world says nothing new. */
const SHOWN = 50

/** The verdict table, its void row apart. A reviewer who was not asked about a playable patch gives no verdict. */
function kindOf(playable: boolean, tests: TestsState): VerdictKind {
  switch (tests) {
    case 'not-asked':
      return playable ? 'void' : 'submitter-forfeit'
    case 'none-admitted':
      return playable ? 'reviewer-forfeit' : 'no-contest'
    case 'all-pass':
      return playable ? 'submitter-win' : 'submitter-forfeit'
    case 'some-fail':
      return playable ? 'reviewer-win' : 'submitter-forfeit'
  }
}

/** 1 the patch survives, 0 it is killed. */
export function yOf(kind: VerdictKind): Verdict['y'] {
  switch (kind) {
    case 'submitter-win':
    case 'reviewer-forfeit':
      return 1
    case 'reviewer-win':
    case 'submitter-forfeit':
      return 0
    case 'no-contest':
    case 'void':
      return null
  }
}

/** A limit that nothing enforced. */
const isUnlimited = (leg: Pick<LegResult | TestsRun['legs'][number], 'limits'>): boolean =>
  leg.limits.some(({ limit, by }) => by === 'none' && ['memory', 'pids', 'disk'].includes(limit))

/** Every run of the round is asked: one whose patch is forfeited was still run on a machine without limits. */
function limitFlags({ base, golden, patch, tests, oracle }: Evidence): readonly string[] {
  const ofTests = tests
    ? [tests.base, tests.commentedBase, ...tests.golden, tests.patch, tests.lintOnGolden?.withTests]
    : []
  const runs: readonly (CellRun | null | undefined)[] = [base, golden, patch, ...ofTests, oracle]
  return runs.some((run) => run?.legs.some(isUnlimited)) ? ['limits-not-enforced'] : []
}

/**
 * Decides a round. Pure and total: the same evidence gives the same verdict, in whatever order tests, files and legs
 * stand. Void comes first: the reference probe failed, the operator's budget ended, or results are unknown and their
 * values could give different verdicts. Unknown results that change nothing are no reason for a void.
 */
export function decideVerdict(evidence: Evidence): Verdict {
  const patch = judgePatch(evidence)
  const resolved = isResolved(evidence, patch.forged.length > 0)
  const tests = judgeTests(evidence, resolved === 'yes')

  const kinds = new Set(
    valuesOf(patch.playable).flatMap((playable) => tests.states.map((state) => kindOf(playable, state))),
  )
  const [only] = kinds
  const outside = [
    ...(evidence.probe === 'failed' ? ['the reference probe failed'] : []),
    ...(evidence.budget === 'ended' ? ["the operator's budget ended"] : []),
  ]
  const kind: VerdictKind = outside.length === 0 && kinds.size === 1 && only !== undefined ? only : 'void'
  const unknown = [...patch.unknown, ...tests.unknown]
  const open = unknown.length > 0 ? unknown : ['the reviewer was not asked about a playable patch']
  return {
    kind,
    y: yOf(kind),
    points: paperPoints(kind, tests.failedOnGolden),
    playable: patch.playable,
    submitterReason: patch.reason,
    reviewerReason: tests.reason,
    broken: patch.broken.slice(0, SHOWN),
    forged: [...patch.forged],
    admitted: [...tests.admitted],
    rejected: [...tests.rejected],
    killedBy: [...tests.killedBy],
    ...(tests.undecided.length > 0 ? { undecided: [...tests.undecided] } : {}),
    flags: [...new Set([...patch.flags, ...tests.flags, ...limitFlags(evidence)])].sort(byText),
    voidBecause: kind === 'void' ? [...outside, ...(outside.length > 0 ? [] : open)].slice(0, SHOWN) : [],
    resolved,
    judgeVersion: JUDGE_VERSION,
  }
}
