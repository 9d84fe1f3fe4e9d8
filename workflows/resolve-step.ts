import { containerOf } from './container.ts'
import type { Scope } from './expressions.ts'
import type { JobDefinition, StepDefinition, WorkflowDefinition } from './parse.ts'
import { evaluateText, evaluateTexts, evaluateToken, find, type Token } from './token.ts'
import { textOf, type Value } from './values.ts'

const MINUTE_MS = 60_000
/** GitHub's own limit for a job, and so for a step. */
const DEFAULT_MINUTES = 360

/** A step with everything evaluated: what the runner is told. */
export interface ResolvedStep {
  readonly name: string
  /** The step's own env; the job's is not in it. */
  readonly env: Readonly<Record<string, string>>
  readonly work:
    | {
        readonly kind: 'run'
        readonly script: string
        /** As written; null for the machine's default shell, that of a container is `sh`. */
        readonly shell: string | null
        /** As written, relative to the workspace; null for the workspace. */
        readonly workingDirectory: string | null
      }
    | { readonly kind: 'uses'; readonly uses: string; readonly with: Readonly<Record<string, string>> }
  readonly timeoutMs: number
  readonly continueOnError: boolean
}

/** The scope in which a step's `if`, `run` and `with` are read: its own env is there already, as on GitHub. */
export function scopeOfStep(
  step: StepDefinition,
  scope: Scope,
): { scope: Scope; env: Record<string, string> } {
  const env = evaluateTexts(step.env, scope)
  const outer = scope.contexts.env ?? {}
  const all = typeof outer === 'object' && outer !== null && !Array.isArray(outer) ? outer : {}
  return { env, scope: { ...scope, contexts: { ...scope.contexts, env: { ...all, ...env } } } }
}

/**
 * Evaluates a step from the contexts as they are when it starts. `scope` and `env`: from scopeOfStep. Throws WorkflowError:
 * then the step fails, as on GitHub.
 */
export function resolveStep(
  workflow: WorkflowDefinition,
  job: JobDefinition,
  step: StepDefinition,
  scope: Scope,
  env: Readonly<Record<string, string>>,
): ResolvedStep {
  const setting = (key: 'shell' | 'working-directory'): string | null =>
    evaluateText(runSetting(workflow, job, step, key), scope) ?? null
  const script = step.uses === null ? (evaluateText(step.run, scope) ?? '') : null
  return {
    name: evaluateText(step.name, scope) || defaultName(step, script),
    env,
    work:
      step.uses !== null
        ? { kind: 'uses', uses: step.uses, with: evaluateTexts(step.with, scope) }
        : {
            kind: 'run',
            script: script ?? '',
            shell: setting('shell') ?? (containerOf(job.container, scope) ? 'sh' : null),
            workingDirectory: setting('working-directory'),
          },
    timeoutMs: minutes(step.timeoutMinutes, scope),
    continueOnError: flag(step.continueOnError, scope),
  }
}

/** GitHub's name for a step without one: `Run` and the first line of its script, or its action. */
export const defaultName = (step: StepDefinition, script: string | null): string =>
  `Run ${step.uses ?? (script ?? '').trim().split('\n')[0] ?? ''}`

/** The step's own setting, else the job's default, else the workflow's. */
export function runSetting(
  workflow: WorkflowDefinition,
  job: JobDefinition,
  step: StepDefinition,
  key: 'shell' | 'working-directory',
): Token | undefined {
  const own = key === 'shell' ? step.shell : step.workingDirectory
  return own ?? find(find(job.defaults, 'run'), key) ?? find(find(workflow.defaults, 'run'), key)
}

/** `timeout-minutes` in milliseconds; GitHub's six hours where none is given. */
export function minutes(token: Token | undefined, scope: Scope): number {
  const value = Number(token ? textOf(evaluateToken(token, scope)) : DEFAULT_MINUTES)
  return (Number.isFinite(value) && value > 0 ? value : DEFAULT_MINUTES) * MINUTE_MS
}

/** A boolean key such as `continue-on-error`. */
export function flag(token: Token | undefined, scope: Scope): boolean {
  const value: Value = token ? evaluateToken(token, scope) : false
  return value === true || value === 'true'
}
