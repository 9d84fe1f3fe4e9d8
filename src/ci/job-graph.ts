import { WorkflowError } from '../../workflows/errors.ts'
import type { JobStatus } from '../../workflows/expressions.ts'
import { uniqueNames } from '../../workflows/leg-name.ts'
import { needsHere } from '../../workflows/needs-here.ts'
import type { JobDefinition } from '../../workflows/parse.ts'
import {
  type NeededJob,
  type PlanInput,
  type PlannedCall,
  type PlannedLeg,
  planJob,
  type WorkflowPlan,
} from '../../workflows/plan.ts'
import { worstStatus } from '../../workflows/plan-scope.ts'
import { callOutputs } from '../../workflows/reusable.ts'
import { evaluateTexts } from '../../workflows/token.ts'
import type { Value } from '../../workflows/values.ts'
import type { Conclusion, InfraEvidence } from '../schema/ci-run.ts'
import type { JobState } from './job-state.ts'
import type { KeptFile } from './kept-files.ts'
import { type StepWorld, scopeNow } from './run-step.ts'
import { settleAll } from './settle-all.ts'

/** How a leg has ended, as far as other jobs ask. */
export interface LegEnd {
  readonly status: Conclusion
  readonly reason: string | null
  readonly outputs: Readonly<Record<string, string>>
  readonly infra: InfraEvidence | null
  /** What the leg has kept itself. */
  readonly kept?: readonly KeptFile[]
}

/** What the legs of one job came to, in the plan's order. */
export interface JobEnd<T extends LegEnd> {
  readonly job: JobDefinition
  /** The worst end among the jobs before it. */
  readonly before: JobStatus
  /** The outputs of the reusable workflows that it calls; null for a job with steps. */
  readonly called: Readonly<Record<string, string>> | null
  /** Artifacts and caches of the job's legs and of all jobs before it, oldest first. */
  readonly kept: readonly KeptFile[]
  readonly legs: readonly { readonly leg: PlannedLeg; readonly end: T }[]
}

/** `kept`: artifacts and caches of the jobs that the leg's job needs. */
export type RunLeg<T extends LegEnd> = (leg: PlannedLeg, kept: readonly KeptFile[]) => Promise<T>

/**
 * Runs the wanted jobs, each when all that it needs has ended, its legs side by side (fail-fast off). A job whose matrix or
 * `if` hangs on outputs is planned when they are there. `stopped`: the end of a leg that does not run.
 */
export async function runJobs<T extends LegEnd>(
  plan: WorkflowPlan,
  input: PlanInput,
  wanted: ReadonlySet<string>,
  isChosen: (leg: PlannedLeg) => boolean,
  runLeg: RunLeg<T>,
  stopped: (leg: PlannedLeg, end: LegEnd) => T,
  outer: readonly KeptFile[] = [],
): Promise<readonly JobEnd<T>[]> {
  const ends = new Map<string, Promise<JobEnd<T>>>()
  const endOf = (job: JobDefinition): Promise<JobEnd<T>> => {
    const known = ends.get(job.id) ?? runJob(job)
    ends.set(job.id, known)
    return known
  }
  const runJob = async (job: JobDefinition): Promise<JobEnd<T>> => {
    const needed = await Promise.all(plan.workflow.jobs.filter(({ id }) => job.needs.includes(id)).map(endOf))
    const broken = brokenNeed(job, needed, input.substitute)
    const legs = (
      broken.end ? staticLegs(plan, job) : noted(legsOf(plan, job, input, needed), broken.notes)
    ).filter(isChosen)
    const before = [...new Set([...outer, ...needed.flatMap((end) => end.kept)])]
    const ended = legs.map(async (leg): Promise<LegsEnd<T>> => {
      const end = broken.end ?? notRun(leg)
      if (!end && leg.call) return runCall(leg, leg.call, before)
      return { legs: [{ leg, end: end ? stopped(leg, end) : await runLeg(leg, before) }], called: null }
    })
    const worst = worstStatus(needed.map(neededJob).flatMap((one) => [one.result, one.before]))
    const ends = await settleAll(ended)
    const done = ends.flatMap((end) => end.legs)
    const kept = [...before, ...done.flatMap(({ end }) => end.kept ?? [])]
    return { job, before: worst, legs: done, called: mergedOutputs(ends), kept }
  }
  const runCall = async (
    leg: PlannedLeg,
    call: PlannedCall,
    before: readonly KeptFile[],
  ): Promise<LegsEnd<T>> => {
    const inner = new Set(call.plan.jobs)
    const jobs = await runJobs(call.plan, call.input, inner, isChosen, runLeg, stopped, before)
    return { legs: jobs.flatMap((job) => job.legs), called: outputsOfCall(leg, call, jobs) }
  }
  // In an order in which needed jobs come first, so that every promise is awaited by somebody from the start.
  const jobs = plan.jobs.flatMap((id) => plan.workflow.jobs.filter((job) => job.id === id && wanted.has(id)))
  return settleAll(jobs.map(endOf))
}

interface LegsEnd<T extends LegEnd> {
  readonly legs: JobEnd<T>['legs']
  readonly called: Readonly<Record<string, string>> | null
}

