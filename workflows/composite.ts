import type { ActionFile } from './action-file.ts'
import type { Scope } from './expressions.ts'
import { inputsOf } from './inputs.ts'
import type { JobDefinition, WorkflowDefinition } from './parse.ts'
import { entries, evaluateText, find } from './token.ts'
import { isValueMap, textOf, type ValueMap } from './values.ts'

/** GitHub runs actions within actions this deep. */
export const ACTION_LEVELS = 10

/** Where the steps of a composite action stand: `defaults` of workflow and job do not reach them. */
export interface CompositePlace {
  readonly workflow: WorkflowDefinition
  readonly job: JobDefinition
  /** Its steps see their own inputs and steps, and no needs. */
  readonly scope: Scope
}

/**
 * `scope`: of the step that uses the action, its own env in it. `given`: its `with`. `actionPath`: the action's folder inside
 * the sandbox.
 */
export function compositePlace(
  workflow: WorkflowDefinition,
  job: JobDefinition,
  file: ActionFile,
  given: ValueMap,
  scope: Scope,
  actionPath: string,
): CompositePlace {
  const { github, env, runner, job: jobContext, strategy, matrix } = scope.contexts
  const inputs = inputsOf(file.inputs, { values: given, place: { place: file.path } }, scope, false)
  const known = isValueMap(github) ? github : {}
  return {
    workflow: { ...workflow, path: file.path, defaults: undefined },
    job: { ...job, defaults: undefined },
    scope: {
      ...scope,
      path: file.path,
      status: 'success',
      contexts: {
        github: { ...known, action_path: actionPath },
        env: env ?? {},
        runner: runner ?? {},
        job: jobContext ?? {},
        strategy: strategy ?? {},
        matrix: matrix ?? {},
        inputs,
        steps: {},
      },
    },
  }
}

/** The folder of a local action inside the sandbox; of one of another repository, the folder to which it is copied. */
export function actionPathOf(file: ActionFile, scope: Scope): string {
  const { github } = scope.contexts
  const workspace = isValueMap(github) ? textOf(github.workspace) : ''
  const root = file.remote === null ? workspace : `${workspace}/../_actions/${file.remote}`
  return file.folder === '' ? root : `${root}/${file.folder}`
}

/** The outputs of the action, from its own steps. */
export const compositeOutputs = (file: ActionFile, scope: Scope): Record<string, string> =>
  Object.fromEntries(
    entries(file.outputs).map(([name, output]) => [name, evaluateText(find(output, 'value'), scope) ?? '']),
  )
