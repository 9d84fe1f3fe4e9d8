import { isSighted } from '../schema/match.ts'
import type { ForfeitReason, RejectedKey, TestKey, Verdict } from '../schema/verdict.ts'
import { judgeKey, judgeLint, type KeyFinding, keysOf } from './admission.ts'
import { byKey, byText, keyText } from './canonical-order.ts'
import type { Evidence } from './evidence.ts'
import { passedIn } from './run-view.ts'
import type { Tri } from './tri.ts'

/** What the reviewer's side of the table can be. */
export type TestsState = 'not-asked' | 'none-admitted' | 'all-pass' | 'some-fail'

export interface TestsFinding {
  /** One state, or several when results are unknown. */
  readonly states: readonly TestsState[]
  readonly reason: ForfeitReason | null
  readonly failedOnGolden: boolean
  readonly admitted: readonly TestKey[]
  readonly rejected: readonly RejectedKey[]
  readonly killedBy: Verdict['killedBy']
  /** Admitted, and not known on the patch. */
  readonly undecided: readonly TestKey[]
  readonly flags: readonly string[]
  readonly unknown: readonly string[]
}

const EVERY_STATE: readonly TestsState[] = ['none-admitted', 'all-pass', 'some-fail']
const NOTHING = {
  failedOnGolden: false,
  admitted: [],
  rejected: [],
  killedBy: [],
  undecided: [],
  flags: [],
  unknown: [],
}

/** A key with its answer on the patch, after the kill court. */
interface Answered extends KeyFinding {
  readonly passes: Tri
  /** The court counts it as passed though it is not. */
  readonly excused: boolean
}

/** The states that some value of the unknown results gives: keys are independent of each other. */
function statesOf(keys: readonly Answered[], lintClean: Tri): readonly TestsState[] {
  if (lintClean === 'no') return ['none-admitted']
  const mayCount = keys.filter((key) => key.admitted !== 'no')
  const mustCount = mayCount.filter((key) => key.admitted === 'yes')
  const states: TestsState[] = []
  if (mustCount.length === 0 || lintClean === 'unknown') states.push('none-admitted')
  if (mayCount.some((key) => key.passes !== 'no') && mustCount.every((key) => key.passes !== 'no'))
    states.push('all-pass')
  if (mayCount.some((key) => key.passes !== 'yes')) states.push('some-fail')
  return states
}

function rejectionOf(key: KeyFinding, lintClean: Tri, lintDetail: string): RejectedKey | null {
  if (key.rejected) return key.rejected
  if (lintClean === 'no') return { ...key.key, why: 'lint', detail: lintDetail }
  if (key.admitted === 'unknown' || lintClean === 'unknown')
    return { ...key.key, why: 'unknown', detail: 'infrastructure broke a run that admission needs' }
  return null
}

function flagsOf(keys: readonly Answered[], killing: readonly Answered[]): readonly string[] {
  const flags = new Set<string>()
  const found = new Set(killing.flatMap((key) => key.onPatch))
  if (keys.some((key) => key.flakyOnGolden) || killing.some((key) => key.onPatch.includes('passed')))
    flags.add('flaky')
  if (found.has('not_built')) flags.add('does-not-build')
  if (found.has('timed_out')) flags.add('timed-out')
  if (found.has('out_of_memory')) flags.add('out-of-memory')
  if (keys.some((key) => key.excused)) flags.add('over-specified')
  return [...flags]
}

/**
 * Which of the reviewer's tests count, and how the patch fares with them. `resolvesTask`: whether the upstream tests call
 * the patch right; only then does the kill court's list excuse it.
 */
export function judgeTests(evidence: Evidence, resolvesTask: boolean): TestsFinding {
  const { review, tests, protocol } = evidence
  if (review.kind === 'not-asked') {
    if (isSighted(protocol)) return { ...NOTHING, states: ['not-asked'], reason: null }
    return { ...NOTHING, states: EVERY_STATE, reason: null, unknown: ['tests: the reviewer was not asked'] }
  }
  if (review.kind === 'forfeit') return { ...NOTHING, states: ['none-admitted'], reason: review.reason }

  const cut = review.overCap
    .map(
      (name): RejectedKey => ({
        leg: '',
        file: name.file,
        case: name.case,
        why: 'over-the-cap',
        detail: "cut by the season's caps in every leg",
      }),
    )
    .sort(byKey)
  if (review.cases.length === 0)
    return { ...NOTHING, states: ['none-admitted'], reason: 'no-cases', rejected: cut }
  if (tests === null)
    return {
      ...NOTHING,
      states: EVERY_STATE,
      reason: null,
      rejected: cut,
      unknown: ['tests: they were not run'],
    }

  const lint = judgeLint(tests.lintOnGolden)
  const overSpecified = new Set(resolvesTask ? evidence.overSpecified.map(keyText) : [])
  const keys = keysOf(review.cases, tests).map((name): Answered => {
    const key = judgeKey(name, tests)
    const passes = passedIn(key.onPatch)
    const excused = overSpecified.has(keyText(name)) && passes !== 'yes'
    return { ...key, passes: excused ? 'yes' : passes, excused }
  })
  const states = statesOf(keys, lint.clean)
  const rejected = keys.flatMap((key) => rejectionOf(key, lint.clean, lint.detail) ?? [])
  const admitted = keys.filter((key) => key.admitted === 'yes' && lint.clean === 'yes')
  const killing = admitted.filter((key) => key.passes === 'no')
  return {
    states,
    reason: states.includes('none-admitted') && states.length === 1 ? 'not-admitted' : null,
    failedOnGolden: keys.some((key) => key.failedOnGolden),
    admitted: admitted.map((key) => key.key),
    rejected: [...rejected, ...cut],
    killedBy: killing.map((key) => ({
      ...key.key,
      outcome: [...new Set(key.onPatch)]
        .filter((outcome) => outcome !== 'passed')
        .sort(byText)
        .join(', '),
    })),
    undecided: admitted.filter((key) => key.passes === 'unknown').map((key) => key.key),
    flags: flagsOf(keys, killing),
    unknown: states.length > 1 ? [...lint.unknown, ...keys.flatMap((key) => key.unknown)] : [],
  }
}
