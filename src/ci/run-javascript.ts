import type { ActionFile } from '../../workflows/action-file.ts'
import { actionPathOf } from '../../workflows/composite.ts'
import { inputsOf } from '../../workflows/inputs.ts'
import { inputVariable, javaScriptOf } from '../../workflows/javascript-action.ts'
import type { ResolvedStep } from '../../workflows/resolve-step.ts'
import { textOf } from '../../workflows/values.ts'
import type { JobState } from './job-state.ts'
import { placeRemoteAction } from './place-remote-action.ts'
import type { ActionStep } from './run-action.ts'
import { runScript } from './run-script.ts'

/**
 * Runs the `main` script of a JavaScript action with its inputs as variables. What the action would do when the job has ended
 * is not run.
 */
export async function runJavaScript(action: ActionStep, file: ActionFile): Promise<JobState> {
  const { world, session, state, step, resolved, scope, work, blank } = action
  const actionPath = actionPathOf(file, scope)
  if (file.remote !== null) await placeRemoteAction(world, session, file.remote, actionPath)
  const given = { values: work.with, place: { place: file.path } }
  const inputs = { ...work.with, ...inputsOf(file.inputs, given, scope, false) }
  const variables = Object.entries(inputs).map(([name, value]) => [inputVariable(name), textOf(value)])
  const env = { ...resolved.env, ...Object.fromEntries(variables), GITHUB_ACTION_PATH: actionPath }
  const asScript: ResolvedStep = { ...resolved, env }
  const script = {
    kind: 'run',
    script: javaScriptOf(file),
    shell: 'node {0}',
    workingDirectory: null,
  } as const
  return runScript(world, session, state, step, asScript, script, blank)
}
