import { type Concurrency, concurrencyOf } from './concurrency.ts'
import { conditionOf, evaluateCondition } from './conditions.ts'
import { type Container, containerOf, servicesOf } from './container.ts'
import type { EventInput } from './contexts.ts'
import { reasonAt } from './errors.ts'
import type { JobStatus, Scope } from './expressions.ts'
import { legName, uniqueNames } from './leg-name.ts'
import { jobOrder } from './needs.ts'
import { type NeedHere, needsHere } from './needs-here.ts'
import { type JobDefinition, parseWorkflowText, type WorkflowDefinition } from './parse.ts'
import { jobScope, workflowScope } from './plan-scope.ts'
import { type AtHand, looksAtNeeds, type PlannedStep, planStep } from './plan-step.ts'
import { refusedContainers } from './refused-containers.ts'
import { flag, minutes } from './resolve-step.ts'
import { type Caller, calledWorkflow } from './reusable.ts'
import { labelsOf, refusedLabels } from './runs-on.ts'
import { legScope, strategyOf } from './strategy.ts'
import { evaluateText, evaluateTexts, evaluateToken, expressionsIn } from './token.ts'
import { notStarted } from './triggers.ts'
import type { ValueMap } from './values.ts'

/** How a job that others need has ended. */
export interface NeededJob {
  readonly result: 'success' | 'failure' | 'cancelled' | 'skipped'
  readonly outputs: Readonly<Record<string, string>>
  /** The worst end among the jobs that it needed itself, however far back. */
  readonly before: JobStatus
}

export interface PlanInput extends AtHand {
  readonly event: EventInput
  /** Of a workflow that another one calls. */
  readonly caller?: Caller
}

/** One job with one matrix combination, before it runs. */
export interface PlannedLeg {
  /** GitHub's display form, unique in the workflow. */
  readonly leg: string
  /** Its id; behind that of the calling job and `/` in a called workflow. */
  readonly job: string
  readonly matrix: ValueMap
  readonly runsOn: readonly string[]
  readonly status: 'planned' | 'skipped' | 'unsupported'
  /** A sentence with file and line: why it does not run, or what is decided later. */
  readonly reason: string | null
  readonly steps: readonly PlannedStep[]
  readonly timeoutMs: number
  readonly continueOnError: boolean
  readonly failFast: boolean
  /** Legs of the job at once; null for as many as there are machines. */
  readonly maxParallel: number | null
  readonly concurrency: Concurrency | null
  /** The image that it runs in; null for the machine itself. */
  readonly container: Container | null
  readonly services: Readonly<Record<string, Container>>
  /** What stands in for something that the leg asks for. */
  readonly notes: readonly string[]
  /** Workflow's and job's env, evaluated. */
  readonly env: Readonly<Record<string, string>>
  /** Contexts that stay as they are while the job runs: github, needs, strategy, matrix, runner. */
  readonly contexts: Scope['contexts']
  readonly definition: JobDefinition
  /** The file that the job stands in. */
  readonly workflow: WorkflowDefinition
  /** What runs in its place when the job calls a reusable workflow; null for a job with steps. */
  readonly call: PlannedCall | null
}

export interface PlannedCall {
  readonly plan: WorkflowPlan
  readonly input: PlanInput
}

export interface WorkflowPlan {
  readonly workflow: WorkflowDefinition
  /** The event's name. */
  readonly event: string
  /** Job ids in the order in which they can run. */
  readonly jobs: readonly string[]
  readonly concurrency: Concurrency | null
  readonly legs: readonly PlannedLeg[]
}

/**
 * Plans all jobs of a workflow file as if every needed job succeeded. What depends on outputs of a job that has not run is
 * one leg with the reason `decided when …`; planJob plans it again when they are known. Pure. Throws WorkflowError.
 */
export function planWorkflow(
  input: PlanInput & { readonly path: string; readonly text: string },
): WorkflowPlan {
  return planDefinition(parseWorkflowText(input.path, input.text), input)
}

/** The legs that run steps, or that do not run: called workflows in place of the legs that call them. */
export const flatLegs = (legs: readonly PlannedLeg[]): readonly PlannedLeg[] =>
  legs.flatMap((leg) => (leg.call ? flatLegs(leg.call.plan.legs) : [leg]))

