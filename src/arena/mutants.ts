import { readFile, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { languages } from '../../languages/index.ts'
import { openSyntax } from '../../languages/shared/syntax.ts'
import { EnvironmentError, InputError } from '../errors.ts'
import type { Cells } from '../match/cells.ts'
import type { Brought } from '../match/collect-evidence.ts'
import { controlGeneration } from '../match/controls.ts'
import { type KillRow, killTable, type TestSet } from '../match/kill-table.ts'
import { type Dropped, keepMutants } from '../match/mutant-pool.ts'
import { CONTROLS } from '../match/read-season.ts'
import type { TaskInPlay } from '../match/round.ts'
import { makeMutants } from '../mutants/make-mutants.ts'
import { renderDiff } from '../patch/render-diff.ts'
import { isContent } from '../players/generate.ts'
import { readAnswer } from '../players/read-answer.ts'
import { Season } from '../schema/match.ts'
import type { Mutant } from '../schema/mutant.ts'
import { findTaskFolders, loadTask } from '../task/load.ts'
import { applyForRole } from './apply-for-role.ts'
import { readWasm } from './read-wasm.ts'
import { putInPlay } from './tasks-in-play.ts'
import { missingTools, type Workplace } from './workplace.ts'

export interface MutantsRequest {
  readonly taskPath: string
  /** Files with a reviewer's answer, or folders of recorded answers: `FOLDER/<task id>/tests.md`. */
  readonly tests: readonly string[]
  /** Mutants that are kept at most. */
  readonly most: number
}

export interface MutantsPorts {
  readonly workplace: Pick<Workplace, 'templates' | 'toolchains'>
  readonly cells: Cells
  /** Cells of mutants: a wrong program may run for ever, so they have shorter time limits. */
  readonly mutantCells: Cells
}

export interface MutantReport {
  readonly task: string
  /** Small changes that were tried. */
  readonly tried: number
  readonly dropped: Readonly<Record<Dropped, number>>
  readonly mutants: readonly (Omit<Mutant, 'changes'> & { readonly diff: string })[]
  /** One row a test set, the upstream tests first. */
  readonly table: readonly KillRow[]
  readonly cells: { readonly hit: number; readonly miss: number }
}

/** Mutants, and test sets, that are run at once: sandboxes are bounded elsewhere. */
const WIDTH = 4

/** The file of a test set and what it is called. */
async function findAnswer(path: string, taskId: string): Promise<{ name: string; file: string }> {
  const about = await stat(path).catch(() => undefined)
  if (!about) throw new InputError('there is no such file or folder', { place: path })
  if (about.isDirectory()) return { name: basename(path), file: join(path, taskId, 'tests.md') }
  const name = basename(path).replace(/\.\w+$/, '')
  return { name: name === 'tests' ? basename(dirname(path)) : name, file: path }
}

async function readTestSet(path: string, { prepared }: TaskInPlay): Promise<TestSet> {
  const { name, file } = await findAnswer(path, prepared.loaded.task.id)
  let text: string
  try {
    text = await readFile(file, 'utf8')
  } catch (cause) {
    throw new InputError('the answer cannot be read', { place: file, remedy: 'check the path', cause })
  }
  const answer = readAnswer(text, null)
  const forfeit = (
    reason: 'does-not-apply' | 'malformed' | 'empty' | 'no-cases' | 'refusal' | 'truncated' | 'unusable',
    detail: string,
  ): TestSet => ({
    name,
    brought: { outcome: { kind: 'forfeit', reason, detail, given: '', notes: [] } },
  })
  if (!isContent(answer)) return forfeit(answer.kind, answer.reason)
  const outcome = await applyForRole({
    kind: 'tests',
    template: prepared.template,
    base: prepared.base,
    adapter: languages[prepared.loaded.task.language],
    caps: Season.shape.caps.parse(undefined),
    content: answer,
  })
  if (outcome.kind === 'rejected') return forfeit(outcome.reason, outcome.detail)
  const { applied, changes, cases, overCap } = outcome
  const notes: Extract<Brought['outcome'], { kind: 'applied' }>['notes'] = []
  return {
    name,
    brought: {
      outcome: {
        kind: 'applied',
        given: '',
        applied,
        changes,
        cases: [...cases],
        overCap: [...overCap],
        notes,
      },
    },
  }
}

async function loadOne(path: string, ports: MutantsPorts): Promise<TaskInPlay> {
  const [folder, ...others] = await findTaskFolders(path)
  if (folder === undefined || others.length > 0)
    throw new InputError('--task: expected the folder of one task', { place: path })
  const loaded = await loadTask(folder)
  const { language, id } = loaded.task
  const missing = missingTools(ports.workplace.toolchains, language)
  if (missing.length > 0)
    throw new EnvironmentError(
      `${id} cannot be run here: ${missing.map(({ tool }) => tool).join(', ')} not found`,
      {
        remedy: `install ${missing.map(({ debian }) => debian).join(' ')}`,
      },
    )
  return putInPlay(loaded, ports.workplace.templates)
}

/**
 * Makes mutants of a task's golden patch, keeps those that its own CI can tell from golden, and says which test set kills
 * which. Cells are kept by content: the same again runs nothing. Throws InputError for a task without a golden patch.
 */
export async function measureMutants(request: MutantsRequest, ports: MutantsPorts): Promise<MutantReport> {
  const task = await loadOne(request.taskPath, ports)
  const { prepared, oracleCases } = task
  const { golden, upstreamTests, base, loaded } = prepared
  const { language, id } = loaded.task
  if (golden === null)
    throw new InputError('goldenPatch: null: mutants are made of the golden patch', {
      place: join(loaded.folder, 'task.json'),
    })
  const adapter = languages[language]
  const control = (name: string): Brought => {
    const competitor = CONTROLS.find((one) => one.id === name)
    if (!competitor) throw new Error(`there is no control ${name}`)
    const kind = name === 'golden' ? 'patch' : 'tests'
    return controlGeneration({ competitor, kind, task: prepared, adapter, renderDiff, createdAt: '' })
  }
  const recorded = await Promise.all(request.tests.map((path) => readTestSet(path, task)))
  const candidates = await makeMutants({
    base,
    golden,
    language,
    isSource: (path) => adapter.classify(path) === 'source',
    syntax: await openSyntax(readWasm),
  })
  const about = { task: prepared, changes: golden, repeat: 0, attempt: 0 }
  const { mutantCells, cells } = ports
  const plain = await mutantCells.workflow({ ...about, label: 'golden', legs: 'plain' })
  const upstream =
    upstreamTests === null
      ? null
      : await mutantCells.tests({
          ...about,
          label: 'upstream tests on golden',
          tests: upstreamTests,
          cases: oracleCases,
        })
  const pool = await keepMutants({
    task,
    golden: plain.run,
    upstream: upstream?.run ?? null,
    candidates,
    most: request.most,
    width: WIDTH,
    cells: mutantCells,
  })
  const table = await killTable({
    task,
    golden: control('golden'),
    mutants: pool.kept,
    testSets: [
      ...(upstreamTests === null ? [] : [{ name: 'upstream-tests', brought: control('upstream-tests') }]),
      ...recorded,
    ],
    cells,
    mutantCells,
    width: WIDTH,
  })
  const droppedFor = (why: Dropped): number => pool.dropped.filter((one) => one.why === why).length
  const [ours, mutants] = [cells.counts(), mutantCells.counts()]
  return {
    task: id,
    tried: pool.kept.length + pool.dropped.length,
    dropped: {
      'does-not-build': droppedFor('does-not-build'),
      'no-test-tells': droppedFor('no-test-tells'),
      infrastructure: droppedFor('infrastructure'),
    },
    mutants: pool.kept.map(({ changes, ...mutant }) => ({ ...mutant, diff: renderDiff(base, changes) })),
    table,
    cells: { hit: ours.hit + mutants.hit, miss: ours.miss + mutants.miss },
  }
}
