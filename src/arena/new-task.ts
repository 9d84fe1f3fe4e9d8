import { copyFile, mkdir, readFile, stat, writeFile } from 'node:fs/promises'
import { basename, join, resolve } from 'node:path'
import { parse as parseYaml } from 'yaml'
import { languages } from '../../languages/index.ts'
import { InputError } from '../errors.ts'
import type { LanguageId } from '../schema/language.ts'
import { parseInput } from '../schema/parse.ts'
import { Task } from '../schema/task.ts'
import { runGit } from '../task/git.ts'
import { loadTask } from '../task/load.ts'
import { gitRepoView } from '../task/repo-view.ts'

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

/** A job's id, and whether one of its steps runs a language's tests. */
interface FoundJob {
  readonly workflow: string
  readonly job: string
  readonly language: LanguageId
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Jobs whose steps run tests in a language that the arena knows; a workflow that cannot be read is passed over. */
function jobsIn(workflow: string, text: string): readonly FoundJob[] {
  let document: unknown
  try {
    document = parseYaml(text)
  } catch {
    // Told by the planner when somebody chooses it.
    return []
  }
  const jobs = isRecord(document) && isRecord(document.jobs) ? document.jobs : {}
  return Object.entries(jobs).flatMap(([job, body]) => {
    const steps = isRecord(body) && Array.isArray(body.steps) ? body.steps : []
    const scripts = steps.flatMap((step) =>
      isRecord(step) && typeof step.run === 'string' ? [step.run] : [],
    )
    const adapter = Object.values(languages).find((one) =>
      scripts.some((script) => one.isTestCommand(script)),
    )
    return adapter ? [{ workflow, job, language: adapter.id }] : []
  })
}

async function readCommit(repo: string, base: string): Promise<string> {
  const about = await stat(repo).catch(() => undefined)
  if (!about?.isDirectory()) throw new InputError('there is no such folder', { place: repo })
  const found = await runGit({ cwd: repo, args: ['rev-parse', '--verify', '--quiet', `${base}^{commit}`] })
  if (found.exitCode !== 0)
    throw new InputError(`${base} is no commit of this repository`, {
      place: repo,
      remedy: 'give --base COMMIT',
    })
  return found.stdout.toString('utf8').trim()
}

async function nameOf(repo: string): Promise<string> {
  const remote = await runGit({ cwd: repo, args: ['config', '--get', 'remote.origin.url'] })
  const match = /([\w.-]+)\/([\w.-]+?)(?:\.git)?\/?$/.exec(remote.stdout.toString('utf8').trim())
  return match ? `${match[1]}/${match[2]}` : `local/${basename(repo).replace(/[^\w.-]/g, '-')}`
}

/**
 * Makes a task of a local clone: finds the workflow job that runs the tests, writes task.json and copies the texts. The
 * clone is named by its path and not copied. Throws InputError that names what is missing and the flag that gives it.
 */
export async function newTask(
  request: NewTaskRequest,
): Promise<{ readonly folder: string; readonly task: Task }> {
  const repo = resolve(request.repo)
  const folder = resolve(request.out)
  if ((request.golden === undefined) !== (request.tests === undefined))
    throw new InputError('--golden and --tests go together', {
      remedy: 'give both, or none for a live issue',
    })
  if (await stat(join(folder, 'task.json')).catch(() => undefined))
    throw new InputError('there is a task already', { place: folder, remedy: 'give another --out' })
  const baseCommit = await readCommit(repo, request.base ?? 'HEAD')
  const view = await gitRepoView(repo, baseCommit)
  const found = view
    .list()
    .filter((path) => /^\.github\/workflows\/[^/]+\.ya?ml$/.test(path))
    .flatMap((path) => jobsIn(path, view.read(path)?.toString('utf8') ?? ''))
    .filter((one) => request.workflow === undefined || one.workflow === request.workflow)
    .filter((one) => request.language === undefined || one.language === request.language)
  const first = found[0]
  const workflow = request.workflow ?? first?.workflow
  const language = request.language ?? first?.language
  const jobs = request.jobs ?? (first ? [first.job] : [])
  if (!workflow || !language || jobs.length === 0)
    throw new InputError('no workflow job that runs pytest, go test, cargo test or ctest was found', {
      place: `${repo} at ${baseCommit.slice(0, 12)}`,
      remedy: 'name it with --workflow, --job and --language',
    })
  await mkdir(folder, { recursive: true })
  const copy = async (from: string, name: string): Promise<void> => {
    await copyFile(from, join(folder, name)).catch((cause: unknown) => {
      throw new InputError('cannot be read', { place: from, cause })
    })
  }
  await copy(request.issue, 'issue.md')
  if (request.golden && request.tests) {
    await copy(request.golden, 'golden.patch')
    await copy(request.tests, 'tests.patch')
  }
  const live = request.golden === undefined
  const task = parseInput(
    Task,
    {
      schemaVersion: 1,
      id: basename(folder)
        .toLowerCase()
        .replace(/[^a-z0-9._-]+/g, '-'),
      repository: { name: await nameOf(repo), path: repo },
      language,
      baseCommit,
      statements: { original: 'issue.md' },
      origin: live ? 'live' : 'authored',
      goldenPatch: live ? null : 'golden.patch',
      testPatch: live ? null : 'tests.patch',
      ci: { workflow, event: 'push', jobs },
      FAIL_TO_PASS: [],
      PASS_TO_PASS: [],
      created: new Date(request.now()).toISOString(),
      source: `made from ${await nameOf(repo)} at ${baseCommit.slice(0, 12)}`,
    },
    join(folder, 'task.json'),
  )
  await writeFile(join(folder, 'task.json'), `${JSON.stringify(task, null, 2)}\n`)
  await loadTask(folder)
  return { folder, task }
}

/** The issue's first line, for a summary. */
export const firstLineOf = async (folder: string): Promise<string> =>
  (await readFile(join(folder, 'issue.md'), 'utf8')).trim().split('\n')[0] ?? ''
