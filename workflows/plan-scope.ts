import { githubContext, runnerContext } from './contexts.ts'
import type { JobStatus, Scope } from './expressions.ts'
import { inputsOf } from './inputs.ts'
import type { JobDefinition, WorkflowDefinition } from './parse.ts'
import type { NeededJob, PlanInput } from './plan.ts'
import { find } from './token.ts'
import { isValueMap } from './values.ts'

/** Before any job: what `concurrency` of a workflow sees, and the ground of every job's scope. */
export function workflowScope(workflow: WorkflowDefinition, input: PlanInput): Scope {
  const { caller, event } = input
  const github = githubContext(workflow.path, caller?.workflowName ?? workflow.name, event)
  const scope: Scope = { path: workflow.path, status: 'success', contexts: { github } }
  const asked = find(find(workflow.on, 'workflow_dispatch'), 'inputs')
  const given = { values: {}, place: { place: workflow.path } }
  const inputs =
    caller?.inputs ?? (event.name === 'workflow_dispatch' ? inputsOf(asked, given, scope, false) : {})
  return { ...scope, contexts: { github, inputs } }
}

/** The scope of a job whose needs have ended so; null when nothing has run yet. */
export function jobScope(
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
  const scope = workflowScope(workflow, input)
  const { github } = scope.contexts
  return {
    ...scope,
    status: statusOf(job, needs),
    contexts: {
      ...scope.contexts,
      github: { ...(isValueMap(github) ? github : {}), job: job.id },
      needs: needed,
      runner: runnerContext(input.event.workspace),
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
