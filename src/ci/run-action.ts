import { readActionFile } from '../../workflows/action-file.ts'
import { isMapped, mapAction } from '../../workflows/actions/index.ts'
import { refsOf } from '../../workflows/contexts.ts'
import type { Scope } from '../../workflows/expressions.ts'
import { refusedJavaScript } from '../../workflows/javascript-action.ts'
import type { StepDefinition } from '../../workflows/parse.ts'
import type { ResolvedStep } from '../../workflows/resolve-step.ts'
import type { StepResult } from '../schema/ci-run.ts'
import { type JobState, withStep } from './job-state.ts'
import { runComposite } from './run-composite.ts'
import { runJavaScript } from './run-javascript.ts'
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
  if (file) {
    const why = refusedJavaScript(work.uses, file, world.atHand)
    if (why !== undefined) return refused(action, why)
    const next = await runJavaScript(action, file)
    const post = file.hasPost ? ['what it does at the end of the job was not run'] : []
    return { ...next, results: withNotes(next.results, post) }
  }
  const env = { ...world.context.leg.env, ...state.env, ...resolved.env }
  const refs = refsOf(action.scope.contexts.github)
  const effect = mapAction(work.uses, { ...world.atHand, with: work.with, env, refs })
  if (effect.kind === 'unsupported') return refused(action, effect.reason)
  if (effect.kind === 'script') {
    const script = { kind: 'run', script: effect.script, shell: 'bash', workingDirectory: null } as const
    const next = await runScript(world, session, state, step, resolved, script, blank)
    const results = withNotes(next.results, effect.notes)
    return { ...next, results, env: { ...next.env, ...effect.env } }
  }
  if (effect.store) return runStore({ ...action, blank: { ...blank, notes: [] } }, effect.store)
  const next = withStep(state, step.id, ended(blank, 'success', false, effect.notes), effect.outputs)
  return { ...next, env: { ...next.env, ...effect.env }, path: [...effect.path, ...next.path] }
}

/** After a failure this is only how the job ends: a candidate must not turn its failed leg into an unsupported one. */
function refused({ world, state, step, blank }: ActionStep, why: string): JobState {
  const reason = `${world.workflow.path}:${step.line}: ${why}`
  const next = withStep(state, step.id, ended(blank, 'unsupported', false, [reason]), {})
  return state.status === 'success' ? { ...next, unsupported: reason } : next
}

/** The last result with what stood in for the action told first. */
const withNotes = (results: readonly StepResult[], notes: readonly string[]): readonly StepResult[] =>
  results.map((result, index) =>
    index === results.length - 1 ? { ...result, notes: [...notes, ...result.notes] } : result,
  )