function planDefinition(workflow: WorkflowDefinition, input: PlanInput): WorkflowPlan {
  const jobs = jobOrder(workflow)
  const legs = planInOrder(workflow, jobs, input)
  const names = uniqueNames(legs.map((leg) => leg.leg))
  return {
    workflow,
    event: input.event.name,
    jobs,
    concurrency: concurrencyOf(workflow.concurrency, workflowScope(workflow, input)),
    legs: legs.map((leg, index) => ({ ...leg, leg: names[index] ?? leg.leg })),
  }
}

/** The legs of all jobs in the file's order; a job behind one that cannot run here does not run either. */
function planInOrder(
  workflow: WorkflowDefinition,
  jobs: readonly string[],
  input: PlanInput,
): readonly PlannedLeg[] {
  const planned = new Map<string, readonly PlannedLeg[]>()
  for (const id of jobs) {
    const job = workflow.jobs.find((one) => one.id === id)
    if (!job) continue
    const needed = job.needs.map((need) => needHere(need, flatLegs(planned.get(need) ?? [])))
    const { refused, notes } = needsHere(job, needed, input.substitute)
    planned.set(
      id,
      planJob(workflow, job, input, null).map((leg): PlannedLeg => {
        if (leg.status !== 'planned') return leg
        if (refused === null) return { ...leg, notes: [...notes, ...leg.notes] }
        return { ...leg, status: 'unsupported', reason: refused, call: null }
      }),
    )
  }
  return workflow.jobs.flatMap((job) => planned.get(job.id) ?? [])
}

const needHere = (id: string, legs: readonly PlannedLeg[]): NeedHere => ({
  id,
  refused: legs.find(({ status }) => status === 'unsupported')?.reason ?? null,
  runs: legs.some(({ status }) => status !== 'unsupported'),
})

/** The legs of one job. `needs`: how the jobs it needs have ended; null when nothing has run yet. */
export function planJob(
  workflow: WorkflowDefinition,
  job: JobDefinition,
  input: PlanInput,
  needs: ReadonlyMap<string, NeededJob> | null,
): readonly PlannedLeg[] {
  const scope = jobScope(workflow, job, input, needs)
  const blank = blankLeg(workflow, job, input, scope)
  const refused = refusal(workflow, job, input, scope, needs)
  if (refused) return [{ ...blank, ...refused }]
  if (needs === null) {
    const open = OPEN_KEYS.find((key) => expressionsIn(job[key]).some(looksAtNeeds))
    if (open) return [{ ...blank, reason: decidedLater(workflow, job, WORDS[open]) }]
  }
  const strategy = strategyOf(job, scope)
  return strategy.combinations.map((matrix, index) => {
    const leg: PlannedLeg = {
      ...blank,
      matrix,
      failFast: strategy.failFast,
      maxParallel: strategy.maxParallel,
    }
    const inLeg = legScope(scope, strategy, index)
    return job.uses ? planCall(workflow, job, input, inLeg, leg) : planLeg(workflow, job, input, inLeg, leg)
  })
}

function planCall(
  workflow: WorkflowDefinition,
  job: JobDefinition,
  input: PlanInput,
  scope: Scope,
  blank: PlannedLeg,
): PlannedLeg {
  const leg: PlannedLeg = {
    ...blank,
    leg: nameOf(job, input, scope, blank.matrix),
    contexts: scope.contexts,
    concurrency: concurrencyOf(job.concurrency, scope),
  }
  const chain = input.caller?.chain ?? [workflow.path]
  const called = calledWorkflow(workflow, job, scope, chain, input)
  if (called.kind === 'unsupported') {
    const reason = reasonAt(workflow.path, job.uses?.line ?? job.line, called.reason)
    return { ...leg, status: 'unsupported', reason }
  }
  const caller: Caller = {
    name: leg.leg,
    job: leg.job,
    inputs: called.inputs,
    chain: [...chain, called.workflow.path],
    workflowName: input.caller?.workflowName ?? workflow.name ?? workflow.path,
  }
  const inner: PlanInput = { ...input, caller }
  return { ...leg, call: { plan: planDefinition(called.workflow, inner), input: inner } }
}

