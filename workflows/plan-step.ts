import type { ToolVersions } from './actions/action.ts'
import { mapAction } from './actions/index.ts'
import { conditionOf, evaluateCondition } from './conditions.ts'
import { reasonAt } from './errors.ts'
import type { Scope } from './expressions.ts'
import type { JobDefinition, StepDefinition, WorkflowDefinition } from './parse.ts'
import { resolveStep, scopeOfStep } from './resolve-step.ts'
import { refusedShell } from './shell.ts'
import { expressionsIn, sourceOf } from './token.ts'

/** What a plan may look at beside the workflow: tools and files at hand. */
export interface AtHand {
  readonly tools: ToolVersions
  /** Reads a file of the base tree, undefined when there is none. */
  readonly readFile: (path: string) => string | undefined
  readonly substitute: boolean
}

/** A step as planned: what is known before anything has run. */
export interface PlannedStep {
  readonly index: number
  readonly line: number
  readonly name: string
  readonly uses: string | null
  /** The script as far as it is known now; null for an action. */
  readonly script: string | null
  /** `decided-later`: its `if` looks at what earlier steps do. */
  readonly status: 'planned' | 'skipped' | 'decided-later' | 'unsupported'
  readonly reason: string | null
  readonly notes: readonly string[]
}

export function planStep(
  workflow: WorkflowDefinition,
  job: JobDefinition,
  step: StepDefinition,
  jobScope: Scope,
  atHand: AtHand,
): PlannedStep {
  const { scope, env } = scopeOfStep(step, jobScope)
  const resolved = resolveStep(workflow, job, step, scope, env)
  const planned: PlannedStep = {
    index: step.index,
    line: step.line,
    name: resolved.name,
    uses: step.uses,
    script: resolved.work.kind === 'run' ? resolved.work.script : null,
    status: 'planned',
    reason: null,
    notes: [],
  }
  const condition = conditionOf(step.if)
  const later = looksAtRun(condition)
  if (!later && !evaluateCondition(step.if, scope)) {
    const reason = reasonAt(workflow.path, step.if?.line ?? step.line, `if is false: ${condition}`)
    return { ...planned, status: 'skipped', reason }
  }
  if (resolved.work.kind === 'run') {
    const refused = refusedShell(resolved.work.shell)
    if (refused === undefined) return { ...planned, status: later ? 'decided-later' : 'planned' }
    return { ...planned, status: 'unsupported', reason: reasonAt(workflow.path, step.line, refused) }
  }
  // What it is given may only be known while the job runs; then the executor asks the mapping again.
  if (expressionsIn(step.with).some(looksAtRun)) return { ...planned, status: 'decided-later' }
  const { uses, with: inputs } = resolved.work
  const effect = mapAction(uses, { ...atHand, with: inputs, env: { ...env } })
  if (effect.kind === 'unsupported') {
    const reason = reasonAt(workflow.path, step.line, effect.reason)
    return { ...planned, status: later ? 'decided-later' : 'unsupported', reason }
  }
  return { ...planned, status: later ? 'decided-later' : 'planned', notes: effect.notes }
}

/** Whether an expression looks at what only a running job knows: steps, its own status, files, variables set by steps. */
export function looksAtRun(expression: string): boolean {
  return /(^|[^.\w'-])(steps|job|env)\s*[.[]|hashFiles\s*\(/i.test(expression)
}

/** The step's text where it cannot be evaluated, for a plan that shows it. */
export const scriptSource = (step: StepDefinition): string => sourceOf(step.run) ?? ''
