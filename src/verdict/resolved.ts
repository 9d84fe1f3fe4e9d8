import type { TestsRun } from '../schema/ci-run.ts'
import type { CaseOutcome, TestStatus } from '../schema/test-result.ts'
import type { Verdict } from '../schema/verdict.ts'
import type { CaseName, Evidence } from './evidence.ts'
import { allPassed, type LegView, type RunView, shownCase, viewRun } from './run-view.ts'
import { allOf, type Tri, toTri } from './tri.ts'

/** A case that ended so has no parts that can be believed. */
const UNTOLD: readonly CaseOutcome[] = ['absent', 'timed_out', 'out_of_memory', 'not_built', 'errored']

/** Whether `key` (`suite::name`) is the case or one of its parameters: `t`, `t[1]`, `t/sub`. */
function belongsTo(key: string, name: CaseName): boolean {
  const shown = key.slice(key.indexOf('::') + 2)
  return shown === name.case || (shown.startsWith(name.case) && /^\W/.test(shown.slice(name.case.length)))
}

/** The key's answer in one leg of the upstream tests; undefined when they do not hold it. */
type OracleLeg = (key: string) => Tri | undefined

function readOracleLeg(leg: TestsRun['legs'][number], asked: readonly CaseName[]): OracleLeg {
  if (leg.infra !== null) return () => 'unknown'
  const cases = leg.files.flatMap((file) => file.cases.map((result) => ({ file: file.path, ...result })))
  const reported = new Map<string, Tri[]>()
  for (const { outcome, parts } of cases)
    for (const part of parts) {
      const key = `${part.suite}::${part.name}`
      const passed = toTri(!UNTOLD.includes(outcome) && part.status === 'passed')
      reported.set(key, [...(reported.get(key) ?? []), outcome === 'infra' ? 'unknown' : passed])
    }
  const told = new Set(cases.filter(({ parts }) => parts.length > 0).map((result) => nameText(result)))
  const silent = asked.filter((name) => !told.has(nameText(name)))
  const broken = cases.filter(({ outcome }) => outcome === 'infra')
  return (key) => {
    const answers = reported.get(key)
    if (answers) return allOf(answers)
    if (!silent.some((name) => belongsTo(key, name))) return undefined
    return broken.some((name) => belongsTo(key, name)) ? 'unknown' : 'no'
  }
}

const nameText = ({ file, case: name }: CaseName): string => JSON.stringify([file, name])

/** The statuses of a leg by `suite::name`, as the task's lists write it. */
function byShownCase(view: LegView | undefined): ReadonlyMap<string, readonly TestStatus[]> {
  const shown = new Map<string, readonly TestStatus[]>()
  for (const [id, statuses] of view?.plain ?? []) {
    const key = shownCase(id)
    shown.set(key, [...(shown.get(key) ?? []), ...statuses])
  }
  return shown
}

/** The key in the repository's own tests: it passes in every leg that reports it at base or with the patch, and in one at least. */
function readWorkflow(base: RunView, patch: RunView): (key: string) => Tri {
  const legs = [...new Set([...base.keys(), ...patch.keys()])].map((id) => ({
    broken: (patch.get(id)?.broken ?? null) !== null,
    before: byShownCase(base.get(id)),
    after: byShownCase(patch.get(id)),
  }))
  return (key) => {
    const answers = legs.flatMap(({ broken, before, after }): readonly Tri[] => {
      if (broken) return ['unknown']
      return before.has(key) || after.has(key) ? [toTri(allPassed(after.get(key)))] : []
    })
    return answers.length === 0 ? 'no' : allOf(answers)
  }
}

/**
 * Whether the patch passes every FAIL_TO_PASS and keeps every PASS_TO_PASS case, by the upstream tests where they hold
 * the case and by the repository's own tests elsewhere. Absent and skipped are not passed. Never decides a verdict.
 * `unknown` without FAIL_TO_PASS, without an oracle run, or when infrastructure broke what it hangs on.
 */
export function isResolved(evidence: Evidence, forged: boolean): Verdict['resolved'] {
  const { failToPass, passToPass, oracle, oracleCases, patch } = evidence
  if (failToPass.length === 0) return 'unknown'
  if (evidence.submission.kind === 'forfeit' || forged) return 'no'
  if (oracle === null || patch === null) return 'unknown'
  const legs = oracle.legs.map((leg) => readOracleLeg(leg, oracleCases))
  const inWorkflow = readWorkflow(viewRun(evidence.base), viewRun(patch))
  return allOf(
    [...failToPass, ...passToPass].map((key) => {
      const answers = legs.flatMap((answerTo) => answerTo(key) ?? [])
      return answers.length > 0 ? allOf(answers) : inWorkflow(key)
    }),
  )
}
