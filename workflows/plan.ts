import { conditionOf, evaluateCondition } from './conditions.ts'
import { type EventInput, githubContext, RUNNER_CONTEXT } from './contexts.ts'
import { reasonAt, WorkflowError } from './errors.ts'
import type { JobStatus, Scope } from './expressions.ts'
import { legName, uniqueNames } from './leg-name.ts'
import { expandMatrix } from './matrix.ts'
import { jobOrder } from './needs.ts'
import { type JobDefinition, parseWorkflowText, type WorkflowDefinition } from './parse.ts'
import { type AtHand, looksAtNeeds, type PlannedStep, planStep } from './plan-step.ts'
import { flag, minutes } from './resolve-step.ts'
import { labelsOf, refusedLabels } from './runs-on.ts'
import { evaluateText, evaluateTexts, evaluateToken, expressionsIn, find } from './token.ts'
import { notStarted } from './triggers.ts'
import { isValueMap, type ValueMap } from './values.ts'

/** GitHub refuses a matrix with more combinations. */
const MATRIX_LEGS = 256

/** How a job that others need has ended. */
export interface NeededJob {
  readonly result: 'success' | 'failure' | 'cancelled' | 'skipped'
  readonly outputs: Readonly<Record<string, string>>
  /** The worst end among the jobs that it needed itself, however far back. */
  readonly before: JobStatus
}

export interface PlanInput extends AtHand {
  readonly event: EventInput
}

/** One job with one matrix combination, before it runs. */
export interface PlannedLeg {
  /** GitHub's display form, unique in the workflow. */
  readonly leg: string
  readonly job: string
  readonly matrix: ValueMap
  readonly runsOn: readonly string[]
  readonly status: 'planned' | 'skipped' | 'unsupported'
  /** A sentence with file and line: why it does not run, or what is decided later. */
  readonly reason: string | null
  readonly steps: readonly PlannedStep[]
  readonly timeoutMs: number
  readonly continueOnError: boolean
  /** Workflow's and job's env, evaluated. */
  readonly env: Readonly<Record<string, string>>
  /** Contexts that stay as they are while the job runs: github, needs, strategy, matrix, runner. */
  readonly contexts: Scope['contexts']
  readonly definition: JobDefinition
}

export interface WorkflowPlan {
  readonly workflow: WorkflowDefinition
  /** The event's name. */
  readonly event: string
  /** Job ids in the order in which they can run. */
  readonly jobs: readonly string[]
  readonly legs: readonly PlannedLeg[]
}

/**
 * Plans all jobs of a workflow file as if every needed job succeeded. What depends on outputs of a job that has not run is
 * one leg with the reason `decided when …`; planJob plans it again when they are known. Pure. Throws WorkflowError.
 */
export function planWorkflow(
  input: PlanInput & { readonly path: string; readonly text: string },
): WorkflowPlan {
  const workflow = parseWorkflowText(input.path, input.text)
  const jobs = jobOrder(workflow)
  const legs = workflow.jobs.flatMap((job) => planJob(workflow, job, input, null))
  const names = uniqueNames(legs.map((leg) => leg.leg))
  return {
    workflow,
    event: input.event.name,
    jobs,
    legs: legs.map((leg, index) => ({ ...leg, leg: names[index] ?? leg.leg })),
  }
}

/** The legs of one job. `needs`: how the jobs it needs have ended; null when nothing has run yet. */
export function planJob(
  workflow: WorkflowDefinition,
  job: JobDefinition,
  input: PlanInput,
  needs: ReadonlyMap<string, NeededJob> | null,
): readonly PlannedLeg[] {
  const scope = jobScope(workflow, job, input, needs)
  const blank = blankLeg(job, scope)
  const refused = refusal(workflow, job, input, scope, needs)
  if (refused) return [{ ...blank, ...refused }]
  if (needs === null) {
    const open = (['strategy', 'runsOn', 'env', 'name'] as const).find((key) =>
      expressionsIn(job[key]).some(looksAtNeeds),
    )
    if (open) return [{ ...blank, reason: decidedLater(workflow, job, WORDS[open]) }]
  }
  const combinations = find(job.strategy, 'matrix') ? combinationsOf(workflow, job, scope) : [{}]
  return combinations.map((matrix, index) =>
    planLeg(workflow, job, input, withMatrix(scope, job, matrix, index, combinations.length), matrix),
  )
}

