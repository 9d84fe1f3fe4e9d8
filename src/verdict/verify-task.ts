import type { CiRun, TestsRun } from '../schema/ci-run.ts'
import type { TestStatus } from '../schema/test-result.ts'
import type { RunCost, Verification, VerificationFinding } from '../schema/verification.ts'
import { judgeKey, keysOf } from './admission.ts'
import { byText } from './canonical-order.ts'
import type { CaseName, TestsEvidence } from './evidence.ts'
import { isArmable } from './forged.ts'
import { type RunView, shownCase, viewRun } from './run-view.ts'

/** Every run that a verification asks for. Each list holds one run or more of the same tree, in fresh sandboxes. */
export interface VerificationRuns {
  /** Plain and armed. */
  readonly base: readonly CiRun[]
  readonly golden: readonly CiRun[]
  /** With the upstream test files, plain. */
  readonly baseWithTests: readonly CiRun[]
  readonly goldenWithTests: readonly CiRun[]
  /** The upstream cases one by one, as the judge runs a reviewer's. */
  readonly tests: Pick<TestsEvidence, 'base' | 'commentedBase' | 'golden'>
  readonly cases: readonly CaseName[]
  /** The task's own lists; empty ones say nothing. */
  readonly failToPass: readonly string[]
  readonly passToPass: readonly string[]
}

type Ending = 'passed' | 'failed' | 'skipped' | 'absent'

/**
 * Whether a task is fit to be played (DESIGN: the judge, and what a task must show): base fails, golden passes, again and
 * again, under the judge's own rules. Pure: the same runs give the same answer, in any order of legs and cases.
 */
export function verifyTask(runs: VerificationRuns): Verification {
  const all = [...runs.base, ...runs.golden, ...runs.baseWithTests, ...runs.goldenWithTests]
  const cost = { base: costOf(runs.base), golden: costOf(runs.golden) }
  const empty = { flaky: [], FAIL_TO_PASS: [], PASS_TO_PASS: [], admitted: { of: 0, keys: 0 }, unarmed: [] }
  const ends = (
    stage: Verification['stage'],
    finding: VerificationFinding,
    found: Partial<Verification> = {},
  ): Verification => ({ ...empty, ...cost, ...found, stage, rated: false, findings: [finding] })

  const broken = brokenIn(all, runs.tests)
  if (broken !== undefined) return ends('read', loss('infrastructure', broken))
  const reasons = unsupportedIn(runs.golden[0])
  if (reasons !== undefined) return ends('read', loss('unsupported', reasons))
  const [before, after] = [endingsIn(runs.baseWithTests), endingsIn(runs.goldenWithTests)]
  if (after.size === 0)
    return ends('read', loss('no-tests-reported', 'no test of the repository was reported on golden'))

  const names = [...new Set([...before.keys(), ...after.keys()])].sort(byText)
  const endings = names.map((name) => ({
    name,
    before: each(before.get(name), runs.baseWithTests.length),
    after: each(after.get(name), runs.goldenWithTests.length),
  }))
  const flaky = endings.filter(({ before, after }) => !isSteady(before) || !isSteady(after))
  const steady = endings.filter((ending) => !flaky.includes(ending))
  const repaired = endings.filter(({ before }) => before.some((ending) => ending !== 'passed'))
  if (repaired.length === 0)
    return ends('built', loss('passes-on-base', 'the upstream tests pass without the fix'))
  const fixed = repaired.filter(({ after }) => after.includes('passed'))
  if (fixed.length === 0)
    return ends(
      'failing',
      loss('golden-fails', `with the fix none of them passes: ${listed(repaired.map(nameOf))}`),
    )
  const failToPass = steady.filter(
    ({ before, after }) => !before.includes('passed') && isAll(after, 'passed'),
  )
  const found = {
    flaky: flaky.map(nameOf),
    FAIL_TO_PASS: failToPass.map(nameOf),
    PASS_TO_PASS: steady
      .filter(({ before, after }) => isAll(before, 'passed') && isAll(after, 'passed'))
      .map(nameOf),
  }
  if (failToPass.length === 0)
    return ends('passing', loss('flaky', `end now so, now so: ${listed(fixed.map(nameOf))}`), found)

  const evidence: TestsEvidence = { ...runs.tests, patch: null, lintOnGolden: null }
  const keys = keysOf(runs.cases, evidence)
  const judged = keys.map((key) => judgeKey(key, evidence))
  const admitted = judged.filter((finding) => finding.admitted === 'yes').length
  const stable = { ...found, admitted: { of: keys.length, keys: admitted } }
  if (keys.length === 0)
    return ends(
      'stable',
      loss(
        'no-test-command',
        runs.cases.length === 0
          ? 'no test function of the upstream files can be run by itself'
          : 'no leg has a step in whose place a single test can be run',
      ),
      stable,
    )
  if (admitted === 0) {
    const [first] = judged
    const why = first?.rejected ? `${first.key.case}: ${first.rejected.detail}` : ''
    return ends('stable', loss('upstream-not-admitted', `the judge admits none of them; ${why}`), stable)
  }

  const missing = [
    ...runs.failToPass.filter((name) => !found.FAIL_TO_PASS.includes(name)),
    ...runs.passToPass.filter((name) => !found.PASS_TO_PASS.includes(name)),
  ]
  if (missing.length > 0)
    return ends('stable', loss('lists-differ', `not as task.json says: ${listed(missing)}`), stable)

  const unarmed = unarmedIn(runs)
  const deciding = processesOf(runs.baseWithTests[0], new Set(found.PASS_TO_PASS))
  const unarmedDeciding = unarmed.filter((process) => deciding.has(process))
  const brokenByGolden = steady
    .filter(({ before, after }) => isAll(before, 'passed') && !after.includes('passed'))
    .map(nameOf)
  return {
    ...cost,
    ...stable,
    unarmed: [...unarmed],
    stage: 'accepted',
    rated: unarmedDeciding.length === 0,
    findings: [
      ...(unarmedDeciding.length > 0 ? [note('unarmed', `unrated: ${listed(unarmedDeciding)}`)] : []),
      ...(found.flaky.length > 0 ? [note('quarantined', listed(found.flaky))] : []),
      ...(brokenByGolden.length > 0 ? [note('broken-by-golden', listed(brokenByGolden))] : []),
    ],
  }
}

