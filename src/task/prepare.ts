import type { LanguageAdapter } from '../../languages/adapter.ts'
import { InputError } from '../errors.ts'
import { toAppliedChanges } from '../schema/applied.ts'
import type { PreparedTask } from '../schema/prepared.ts'
import type { LoadedTask } from '../schema/task.ts'
import type { AppliedChanges, FileChange, RepoView } from '../schema/tree.ts'
import { changedView, gitRepoView } from './repo-view.ts'
import { openTemplate, repoNameOf } from './template.ts'

/** What the human diffs need from the patch engine; declared here since tasks and patches do not know each other. */
export type ApplyDiff = (request: {
  template: string
  base: RepoView
  diff: Buffer
}) => Promise<{ kind: 'applied'; changes: AppliedChanges } | { kind: string; detail: string }>

export interface PrepareRequest {
  readonly loaded: LoadedTask
  readonly templates: string
  readonly adapter: LanguageAdapter
  readonly applyDiff: ApplyDiff
  readonly ownLayer: (layer: string) => Promise<void>
}

const COMMENT = 'Kept as it is.'

/** The tree's version of each file with a comment added; files that cannot carry one stay out. */
function commented(tree: RepoView, paths: readonly string[], adapter: LanguageAdapter): FileChange[] {
  return paths.flatMap((path): FileChange[] => {
    const bytes = tree.read(path)
    if (bytes === undefined) return []
    const text = adapter.withComment(path, bytes.toString('utf8'), COMMENT)
    if (text === undefined) return []
    return [
      { change: 'write', path, mode: '100644', contentBase64: Buffer.from(text, 'utf8').toString('base64') },
    ]
  })
}

/** Later changes of the same path win. */
const stacked = (lower: readonly FileChange[], upper: readonly FileChange[]): AppliedChanges => {
  const byPath = new Map(lower.map((change) => [change.path, change]))
  for (const change of upper) byPath.set(change.path, change)
  return toAppliedChanges([...byPath.values()])
}

/**
 * Makes a loaded task ready to be played: template, base view, and the human changes applied on it.
 * Throws InputError when a diff of the task does not apply on its own base commit.
 */
export async function prepareTask(request: PrepareRequest): Promise<PreparedTask> {
  const { loaded, adapter } = request
  const { layer, template } = await openTemplate({
    loaded,
    folder: request.templates,
    ownLayer: request.ownLayer,
  })
  const base = await gitRepoView(template, 'HEAD')
  const apply = async (
    field: 'goldenPatch' | 'testPatch',
    diff: Buffer | null,
  ): Promise<AppliedChanges | null> => {
    if (diff === null) return null
    const result = await request.applyDiff({ template, base, diff })
    if ('changes' in result) return result.changes
    throw new InputError(`${field}: ${result.kind} on the base commit (${result.detail})`, {
      place: `${loaded.folder}/task.json`,
      remedy: 'make the diff against baseCommit',
    })
  }
  const golden = await apply('goldenPatch', loaded.goldenPatch)
  const upstreamTests = await apply('testPatch', loaded.testPatch)
  const touched = golden?.changes.map((change) => change.path) ?? []
  return {
    loaded,
    layer,
    template,
    repoName: repoNameOf(loaded),
    base,
    golden,
    upstreamTests,
    commentedBase: toAppliedChanges(commented(base, touched, adapter)),
    commentedGolden:
      golden === null
        ? null
        : stacked(golden.changes, commented(changedView(base, golden.changes), touched, adapter)),
  }
}
