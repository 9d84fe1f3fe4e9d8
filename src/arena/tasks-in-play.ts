import { join } from 'node:path'
import { languages } from '../../languages/index.ts'
import { ownLayer } from '../ci/layers.ts'
import { InputError } from '../errors.ts'
import { casesOf } from '../match/controls.ts'
import type { TaskInPlay } from '../match/round.ts'
import { applyDiff } from '../patch/apply-diff.ts'
import type { OnEvent } from '../schema/event.ts'
import type { LanguageId } from '../schema/language.ts'
import type { LoadedTask } from '../schema/task.ts'
import type { Store } from '../store/store.ts'
import { findTaskFolders, loadTask } from '../task/load.ts'
import { prepareTask } from '../task/prepare.ts'
import { missingTools, type Workplace } from './workplace.ts'

export interface TasksInPlay {
  readonly tasks: readonly TaskInPlay[]
  readonly leftOut: readonly {
    readonly task: string
    readonly language: LanguageId
    readonly packages: readonly string[]
  }[]
}

export interface TasksRequest {
  /** Task folders, or folders of them; absolute. */
  readonly paths: readonly string[]
  readonly language?: LanguageId | undefined
  readonly statement: 'original' | 'refined'
  readonly workplace: Pick<Workplace, 'templates' | 'toolchains'>
  readonly store: Store
  readonly onEvent: OnEvent
}

/** The statement that players see. */
export const statementOf = (loaded: LoadedTask, statement: 'original' | 'refined'): string =>
  (statement === 'refined' ? loaded.statements.refined : null) ?? loaded.statements.original

/** Loads one task folder and makes its trees. */
export async function putInPlay(loaded: LoadedTask, templates: string): Promise<TaskInPlay> {
  const adapter = languages[loaded.task.language]
  const prepared = await prepareTask({ loaded, templates, adapter, applyDiff, ownLayer })
  return {
    prepared,
    oracleCases: prepared.upstreamTests ? casesOf(prepared.upstreamTests, prepared.base, adapter) : [],
  }
}

/** Every task of a season that can be played here; the others are left out by name, with the packages they need. */
export async function loadTasksInPlay(request: TasksRequest): Promise<TasksInPlay> {
  const { workplace, onEvent } = request
  const folders = (await Promise.all(request.paths.map(findTaskFolders))).flat()
  const tasks: TaskInPlay[] = []
  const leftOut: TasksInPlay['leftOut'][number][] = []
  for (const folder of folders) {
    const loaded = await loadTask(folder)
    const { id, language } = loaded.task
    if (request.language && request.language !== language) continue
    if (loaded.task.goldenPatch === null)
      throw new InputError('goldenPatch: null: a live issue has no verdict until a merged fix closes it', {
        place: join(folder, 'task.json'),
        remedy: 'add goldenPatch and testPatch, or leave the task out',
      })
    const missing = missingTools(workplace.toolchains, language)
    if (missing.length > 0) {
      leftOut.push({ task: id, language, packages: [...new Set(missing.map(({ debian }) => debian))] })
      onEvent({
        kind: 'task-left-out',
        task: id,
        reason: `${missing.map(({ tool }) => tool).join(', ')} not found`,
      })
      continue
    }
    tasks.push(await putInPlay(loaded, workplace.templates))
    await request.store.tasks.put({
      digest: loaded.digest,
      issue: statementOf(loaded, request.statement),
      document: loaded.task,
    })
    onEvent({ kind: 'task-prepared', task: id, language })
  }
  return { tasks, leftOut }
}
