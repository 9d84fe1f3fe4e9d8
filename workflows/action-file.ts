import { NoOperationTraceWriter } from '@actions/workflow-parser'
import { parseAction } from '@actions/workflow-parser/actions/action-parser'
import { WorkflowError } from './errors.ts'
import { readStep, type StepDefinition } from './parse.ts'
import { find, items, sourceOf, type Token } from './token.ts'

/** An action's own file, as far as it can be run or refused. */
export interface ActionFile {
  /** Of `action.yml`, for messages. */
  readonly path: string
  /** The action's folder: in the workspace, or in the copy of its own repository. */
  readonly folder: string
  /** `owner/name@ref` of an action of another repository; null for one in the workspace. */
  readonly remote: string | null
  /** `composite`, `node20`, `docker`, …. */
  readonly using: string
  readonly inputs: Token | undefined
  readonly outputs: Token | undefined
  /** The script of a JavaScript action, in its folder; null for any other. */
  readonly main: string | null
  /** Whether something of it runs when the job has ended. */
  readonly hasPost: boolean
  /** Of a composite action; empty for any other. */
  readonly steps: readonly StepDefinition[]
}

/** Where actions and workflows are read. */
export interface Sources {
  /** Reads a file of the base tree, undefined when there is none. */
  readonly readFile: (path: string) => string | undefined
  /** Reads a file of another repository (`owner/name`) at a reference, undefined when it is not at hand. */
  readonly readRemote?: (repository: string, ref: string, path: string) => string | undefined
}

/** The file behind `uses: ./folder`, `uses: $/folder` or `uses: owner/name/folder@ref`; undefined when it is not at hand. */
export function readActionFile(uses: string, sources: Sources): ActionFile | undefined {
  const place = placeOf(uses)
  if (!place) return undefined
  const { repository, ref, folder } = place
  for (const name of ['action.yml', 'action.yaml']) {
    const path = folder === '' ? name : `${folder}/${name}`
    const text = repository === null ? sources.readFile(path) : sources.readRemote?.(repository, ref, path)
    if (text === undefined) continue
    const remote = repository === null ? null : `${repository}@${ref}`
    return parseActionText(remote === null ? path : `${remote}/${path}`, text, folder, remote)
  }
  return undefined
}

/** A file or folder of the workspace (`./`, and `$/` for the repository itself) or of another repository. Undefined for `docker://…`. */
export function placeOf(
  uses: string,
): { readonly repository: string | null; readonly ref: string; readonly folder: string } | undefined {
  const local = /^[.$]\/(.*?)\/*$/.exec(uses)
  if (local) return { repository: null, ref: '', folder: local[1] ?? '' }
  const remote = /^([\w.-]+\/[\w.-]+)(?:\/([^@]+?))?\/*@(.+)$/.exec(uses)
  return remote ? { repository: remote[1] ?? '', ref: remote[3] ?? '', folder: remote[2] ?? '' } : undefined
}

/** GitHub's schema is stricter than GitHub: only what cannot be run at all is an error. */
function parseActionText(path: string, text: string, folder: string, remote: string | null): ActionFile {
  const { context, value } = parseAction({ name: path, content: text }, new NoOperationTraceWriter())
  const runs = find(value, 'runs')
  const using = sourceOf(find(runs, 'using'))
  if (using === undefined) {
    const first = context.errors.getErrors()[0]?.rawMessage.split('\n')[0]
    throw new WorkflowError(first ?? 'runs.using is missing', { place: path })
  }
  const steps = items(find(runs, 'steps')).map(readStep)
  const bare = steps.find((step) => step.run && !step.shell)
  if (bare)
    throw new WorkflowError('a run step of an action needs its shell', { place: path, line: bare.line })
  return {
    path,
    folder,
    remote,
    using: using.toLowerCase(),
    inputs: find(value, 'inputs'),
    outputs: find(value, 'outputs'),
    main: sourceOf(find(runs, 'main')) ?? null,
    hasPost: find(runs, 'post') !== undefined,
    steps,
  }
}
