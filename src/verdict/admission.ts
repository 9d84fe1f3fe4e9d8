import type { CaseOutcome } from '../schema/test-result.ts'
import type { RejectedKey, TestKey } from '../schema/verdict.ts'
import { byKey, byText, keyText } from './canonical-order.ts'
import type { CaseName, TestsEvidence } from './evidence.ts'
import { legPassed, outcomesOf, passedIn, viewRun } from './run-view.ts'
import { allOf, type Tri } from './tri.ts'

export interface KeyFinding {
  readonly key: TestKey
  /** By the runs of this key alone; the lint legs judge the whole set. */
  readonly admitted: Tri
  /** Null while admitted may still be `yes`. */
  readonly rejected: RejectedKey | null
  /** Anything but passed on golden in one of its runs, a run that infrastructure broke excepted. */
  readonly failedOnGolden: boolean
  readonly flakyOnGolden: boolean
  readonly onPatch: readonly CaseOutcome[]
  /** Which of the key's runs are unknown, in words. */
  readonly unknown: readonly string[]
}

interface KeyRuns {
  readonly base: readonly CaseOutcome[]
  readonly commentedBase: readonly CaseOutcome[]
  readonly golden: readonly (readonly CaseOutcome[])[]
  readonly patch: readonly CaseOutcome[]
}

const GOLDEN_RUNS = 3

/** Every declared case in every leg in which tests run, each once, in a fixed order. */
export function keysOf(cases: readonly CaseName[], tests: TestsEvidence): readonly TestKey[] {
  const runs = [tests.base, tests.commentedBase, ...tests.golden]
  const legs = new Set(runs.flatMap((run) => run?.legs.map((leg) => leg.leg) ?? []))
  const keys = [...legs].flatMap((leg) =>
    cases.map((name): TestKey => ({ leg, file: name.file, case: name.case })),
  )
  return [...new Map(keys.map((key) => [keyText(key), key])).values()].sort(byKey)
}

/** A base run lets a key in when the case neither passes nor is skipped there. */
const failsOn = (outcomes: readonly CaseOutcome[]): Tri => {
  if (outcomes.some((outcome) => outcome === 'passed' || outcome === 'skipped')) return 'no'
  return outcomes.includes('infra') ? 'unknown' : 'yes'
}

type Refusal = Pick<RejectedKey, 'why' | 'detail'>

/** The first reason why the key certainly does not count, in the order in which they are asked. */
function refusalOf({ base, commentedBase, golden }: KeyRuns): Refusal | null {
  if (base.includes('passed')) return { why: 'passes-on-base', detail: 'it passes without the fix' }
  if (commentedBase.includes('passed'))
    return {
      why: 'passes-on-commented-base',
      detail: 'it passes when only comments are added: it reads the source and not what it does',
    }
  if (base.includes('skipped') || commentedBase.includes('skipped'))
    return { why: 'skipped-on-base', detail: 'it is skipped without the fix' }
  const answers = golden.map(passedIn)
  const [first, second, commented] = answers
  const found = [...new Set(golden.flat())]
    .filter((outcome) => outcome !== 'passed')
    .sort(byText)
    .join(', ')
  if (!answers.includes('no')) return null
  if ((first === 'no' && second === 'yes') || (first === 'yes' && second === 'no'))
    return { why: 'flaky-on-golden', detail: `the same run passes and does not (${found})` }
  if (first === 'no' || second === 'no')
    return { why: 'fails-on-golden', detail: `with the human fix it is ${found}` }
  return commented === 'no'
    ? { why: 'fails-on-commented-golden', detail: `when comments are added to the human fix it is ${found}` }
    : { why: 'fails-on-golden', detail: `with the human fix it is ${found}` }
}

const unknownRuns = (runs: KeyRuns): readonly string[] =>
  [
    { name: 'base', outcomes: runs.base },
    { name: 'base with comments', outcomes: runs.commentedBase },
    ...runs.golden.map((outcomes, index) => ({ name: `golden, run ${index + 1}`, outcomes })),
    { name: 'patch', outcomes: runs.patch },
  ]
    .filter(({ outcomes }) => outcomes.includes('infra'))
    .map(({ name }) => name)

/** Whether one key is admitted: it fails at base and at commented base, and passes on golden three times. */
export function judgeKey(key: TestKey, tests: TestsEvidence): KeyFinding {
  const goldenRuns = Array.from(
    { length: Math.max(GOLDEN_RUNS, tests.golden.length) },
    (_, index) => tests.golden[index],
  )
  const runs: KeyRuns = {
    base: outcomesOf(tests.base, key),
    commentedBase: outcomesOf(tests.commentedBase, key),
    golden: goldenRuns.map((run) => outcomesOf(run, key)),
    patch: outcomesOf(tests.patch, key),
  }
  const answers = runs.golden.map(passedIn)
  const admitted = allOf([failsOn(runs.base), failsOn(runs.commentedBase), ...answers])
  const refusal = refusalOf(runs)
  return {
    key,
    admitted,
    rejected: admitted === 'no' && refusal ? { ...key, ...refusal } : null,
    failedOnGolden: answers.includes('no'),
    flakyOnGolden: answers.includes('no') && answers.includes('yes'),
    onPatch: runs.patch,
    unknown: unknownRuns(runs).map((name) => `tests on ${name}: ${key.file} ${key.case}, leg ${key.leg}`),
  }
}

export interface LintFinding {
  readonly clean: Tri
  readonly detail: string
  readonly unknown: readonly string[]
}

/**
 * The repository's own checks, the legs without a test step, on golden with the test files against golden alone: what
 * golden fails is not held against them. `plain` may hold the legs with tests too: they are not asked here.
 */
export function judgeLint(lint: TestsEvidence['lintOnGolden']): LintFinding {
  if (lint === null) return { clean: 'yes', detail: '', unknown: [] }
  const plain = viewRun({ ...lint.plain, legs: lint.plain.legs.filter((leg) => leg.testStep === null) })
  const withTests = viewRun(lint.withTests)
  const answers = [...plain].flatMap(([id, view]) => {
    const checked = withTests.get(id)
    // A broken leg does not tell whether it has tests: it is a lint leg if it was run as one.
    if (view.broken !== null && checked === undefined) return []
    const before = legPassed(view)
    const after = legPassed(checked)
    const clean: Tri = before === 'no' || after === 'yes' ? 'yes' : before === 'yes' ? after : 'unknown'
    return [{ view, after: checked, clean }]
  })
  const unclean = answers.filter(({ clean }) => clean === 'no').map(({ view }) => view.leg)
  return {
    clean: allOf(answers.map(({ clean }) => clean)),
    detail: `with the test files the repository's own check does not succeed: ${unclean.sort(byText).join(', ')}`,
    unknown: answers
      .filter(({ clean }) => clean === 'unknown')
      .map(({ view, after }) => `lint on golden, leg ${view.leg}: ${view.broken ?? after?.broken ?? ''}`),
  }
}
