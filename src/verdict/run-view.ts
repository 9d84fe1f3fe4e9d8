import { canonicalJson } from '../schema/canonical.ts'
import type { CiRun, LegResult, TestsRun } from '../schema/ci-run.ts'
import type { CaseOutcome, SentinelOutcome, TestResult, TestStatus } from '../schema/test-result.ts'
import type { TestKey } from '../schema/verdict.ts'
import type { Tri } from './tri.ts'
import { toTri } from './tri.ts'

/** Suite and name in one string that no other pair gives. */
export type CaseId = string

const SEPARATOR = '\0'
export const caseIdOf = (suite: string, name: string): CaseId => `${suite}${SEPARATOR}${name}`
/** `suite::name` for people and for the task's lists. */
export const shownCase = (id: CaseId): string => id.replace(SEPARATOR, '::')

type Statuses = Map<CaseId, TestStatus[]>

interface ArmedView {
  readonly sentinel: SentinelOutcome
  readonly exitCode: number | null
  readonly cases: ReadonlyMap<CaseId, readonly TestStatus[]>
}

/** One leg of one workflow run, ready to be asked. */
export interface LegView {
  readonly leg: string
  /** In words, when infrastructure broke the leg: then nothing in it is known. */
  readonly broken: string | null
  readonly status: string
  readonly plain: ReadonlyMap<CaseId, readonly TestStatus[]>
  /** The processes whose plain run reported a case. */
  readonly processesOf: ReadonlyMap<CaseId, ReadonlySet<string>>
  readonly armed: ReadonlyMap<string, ArmedView>
}

/** By legIdOf: jobs of a workflow may share a display name. */
export type RunView = ReadonlyMap<string, LegView>

const legIdOf = (leg: LegResult): string => canonicalJson([leg.leg, leg.job, leg.matrix])

/** Why nothing in a leg is known, or null. */
const breakOf = (leg: Pick<LegResult, 'status' | 'infra' | 'reason'>): string | null =>
  leg.infra
    ? `${leg.infra.source}: ${leg.infra.message}`
    : leg.status === 'infra_error'
      ? (leg.reason ?? 'infrastructure broke the leg')
      : null

function collect(into: Statuses, cases: readonly TestResult[]): void {
  for (const result of cases) {
    const id = caseIdOf(result.suite, result.name)
    const known = into.get(id)
    if (known) known.push(result.status)
    else into.set(id, [result.status])
  }
}

function viewLeg(leg: LegResult): LegView {
  const plain: Statuses = new Map()
  const processesOf = new Map<CaseId, Set<string>>()
  for (const report of leg.processes) {
    collect(plain, report.cases)
    for (const { suite, name } of report.cases) {
      const id = caseIdOf(suite, name)
      const processes = processesOf.get(id) ?? new Set<string>()
      processesOf.set(id, processes.add(report.process))
    }
  }
  const armed = new Map<string, ArmedView>()
  for (const report of leg.armed?.processes ?? []) {
    const cases: Statuses = new Map()
    collect(cases, report.cases)
    armed.set(report.process, { sentinel: report.sentinel, exitCode: report.exitCode, cases })
  }
  return { leg: leg.leg, broken: breakOf(leg), status: leg.status, plain, processesOf, armed }
}

export const viewRun = (run: CiRun): RunView => new Map(run.legs.map((leg) => [legIdOf(leg), viewLeg(leg)]))

/** Passed means reported, and nothing else reported under the same name. */
export const allPassed = (statuses: readonly TestStatus[] | undefined): boolean =>
  statuses !== undefined && statuses.length > 0 && statuses.every((status) => status === 'passed')

/** A leg that is missing did not pass. */
export const legPassed = (view: LegView | undefined): Tri =>
  view === undefined ? 'no' : view.broken === null ? toTri(view.status === 'success') : 'unknown'

/**
 * What an armed process reported of a case. A process whose sentinel did not fail has no cases: it ended early, or hides.
 */
export function armedStatuses(
  view: LegView | undefined,
  process: string,
  id: CaseId,
): readonly TestStatus[] | undefined {
  const armed = view?.armed.get(process)
  return armed?.sentinel === 'failed' ? armed.cases.get(id) : undefined
}

/** Whether the process's sentinel was reported failed; an armed run that lacks the process did not report it. */
export const sentinelFailed = (view: LegView | undefined, process: string): Tri =>
  view === undefined
    ? 'no'
    : view.broken === null
      ? toTri(view.armed.get(process)?.sentinel === 'failed')
      : 'unknown'

/** A case in `arena tests`: its outcome, but passed only with at least one part and every part passed. */
function outcomeOf(result: {
  readonly outcome: CaseOutcome
  readonly parts: readonly TestResult[]
}): CaseOutcome {
  if (result.outcome !== 'passed') return result.outcome
  if (result.parts.length === 0) return 'absent'
  return result.parts.every((part) => part.status === 'passed') ? 'passed' : 'failed'
}

/**
 * How a reviewer's or upstream case ended on one tree; more than one answer only if a run reports it more than once.
 * `infra` is unknown, and so is a run that was not made.
 */
export function outcomesOf(run: TestsRun | null | undefined, key: TestKey): readonly CaseOutcome[] {
  if (!run) return ['infra']
  const legs = run.legs.filter((leg) => leg.leg === key.leg)
  if (legs.some((leg) => leg.infra !== null)) return ['infra']
  const files = legs.flatMap((leg) => leg.files).filter((file) => file.path === key.file)
  const outcomes = files
    .flatMap((file) => file.cases)
    .filter((result) => result.case === key.case)
    .map(outcomeOf)
  if (outcomes.length > 0) return outcomes
  return files.some((file) => !file.built) ? ['not_built'] : ['absent']
}

/** Passed only if every answer is. */
export function passedIn(outcomes: readonly CaseOutcome[]): Tri {
  if (outcomes.some((outcome) => outcome !== 'passed' && outcome !== 'infra')) return 'no'
  return outcomes.includes('infra') ? 'unknown' : 'yes'
}
