import { mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join, resolve } from 'node:path'
import { languages } from '../../languages/index.ts'
import { InputError } from '../errors.ts'
import { applyDiff } from '../patch/apply-diff.ts'
import { applySubmitterPolicy } from '../patch/submitter-policy.ts'
import type { LanguageId } from '../schema/language.ts'
import { parseInput } from '../schema/parse.ts'
import { Task } from '../schema/task.ts'
import type { AppliedChanges } from '../schema/tree.ts'
import { loadTask } from '../task/load.ts'
import { gitRepoView } from '../task/repo-view.ts'
import { openTemplate } from '../task/template.ts'
import { findBase } from './find-base.ts'
import { findCiJob } from './find-ci-job.ts'
import { nameOfRepository } from './repository-name.ts'

export interface NewTaskRequest {
  /** A local clone. */
  readonly repo: string
  /** File with the issue text. */
  readonly issue: string
  /** Files with git diffs against the base commit; both or none. */
  readonly golden?: string | undefined
  readonly tests?: string | undefined
  /** A commit; HEAD unless given. */
  readonly base?: string | undefined
  readonly workflow?: string | undefined
  readonly jobs?: readonly string[] | undefined
  readonly language?: LanguageId | undefined
  /** The task folder that is made; must not hold a task yet. */
  readonly out: string
  readonly now: () => number
}

async function readGiven(flag: string, path: string): Promise<Buffer> {
  const bytes = await readFile(path).catch((cause: unknown) => {
    throw new InputError(`--${flag}: cannot be read`, { place: path, remedy: 'check the path', cause })
  })
  if (bytes.toString('utf8').trim() === '') throw new InputError(`--${flag}: is empty`, { place: path })
  return bytes
}

/** Throws InputError that names the flag when a diff does not do on the base commit what it is there for. */
async function checkDiffs(folder: string, request: NewTaskRequest): Promise<void> {
  const loaded = await loadTask(folder)
  const { goldenPatch, testPatch } = loaded
  if (goldenPatch === null || testPatch === null) return
  const { baseCommit, language } = loaded.task
  const adapter = languages[language]
  const { template } = await openTemplate({
    loaded,
    folder: join(folder, 'templates'),
    ownLayer: async () => {},
  })
  const base = await gitRepoView(template, 'HEAD')
  const apply = async (flag: string, place: string | undefined, diff: Buffer): Promise<AppliedChanges> => {
    const result = await applyDiff({ template, base, diff })
    if (result.kind === 'applied') return result.changes
    throw new InputError(`--${flag}: ${result.kind} on ${baseCommit.slice(0, 12)} (${result.detail})`, {
      ...(place ? { place } : {}),
      remedy: `make it with git diff from the base commit on; --base COMMIT names another one`,
    })
  }
  const golden = await apply('golden', request.golden, goldenPatch)
  await apply('tests', request.tests, testPatch)
  if (applySubmitterPolicy({ changes: golden, base, adapter }).changes.changes.length === 0)
    throw new InputError('--golden: changes nothing but tests and workflow files', {
      ...(request.golden ? { place: request.golden } : {}),
      remedy: 'give the fix as --golden and its tests as --tests',
    })
}

const idOf = (folder: string): string =>
  basename(folder)
    .toLowerCase()
    .replace(/[^a-z0-9._-]+/g, '-')
    .replace(/^[^a-z0-9]+/, '')

/**
 * Makes a task of a local clone: finds the workflow job that runs the tests, tries both diffs on the base commit, writes
 * task.json and copies the texts. The clone is named by its path and not copied. Nothing is written unless all of it can
 * be used. Throws InputError that names what is missing and the flag that gives it.
 */
export async function newTask(
  request: NewTaskRequest,
): Promise<{ readonly folder: string; readonly task: Task; readonly otherJobs: readonly string[] }> {
  const folder = resolve(request.out)
  if ((request.golden === undefined) !== (request.tests === undefined))
    throw new InputError('--golden and --tests go together', {
      remedy: 'give both, or none for a live issue',
    })
  if (await stat(join(folder, 'task.json')).catch(() => undefined))
    throw new InputError('--out: there is a task already', { place: folder, remedy: 'give another --out' })
  const { root, baseCommit } = await findBase(resolve(request.repo), 'base', request.base ?? 'HEAD')
  const files = new Map([['issue.md', await readGiven('issue', request.issue)]])
  if (request.golden && request.tests) {
    files.set('golden.patch', await readGiven('golden', request.golden))
    files.set('tests.patch', await readGiven('tests', request.tests))
  }
  const view = await gitRepoView(root, baseCommit)
  const { language, others, ...ci } = findCiJob(view, request, `${root} at ${baseCommit.slice(0, 12)}`)
  const live = request.golden === undefined
  const name = await nameOfRepository(root)
  const task = parseInput(
    Task,
    {
      schemaVersion: 1,
      id: idOf(folder),
      repository: { name, path: root },
      language,
      baseCommit,
      statements: { original: 'issue.md' },
      origin: live ? 'live' : 'authored',
      goldenPatch: live ? null : 'golden.patch',
      testPatch: live ? null : 'tests.patch',
      ci,
      FAIL_TO_PASS: [],
      PASS_TO_PASS: [],
      created: new Date(request.now()).toISOString(),
      source: `made from ${name} at ${baseCommit.slice(0, 12)}`,
    },
    join(folder, 'task.json'),
  )
  files.set('task.json', Buffer.from(`${JSON.stringify(task, null, 2)}\n`))
  const staging = await mkdtemp(join(tmpdir(), 'arena-task-'))
  try {
    for (const [file, bytes] of files) await writeFile(join(staging, file), bytes)
    await checkDiffs(staging, request)
  } finally {
    await rm(staging, { recursive: true, force: true })
  }
  await mkdir(folder, { recursive: true }).catch((cause: unknown) => {
    throw new InputError('--out: the folder cannot be made', { place: folder, cause })
  })
  for (const [file, bytes] of files) await writeFile(join(folder, file), bytes)
  return { folder, task, otherJobs: others }
}

/** The issue's first line, for a summary. */
export const firstLineOf = async (folder: string): Promise<string> =>
  (await readFile(join(folder, 'issue.md'), 'utf8')).trim().split('\n')[0] ?? ''