function planLeg(
  workflow: WorkflowDefinition,
  job: JobDefinition,
  input: PlanInput,
  matrixScope: Scope,
  blank: PlannedLeg,
): PlannedLeg {
  const env = { ...evaluateTexts(workflow.env, matrixScope), ...evaluateTexts(job.env, matrixScope) }
  const scope: Scope = { ...matrixScope, contexts: { ...matrixScope.contexts, env } }
  const runsOn = job.runsOn ? labelsOf(evaluateToken(job.runsOn, scope)) : []
  const container = containerOf(job.container, scope) ?? null
  const services = servicesOf(job.services, scope)
  const containers = refusedContainers(job, container, services, input.substitute)
  const leg: PlannedLeg = {
    ...blank,
    leg: nameOf(job, input, scope, blank.matrix),
    runsOn,
    env,
    contexts: scope.contexts,
    timeoutMs: minutes(job.timeoutMinutes, scope),
    continueOnError: flag(job.continueOnError, scope),
    concurrency: concurrencyOf(job.concurrency, scope),
    container,
    services,
    notes: containers.notes,
  }
  const refused = refusedLabels(runsOn)
  if (refused !== undefined) {
    const reason = reasonAt(workflow.path, job.runsOn?.line ?? job.line, refused)
    return { ...leg, status: 'unsupported', reason }
  }
  if (containers.refused) {
    const { line, reason } = containers.refused
    return { ...leg, status: 'unsupported', reason: reasonAt(workflow.path, line, reason) }
  }
  // Without a tree only the shape of a plan is known; a digest of files is asked again when the step runs.
  const planScope: Scope = { ...scope, hashFiles: () => '' }
  const steps = job.steps.map((step) => planStep(workflow, job, step, planScope, input))
  const stopped = steps.find((step) => step.status === 'unsupported')
  return stopped ? { ...leg, steps, status: 'unsupported', reason: stopped.reason } : { ...leg, steps }
}

type Refusal = Pick<PlannedLeg, 'status' | 'reason'>

/** Why a job as a whole does not run, or that it is decided later. */
function refusal(
  workflow: WorkflowDefinition,
  job: JobDefinition,
  input: PlanInput,
  scope: Scope,
  needs: ReadonlyMap<string, NeededJob> | null,
): Refusal | undefined {
  const resting = input.caller ? undefined : notStarted(workflow.on, input.event)
  if (resting) return { status: 'skipped', reason: reasonAt(workflow.path, resting.line, resting.reason) }
  const condition = conditionOf(job.if)
  if (needs === null && looksAtNeeds(condition)) {
    return { status: 'planned', reason: decidedLater(workflow, job, 'its if is') }
  }
  if (!evaluateCondition(job.if, scope)) {
    const reason = reasonAt(workflow.path, job.if?.line ?? job.line, `if is false: ${condition}`)
    return { status: 'skipped', reason }
  }
  return undefined
}

function blankLeg(
  workflow: WorkflowDefinition,
  job: JobDefinition,
  input: PlanInput,
  scope: Scope,
): PlannedLeg {
  const { caller } = input
  return {
    leg: expressionsIn(job.name).length > 0 ? prefixed(caller, job.id) : nameOf(job, input, scope, {}),
    job: caller ? `${caller.job}/${job.id}` : job.id,
    matrix: {},
    runsOn: [],
    status: 'planned',
    reason: null,
    steps: [],
    timeoutMs: minutes(undefined, scope),
    continueOnError: false,
    failFast: true,
    maxParallel: null,
    concurrency: null,
    container: null,
    services: {},
    notes: [],
    env: {},
    contexts: scope.contexts,
    definition: job,
    workflow,
    call: null,
  }
}

function nameOf(job: JobDefinition, input: PlanInput, scope: Scope, matrix: ValueMap): string {
  const name = evaluateText(job.name, scope) || job.id
  return prefixed(input.caller, legName(name, expressionsIn(job.name).length > 0, matrix))
}

/** GitHub shows the job of a called workflow behind the job that calls it. */
const prefixed = (caller: Caller | undefined, name: string): string =>
  caller ? `${caller.name} / ${name}` : name

const OPEN_KEYS = [
  'strategy',
  'runsOn',
  'env',
  'name',
  'with',
  'container',
  'services',
  'concurrency',
] as const

const WORDS = {
  strategy: 'the matrix is',
  runsOn: 'runs-on is',
  env: 'its env is',
  name: 'its name is',
  with: 'what it is given is',
  container: 'its container is',
  services: 'its services are',
  concurrency: 'its concurrency is',
} as const

const decidedLater = (workflow: WorkflowDefinition, job: JobDefinition, what: string): string =>
  reasonAt(workflow.path, job.line, `${what} decided when ${job.needs.join(', ')} has run`)