function planLeg(
  workflow: WorkflowDefinition,
  job: JobDefinition,
  input: PlanInput,
  matrixScope: Scope,
  matrix: ValueMap,
): PlannedLeg {
  const env = { ...evaluateTexts(workflow.env, matrixScope), ...evaluateTexts(job.env, matrixScope) }
  const scope: Scope = { ...matrixScope, contexts: { ...matrixScope.contexts, env } }
  const runsOn = job.runsOn ? labelsOf(evaluateToken(job.runsOn, scope)) : []
  const leg: PlannedLeg = {
    ...blankLeg(job, scope),
    leg: legName(jobName(job, scope), expressionsIn(job.name).length > 0, matrix),
    matrix,
    runsOn,
    env,
    timeoutMs: minutes(job.timeoutMinutes, scope),
    continueOnError: flag(job.continueOnError, scope),
  }
  const refused = refusedLabels(runsOn)
  if (refused !== undefined) {
    const reason = reasonAt(workflow.path, job.runsOn?.line ?? job.line, refused)
    return { ...leg, status: 'unsupported', reason }
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
  const resting = notStarted(workflow.on, input.event)
  if (resting) return { status: 'skipped', reason: reasonAt(workflow.path, resting.line, resting.reason) }
  const condition = conditionOf(job.if)
  if (needs === null && looksAtNeeds(condition)) {
    return { status: 'planned', reason: decidedLater(workflow, job, 'its if is') }
  }
  if (!evaluateCondition(job.if, scope)) {
    const reason = reasonAt(workflow.path, job.if?.line ?? job.line, `if is false: ${condition}`)
    return { status: 'skipped', reason }
  }
  const missing = (['uses', 'container', 'services'] as const).find((key) => job[key] !== undefined)
  if (missing === undefined) return undefined
  const what = missing === 'uses' ? 'a reusable workflow' : missing
  return {
    status: 'unsupported',
    reason: reasonAt(workflow.path, job[missing]?.line, `${what} is not supported`),
  }
}

function combinationsOf(workflow: WorkflowDefinition, job: JobDefinition, scope: Scope): readonly ValueMap[] {
  const token = find(job.strategy, 'matrix')
  const line = token?.line ?? job.line
  const value = token ? evaluateToken(token, scope) : {}
  const combinations = isValueMap(value) ? expandMatrix(value) : []
  if (combinations.length === 0) {
    throw new WorkflowError('the matrix has no combination', { place: workflow.path, line })
  }
  if (combinations.length > MATRIX_LEGS) {
    throw new WorkflowError(
      `the matrix has ${combinations.length} combinations, at most ${MATRIX_LEGS} are allowed`,
      {
        place: workflow.path,
        line,
      },
    )
  }
  return combinations
}

function jobScope(
  workflow: WorkflowDefinition,
  job: JobDefinition,
  input: PlanInput,
  needs: ReadonlyMap<string, NeededJob> | null,
): Scope {
  const needed = Object.fromEntries(
    job.needs.map((id) => {
      const { result = 'success', outputs = {} } = needs?.get(id) ?? {}
      return [id, { result, outputs: { ...outputs } }]
    }),
  )
  return {
    path: workflow.path,
    status: statusOf(job, needs),
    contexts: {
      github: { ...githubContext(workflow.path, workflow.name, input.event), job: job.id },
      needs: needed,
      runner: RUNNER_CONTEXT,
    },
  }
}

/**
 * A job runs by default only when every job before it succeeded, however far back: failure() asks any ancestor, and a
 * skipped one is no success and no failure.
 */
function statusOf(job: JobDefinition, needs: ReadonlyMap<string, NeededJob> | null): JobStatus {
  return worstStatus(
    job.needs.flatMap((id) => {
      const needed = needs?.get(id)
      return needed ? [needed.result, needed.before] : []
    }),
  )
}

export function worstStatus(statuses: readonly JobStatus[]): JobStatus {
  const order = ['cancelled', 'failure', 'skipped'] as const
  return order.find((status) => statuses.includes(status)) ?? 'success'
}

function withMatrix(scope: Scope, job: JobDefinition, matrix: ValueMap, index: number, total: number): Scope {
  const strategy: ValueMap = {
    'fail-fast': job.strategy ? flag(find(job.strategy, 'fail-fast'), scope) : true,
    'job-index': index,
    'job-total': total,
    'max-parallel': total,
  }
  // The needs are behind it: from here on success() speaks of the job's own steps.
  return { ...scope, status: 'success', contexts: { ...scope.contexts, matrix, strategy } }
}

const blankLeg = (job: JobDefinition, scope: Scope): PlannedLeg => ({
  leg: expressionsIn(job.name).length > 0 ? job.id : jobName(job, scope),
  job: job.id,
  matrix: {},
  runsOn: [],
  status: 'planned',
  reason: null,
  steps: [],
  timeoutMs: minutes(undefined, scope),
  continueOnError: false,
  env: {},
  contexts: scope.contexts,
  definition: job,
})

const jobName = (job: JobDefinition, scope: Scope): string => evaluateText(job.name, scope) || job.id

const WORDS = {
  strategy: 'the matrix is',
  runsOn: 'runs-on is',
  env: 'its env is',
  name: 'its name is',
} as const

const decidedLater = (workflow: WorkflowDefinition, job: JobDefinition, what: string): string =>
  reasonAt(workflow.path, job.line, `${what} decided when ${job.needs.join(', ')} has run`)
