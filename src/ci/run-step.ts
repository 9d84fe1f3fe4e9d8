import type { Reporting } from '../../languages/adapter.ts'
import { evaluateCondition } from '../../workflows/conditions.ts'
import { WorkflowError } from '../../workflows/errors.ts'
import type { Scope } from '../../workflows/expressions.ts'
import type { StepDefinition, WorkflowDefinition } from '../../workflows/parse.ts'
import type { AtHand } from '../../workflows/plan-step.ts'
import { resolveStep, scopeOfStep } from '../../workflows/resolve-step.ts'
import type { StepResult } from '../schema/ci-run.ts'
import { type JobState, movingContexts, withStep } from './job-state.ts'
import type { CiOptions } from './options.ts'
import { runAction } from './run-action.ts'
import { ended, runScript } from './run-script.ts'
import type { Session } from './session.ts'
import type { LegContext } from './step-environment.ts'
import { replayStep, type WarmStep } from './warm-record.ts'

/** Everything that a step needs beside the state of its job. */
export interface StepWorld {
  readonly options: CiOptions
  readonly workflow: WorkflowDefinition
  readonly context: LegContext
  readonly atHand: AtHand
  readonly hashFiles: (patterns: readonly string[]) => string
  readonly reporting: Reporting
  /** Added on top of a step's environment: what the armed run needs. */
  readonly extraEnv: Readonly<Record<string, string>>
  /** Steps that ran in the leg's warm phase, by index. */
  readonly warm: ReadonlyMap<number, WarmStep>
  /** How many composite actions stand around the step. */
  readonly depth: number
  readonly signal: AbortSignal | undefined
}

/** The scope of a step that starts now. */
export function scopeNow(world: StepWorld, state: JobState): Scope {
  const { leg, sha } = world.context
  const github = leg.contexts.github
  return {
    path: world.workflow.path,
    status: state.status,
    hashFiles: world.hashFiles,
    contexts: {
      ...leg.contexts,
      ...movingContexts(state),
      github: typeof github === 'object' && github !== null ? { ...github, sha } : {},
      env: { ...leg.env, ...state.env },
    },
  }
}

/**
 * Runs one step, or passes over it when its `if` says so, and returns the job as it is then. A step that cannot be
 * evaluated fails, as on GitHub. Throws RunnerUnavailableError when the sandbox breaks.
 */
export async function runStep(
  world: StepWorld,
  session: Session,
  state: JobState,
  step: StepDefinition,
): Promise<JobState> {
  const blank: StepResult = {
    index: step.index,
    name: world.context.leg.steps[step.index]?.name ?? `step ${step.index + 1}`,
    uses: step.uses,
    outcome: 'skipped',
    conclusion: 'skipped',
    exitCode: null,
    durationMs: 0,
    log: null,
    droppedBytes: 0,
    notes: [],
  }
  try {
    const { scope, env } = scopeOfStep(step, scopeNow(world, state))
    if (!evaluateCondition(step.if, scope)) return withStep(state, step.id, blank, {})
    const resolved = resolveStep(world.workflow, world.context.leg.definition, step, scope, env)
    const named = { ...blank, name: resolved.name }
    const kept = world.warm.get(step.index)
    if (kept) return replayStep(state, step.id, resolved.name, kept)
    return resolved.work.kind === 'uses'
      ? await runAction({ world, session, state, step, resolved, scope, work: resolved.work, blank: named })
      : await runScript(world, session, state, step, resolved, resolved.work, named)
  } catch (error) {
    if (!(error instanceof WorkflowError)) throw error
    return withStep(state, step.id, ended(blank, 'failure', false, [error.message]), {})
  }
}