const loss = (code: VerificationFinding['code'], message: string): VerificationFinding => ({
  code,
  severity: 'loss',
  message,
})
const note = (code: VerificationFinding['code'], message: string): VerificationFinding => ({
  code,
  severity: 'note',
  message,
})

const nameOf = ({ name }: { readonly name: string }): string => name

/** The first few of a list, in a sentence. */
const listed = (names: readonly string[]): string =>
  names.length <= 3 ? names.join(', ') : `${names.slice(0, 3).join(', ')} and ${names.length - 3} more`

/** What infrastructure broke, in words; undefined when nothing. */
function brokenIn(runs: readonly CiRun[], tests: VerificationRuns['tests']): string | undefined {
  const legs = [
    ...runs.flatMap((run) => run.legs),
    ...[tests.base, tests.commentedBase, ...tests.golden].flatMap((run: TestsRun | null) => run?.legs ?? []),
  ]
  const leg = legs.find(({ infra }) => infra !== null)
  return leg?.infra ? `${leg.leg}: ${leg.infra.message}` : undefined
}

/** Why no leg can run here; undefined when one can. */
function unsupportedIn(golden: CiRun | undefined): string | undefined {
  const legs = golden?.legs ?? []
  if (legs.some(({ status }) => status !== 'unsupported' && status !== 'skipped')) return undefined
  const reasons = [...new Set(legs.flatMap(({ leg, reason }) => (reason ? [`${leg}: ${reason}`] : [])))]
  return reasons.length === 0 ? 'the chosen jobs have no leg' : reasons.join('; ')
}

/** By `suite::name`, how each case ended in each run: passed only if it passes in every leg that reports it. */
function endingsIn(runs: readonly CiRun[]): ReadonlyMap<string, readonly Ending[]> {
  const endings = new Map<string, Ending[]>()
  for (const [index, run] of runs.entries())
    for (const [name, statuses] of statusesIn(viewRun(run))) {
      const known = endings.get(name) ?? runs.map((): Ending => 'absent')
      known[index] = endingOf(statuses)
      endings.set(name, known)
    }
  return endings
}

function statusesIn(view: RunView): ReadonlyMap<string, readonly TestStatus[]> {
  const statuses = new Map<string, TestStatus[]>()
  for (const leg of view.values())
    for (const [id, reported] of leg.plain) {
      const name = shownCase(id)
      statuses.set(name, [...(statuses.get(name) ?? []), ...reported])
    }
  return statuses
}

function endingOf(statuses: readonly TestStatus[]): Ending {
  if (statuses.some((status) => status === 'failed' || status === 'errored')) return 'failed'
  return statuses.every((status) => status === 'passed') ? 'passed' : 'skipped'
}

const each = (endings: readonly Ending[] | undefined, runs: number): readonly Ending[] =>
  endings ?? Array.from({ length: runs }, (): Ending => 'absent')

const isSteady = (endings: readonly Ending[]): boolean => new Set(endings).size <= 1
const isAll = (endings: readonly Ending[], wanted: Ending): boolean =>
  endings.length > 0 && endings.every((ending) => ending === wanted)

/** Processes whose sentinel was not reported failed in one of the runs of base or golden, by id. */
function unarmedIn({ base, golden }: VerificationRuns): readonly string[] {
  const bases = base.map(viewRun)
  const goldens = golden.map(viewRun)
  const unarmed = new Set<string>()
  for (const [index, first] of bases.entries())
    for (const [id, leg] of first) {
      const reported = new Set([...leg.processesOf.values()].flatMap((processes) => [...processes]))
      for (const process of reported)
        if (isArmable(leg, goldens[index]?.get(id) ?? null, process) !== 'yes') unarmed.add(process)
    }
  return [...unarmed].sort(byText)
}

/** The processes that reported one of the cases. */
function processesOf(run: CiRun | undefined, cases: ReadonlySet<string>): ReadonlySet<string> {
  const processes = (run?.legs ?? []).flatMap((leg) =>
    leg.processes
      .filter((report) => report.cases.some(({ suite, name }) => cases.has(`${suite}::${name}`)))
      .map(({ process }) => process),
  )
  return new Set(processes)
}

/** The slowest run, and the highest peak. */
function costOf(runs: readonly CiRun[]): RunCost {
  const legs = runs.map((run) => run.legs)
  const most = (values: readonly (number | null)[]): number | null => {
    const known = values.filter((value) => value !== null)
    return known.length === 0 ? null : Math.max(...known)
  }
  const sum = (values: readonly (number | null)[]): number | null =>
    values.reduce<number | null>(
      (total, value) => (total === null || value === null ? null : total + value),
      0,
    )
  return {
    durationMs: most(legs.map((run) => sum(run.map(({ durationMs }) => durationMs)))) ?? 0,
    cpuMs: most(legs.map((run) => sum(run.map(({ cpuMs }) => cpuMs)))),
    peakMemoryMiB: most(legs.flatMap((run) => run.map(({ peakMemoryMiB }) => peakMemoryMiB))),
  }
}
