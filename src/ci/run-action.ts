import { readActionFile } from '../../workflows/action-file.ts'
import { isMapped, mapAction } from '../../workflows/actions/index.ts'
import { refsOf } from '../../workflows/contexts.ts'
import type { Scope } from '../../workflows/expressions.ts'
import type { StepDefinition } from '../../workflows/parse.ts'
import type { ResolvedStep } from '../../workflows/resolve-step.ts'
import type { StepResult } from '../schema/ci-run.ts'
import { type JobState, withStep } from './job-state.ts'
import { runComposite } from './run-composite.ts'
import { ended, runScript } from './run-script.ts'
import type { StepWorld } from './run-step.ts'
import { runStore } from './run-store.ts'
import type { Session } from './session.ts'

/** A `uses` step that runs now. */
export interface ActionStep {
  readonly world: StepWorld
  readonly session: Session
  readonly state: JobState
  readonly step: StepDefinition
  readonly resolved: ResolvedStep
  /** Of the step, its own env in it. */
  readonly scope: Scope
  readonly work: Extract<ResolvedStep['work'], { kind: 'uses' }>
  readonly blank: StepResult
}

/** What stands in for the action: its mapping, or the steps of a composite action. */
export async function runAction(action: ActionStep): Promise<JobState> {
  const { world, session, state, step, resolved, work, blank } = action
  const file = isMapped(work.uses) ? undefined : readActionFile(work.uses, world.atHand)
  if (file?.using === 'composite') return runComposite(action, file)
  const env = { ...world.context.leg.env, ...state.env, ...resolved.env }
  const refs = refsOf(action.scope.contexts.github)
  const effect = mapAction(work.uses, { ...world.atHand, with: work.with, env, refs })
  if (effect.kind === 'unsupported') {
    // After a failure this is only how the job ends: a candidate must not turn its failed leg into an unsupported one.
    const reason = `${world.workflow.path}:${step.line}: ${effect.reason}`
    const next = withStep(state, step.id, ended(blank, 'unsupported', false, [reason]), {})
    return state.status === 'success' ? { ...next, unsupported: reason } : next
  }
  if (effect.kind === 'script') {
    const script = { kind: 'run', script: effect.script, shell: 'bash', workingDirectory: null } as const
    const noted = { ...blank, notes: effect.notes.filter((note) => note !== '') }
    const next = await runScript(world, session, state, step, resolved, script, noted)
    return { ...next, env: { ...next.env, ...effect.env } }
  }
  if (effect.store) return runStore({ ...action, blank: { ...blank, notes: [] } }, effect.store)
  const next = withStep(state, step.id, ended(blank, 'success', false, effect.notes), effect.outputs)
  return { ...next, env: { ...next.env, ...effect.env }, path: [...effect.path, ...next.path] }
}