/** Of outputs that several calls set the last that is not empty stands. */
function mergedOutputs(ends: readonly LegsEnd<LegEnd>[]): Readonly<Record<string, string>> | null {
  if (ends.every(({ called }) => called === null)) return null
  const set = ends.flatMap(({ called }) => Object.entries(called ?? {}).filter(([, value]) => value !== ''))
  return Object.fromEntries(set)
}

/** One that cannot be evaluated leaves no outputs, as on GitHub. */
function outputsOfCall(
  leg: PlannedLeg,
  call: PlannedCall,
  jobs: readonly JobEnd<LegEnd>[],
): Readonly<Record<string, string>> {
  const results = jobs.map((end): [string, Value] => {
    const { result, outputs } = neededJob(end)
    return [end.job.id, { result, outputs: { ...outputs } }]
  })
  const { github = {} } = leg.contexts
  const contexts = { github, inputs: call.input.caller?.inputs ?? {} }
  try {
    const scope = { path: call.plan.workflow.path, status: 'success', contexts } as const
    return callOutputs(call.plan.workflow, scope, Object.fromEntries(results))
  } catch (error) {
    if (error instanceof WorkflowError) return {}
    throw error
  }
}

const noted = (legs: readonly PlannedLeg[], notes: readonly string[]): readonly PlannedLeg[] =>
  legs.map((leg) => ({ ...leg, notes: [...notes, ...leg.notes] }))

const staticLegs = (plan: WorkflowPlan, job: JobDefinition): readonly PlannedLeg[] =>
  plan.legs.filter((leg) => leg.definition === job)

function legsOf(
  plan: WorkflowPlan,
  job: JobDefinition,
  input: PlanInput,
  needed: readonly JobEnd<LegEnd>[],
): readonly PlannedLeg[] {
  const before = staticLegs(plan, job)
  if (job.needs.length === 0) return before
  const needs = new Map(needed.map((end) => [end.job.id, neededJob(end)]))
  try {
    const legs = planJob(plan.workflow, job, input, needs)
    const names = uniqueNames(legs.map((leg) => leg.leg))
    // Names are unique over the whole workflow where the plan knew the legs already.
    return legs.map((leg, index) => ({
      ...leg,
      leg: (legs.length === before.length ? before[index]?.leg : undefined) ?? names[index] ?? leg.leg,
    }))
  } catch (error) {
    if (!(error instanceof WorkflowError)) throw error
    const leg = before[0]
    return leg ? [{ ...leg, status: 'skipped', reason: error.message }] : []
  }
}

/** A job behind one whose sandbox broke, or that cannot run here, does not run either. */
function brokenNeed(
  job: JobDefinition,
  needed: readonly JobEnd<LegEnd>[],
  substitute: boolean,
): { readonly end: LegEnd } | { readonly end: null; readonly notes: readonly string[] } {
  for (const { job: before, legs } of needed) {
    const broken = legs.find(({ end }) => end.status === 'infra_error')?.end
    const reason = `needs ${before.id}: ${broken?.reason ?? 'its sandbox broke'}`
    if (broken) return { end: { ...broken, reason, outputs: {} } }
  }
  const here = needed.map(({ job: before, legs }) => ({
    id: before.id,
    refused: legs.find(({ end }) => end.status === 'unsupported')?.end.reason ?? null,
    runs: legs.some(({ end }) => end.status !== 'unsupported'),
  }))
  const { refused, notes } = needsHere(job, here, substitute)
  return refused === null
    ? { end: null, notes }
    : { end: { status: 'unsupported', reason: refused, outputs: {}, infra: null } }
}

function notRun(leg: PlannedLeg): LegEnd | undefined {
  if (leg.status === 'planned') return undefined
  return { status: leg.status, reason: leg.reason, outputs: {}, infra: null }
}

/** A job's result over its legs; of outputs set by several legs the last that is not empty stands. */
export function neededJob({ legs, before, called }: JobEnd<LegEnd>): NeededJob {
  const outputs: Record<string, string> = { ...called }
  for (const { end } of legs) {
    if (called) continue
    for (const [name, value] of Object.entries(end.outputs)) if (value !== '') outputs[name] = value
  }
  // What cannot run here has no end: jobs behind it do not run, or take it to have passed.
  const failed = legs.some(
    ({ leg, end }) => end.status !== 'unsupported' && isFailure(end.status) && !leg.continueOnError,
  )
  if (failed) return { result: 'failure', outputs, before }
  const skipped = legs.length > 0 && legs.every(({ end }) => end.status === 'skipped')
  return { result: skipped ? 'skipped' : 'success', outputs, before }
}

const isFailure = (status: Conclusion): boolean => status !== 'success' && status !== 'skipped'

/** The job's `outputs`, evaluated when its steps are done; one that cannot be evaluated is empty, as on GitHub. */
export function outputsOf(world: StepWorld, state: JobState): Readonly<Record<string, string>> {
  try {
    return evaluateTexts(world.context.leg.definition.outputs, scopeNow(world, state))
  } catch (error) {
    if (error instanceof WorkflowError) return {}
    throw error
  }
}
