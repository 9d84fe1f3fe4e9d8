import type { TestsRun } from '../schema/ci-run.ts'
import type { CaseOutcome } from '../schema/test-result.ts'
import type { Verdict } from '../schema/verdict.ts'
import type { CaseName, Evidence } from './evidence.ts'
import { allPassed, type CaseId, type RunView, shownCase, viewRun } from './run-view.ts'
import { allOf, type Tri, toTri } from './tri.ts'

/** A case that ended so has no parts that can be believed. */
const UNTOLD: readonly CaseOutcome[] = ['absent', 'timed_out', 'out_of_memory', 'not_built', 'errored']

/** Whether `key` (`suite::name`) is the case or one of its parameters: `t`, `t[1]`, `t/sub`. */
function belongsTo(key: string, name: CaseName): boolean {
  const shown = key.slice(key.indexOf('::') + 2)
  return shown === name.case || (shown.startsWith(name.case) && /^\W/.test(shown.slice(name.case.length)))
}

/** The key's answer in one leg of the upstream tests; undefined when they do not hold it. */
function answerInOracle(
  leg: TestsRun['legs'][number],
  key: string,
  asked: readonly CaseName[],
): Tri | undefined {
  if (leg.infra !== null) return 'unknown'
  const cases = leg.files.flatMap((file) => file.cases.map((result) => ({ file: file.path, ...result })))
  const holding = cases.flatMap((result) => {
    const parts = result.parts.filter((part) => `${part.suite}::${part.name}` === key)
    return parts.length === 0 ? [] : [{ outcome: result.outcome, parts }]
  })
  if (holding.length > 0)
    return allOf(
      holding.map(({ outcome, parts }) =>
        outcome === 'infra'
          ? 'unknown'
          : toTri(!UNTOLD.includes(outcome) && parts.every((part) => part.status === 'passed')),
      ),
    )
  const silent = asked.filter(
    (name) =>
      belongsTo(key, name) &&
      !cases.some(
        (result) => result.file === name.file && result.case === name.case && result.parts.length > 0,
      ),
  )
  if (silent.length === 0) return undefined
  const broken = cases.some((result) => result.outcome === 'infra' && belongsTo(key, result))
  return broken ? 'unknown' : 'no'
}

const findCase = (shown: string, view: RunView, leg: string): readonly CaseId[] =>
  [...(view.get(leg)?.plain.keys() ?? [])].filter((id) => shownCase(id) === shown)

/** The key in the repository's own tests: it passes in every leg that reports it at base or with the patch, and in one at least. */
function answerInWorkflow(key: string, base: RunView, patch: RunView): Tri {
  const answers = [...new Set([...base.keys(), ...patch.keys()])].flatMap((leg): readonly Tri[] => {
    const view = patch.get(leg)
    if (view && view.broken !== null) return ['unknown']
    const ids = new Set([...findCase(key, base, leg), ...findCase(key, patch, leg)])
    return [...ids].map((id) => toTri(allPassed(view?.plain.get(id))))
  })
  return answers.length === 0 ? 'no' : allOf(answers)
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
  const base = viewRun(evidence.base)
  const patched = viewRun(patch)
  return allOf(
    [...failToPass, ...passToPass].map((key) => {
      const answers = oracle.legs.flatMap((leg) => answerInOracle(leg, key, oracleCases) ?? [])
      return answers.length > 0 ? allOf(answers) : answerInWorkflow(key, base, patched)
    }),
  )
}
