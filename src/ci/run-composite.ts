import type { ActionFile } from '../../workflows/action-file.ts'
import { ACTION_LEVELS, actionPathOf, compositeOutputs, compositePlace } from '../../workflows/composite.ts'
import { WorkflowError } from '../../workflows/errors.ts'
import type { Conclusion, StepResult } from '../schema/ci-run.ts'
import { FRESH_JOB, type JobState, withStep } from './job-state.ts'
import { placeRemoteAction } from './place-remote-action.ts'
import type { ActionStep } from './run-action.ts'
import { ended } from './run-script.ts'
import { runStep, type StepWorld, scopeNow } from './run-step.ts'

/**
 * Runs the steps of a composite action as one step: its variables, folders and masks stay, its own steps and their outputs do
 * not. Throws WorkflowError where it cannot be evaluated.
 */
export async function runComposite(action: ActionStep, file: ActionFile): Promise<JobState> {
  const { world, session, state, step } = action
  if (world.depth >= ACTION_LEVELS)
    throw new WorkflowError(`actions use each other over more than ${ACTION_LEVELS} levels`, {
      place: world.workflow.path,
      line: step.line,
    })
  const actionPath = actionPathOf(file, action.scope)
  if (file.remote !== null) await placeRemoteAction(world, session, file.remote, actionPath)
  const logs: string[] = []
  const inside = worldInside(action, file, actionPath, logs)
  let inner: JobState = { ...FRESH_JOB, env: state.env, path: state.path, masks: state.masks }
  for (const each of file.steps) {
    if (inner.unsupported !== null) break
    world.signal?.throwIfAborted()
    inner = await runStep(inside, session, inner, each)
  }
  const outputs = compositeOutputs(file, scopeNow(inside, inner))
  const next = withStep(state, step.id, await wholeResult(action, inner, logs), outputs)
  const { env, path, masks } = inner
  // As with any action: after a failure this is only how the job ends.
  const unsupported = state.status === 'success' ? inner.unsupported : state.unsupported
  return { ...next, env, path, masks, unsupported }
}

function worldInside(action: ActionStep, file: ActionFile, actionPath: string, logs: string[]): StepWorld {
  const { world, step, resolved, scope, work } = action
  const { leg } = world.context
  const place = compositePlace(world.workflow, leg.definition, file, work.with, scope, actionPath)
  return {
    ...world,
    options: {
      ...world.options,
      putBlob: (bytes) => {
        logs.push(Buffer.from(bytes).toString('utf8'))
        return world.options.putBlob(bytes)
      },
    },
    workflow: place.workflow,
    context: {
      ...world.context,
      leg: {
        ...leg,
        definition: { ...place.job, steps: file.steps },
        steps: leg.steps[step.index]?.steps ?? [],
        contexts: place.scope.contexts,
        env: { ...leg.env, ...resolved.env },
      },
    },
    extraEnv: { ...world.extraEnv, GITHUB_ACTION_PATH: actionPath },
    warm: new Map(),
    depth: world.depth + 1,
  }
}

/** One result for all its steps: the first that failed says how it ended, their logs follow each other. */
async function wholeResult(
  { world, resolved, blank }: ActionStep,
  inner: JobState,
  logs: readonly string[],
): Promise<StepResult> {
  const failed = inner.results.find(({ conclusion }) => conclusion !== 'success' && conclusion !== 'skipped')
  const outcome: Conclusion = failed?.conclusion ?? 'success'
  const notes = inner.results.flatMap((result) => result.notes.map((note) => `${result.name}: ${note}`))
  const sum = (of: (result: StepResult) => number): number =>
    inner.results.reduce((total, result) => total + of(result), 0)
  return {
    ...ended(blank, outcome, outcome !== 'unsupported' && resolved.continueOnError, notes),
    exitCode: failed
      ? failed.exitCode
      : (inner.results.findLast(({ exitCode }) => exitCode !== null)?.exitCode ?? null),
    durationMs: sum(({ durationMs }) => durationMs),
    log: logs.length === 0 ? null : await world.options.putBlob(Buffer.from(logs.join(''), 'utf8')),
    droppedBytes: sum(({ droppedBytes }) => droppedBytes),
  }
}
