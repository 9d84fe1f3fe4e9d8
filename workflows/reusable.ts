import { placeOf, type Sources } from './action-file.ts'
import { WorkflowError } from './errors.ts'
import type { Scope } from './expressions.ts'
import { inputsOf } from './inputs.ts'
import { type JobDefinition, parseWorkflowText, type WorkflowDefinition } from './parse.ts'
import { entries, evaluateText, evaluateToken, find, sourceOf } from './token.ts'
import { eventNames } from './triggers.ts'
import { isValueMap, type Value, type ValueMap } from './values.ts'

/** GitHub connects at most ten levels of workflows, the first one included. */
const LEVELS = 10

/** Who called a workflow. */
export interface Caller {
  /** Display name and id of the calling leg, which stand before those of the jobs called. */
  readonly name: string
  readonly job: string
  readonly inputs: ValueMap
  /** Paths of the workflows that called each other, the first one first. */
  readonly chain: readonly string[]
  /** `github.workflow` is that of the first one. */
  readonly workflowName: string
}

export type Called =
  | { readonly kind: 'called'; readonly workflow: WorkflowDefinition; readonly inputs: ValueMap }
  | { readonly kind: 'unsupported'; readonly reason: string }

/**
 * The workflow that a job calls, and its inputs. Unsupported when its file is not at hand. Throws WorkflowError when it may
 * not be called so: no `workflow_call`, a stray or missing input, too many levels or a circle.
 */
export function calledWorkflow(
  caller: WorkflowDefinition,
  job: JobDefinition,
  scope: Scope,
  chain: readonly string[],
  sources: Sources,
): Called {
  const uses = sourceOf(job.uses) ?? ''
  const place = { place: caller.path, line: job.uses?.line ?? job.line }
  const found = placeOf(uses)
  if (!found) throw new WorkflowError(`'${uses}' names no workflow`, place)
  const { repository, ref, folder } = found
  const path = repository === null ? folder : `${repository}/${folder}@${ref}`
  if (chain.includes(path)) throw new WorkflowError(`${path} calls itself`, place)
  if (chain.length >= LEVELS)
    throw new WorkflowError(`workflows call each other over more than ${LEVELS} levels`, place)
  const text = repository === null ? sources.readFile(path) : sources.readRemote?.(repository, ref, folder)
  if (text === undefined && repository === null)
    throw new WorkflowError(`calls ${path}, which is not in the tree`, place)
  if (text === undefined) return { kind: 'unsupported', reason: `reusable workflow ${uses} is not at hand` }
  const workflow = parseWorkflowText(path, text)
  if (!eventNames(workflow.on).includes('workflow_call'))
    throw new WorkflowError(`${path} has no workflow_call`, place)
  const declared = find(find(workflow.on, 'workflow_call'), 'inputs')
  const given = job.with ? evaluateToken(job.with, scope) : {}
  const values = isValueMap(given) ? given : {}
  return { kind: 'called', workflow, inputs: inputsOf(declared, { values, place }, scope, true) }
}

/** The outputs of a called workflow, from the results and outputs of its jobs. */
export function callOutputs(
  workflow: WorkflowDefinition,
  scope: Scope,
  jobs: Readonly<Record<string, Value>>,
): Record<string, string> {
  const inner: Scope = { ...scope, path: workflow.path, contexts: { ...scope.contexts, jobs: { ...jobs } } }
  const declared = entries(find(find(workflow.on, 'workflow_call'), 'outputs'))
  return Object.fromEntries(
    declared.map(([name, output]) => [name, evaluateText(find(output, 'value'), inner) ?? '']),
  )
}
