import { randomUUID } from 'node:crypto'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { cpus } from 'node:os'
import { join } from 'node:path'
import { anyLanguage } from '../../languages/any.ts'
import { languages } from '../../languages/index.ts'
import { createCi } from '../ci/ci.ts'
import { ownLayer } from '../ci/layers.ts'
import type { WarmOptions } from '../ci/options.ts'
import type { Config } from '../config.ts'
import { InputError, messageOf } from '../errors.ts'
import { applyDiff } from '../patch/apply-diff.ts'
import { toAppliedChanges } from '../schema/applied.ts'
import { digestOf, digestOfValue } from '../schema/canonical.ts'
import type { LegResult } from '../schema/ci-run.ts'
import type { OnEvent } from '../schema/event.ts'
import { Digest } from '../schema/ids.ts'
import type { LanguageId } from '../schema/language.ts'
import { parseInput } from '../schema/parse.ts'
import type { PreparedTask } from '../schema/prepared.ts'
import { type LoadedTask, Task } from '../schema/task.ts'
import type { AppliedChanges, RepoView } from '../schema/tree.ts'
import { runGit } from '../task/git.ts'
import { gitRepoView } from '../task/repo-view.ts'
import { openTemplate, repoNameOf } from '../task/template.ts'
import { LIMITS, OUTPUT_BYTES, TIMEOUTS } from './ci-limits.ts'
import { findBase } from './find-base.ts'
import { jobIdsIn } from './find-ci-job.ts'
import { nameOfRepository } from './repository-name.ts'
import { openWorkplace, type Workplace } from './workplace.ts'

export interface CiRunRequest {
  readonly config: Config
  /** The arena's own folder. */
  readonly home: string
  readonly repo: string
  /** A commit; HEAD unless given. */
  readonly commit?: string | undefined
  /** File with a git diff against the commit. */
  readonly patch?: string | undefined
  /** Its path, or the end of it; every workflow that the event starts unless given. */
  readonly workflow?: string | undefined
  readonly jobs?: readonly string[] | undefined
  readonly matrix?: Readonly<Record<string, string>> | undefined
  readonly event: Task['ci']['event']
  /** Run with the version at hand where another is asked for. */
  readonly substitute: boolean
  /** Folder with other repositories' actions and workflows, each in `owner/name@ref`. */
  readonly actionsFolder?: string | undefined
  /** Whether JavaScript actions run whose source is at hand. */
  readonly javascript?: boolean
  /** Undefined: no step ever reaches a network. */
  readonly warm: Omit<WarmOptions, 'folder'> | undefined
  readonly signal?: AbortSignal | undefined
  readonly onEvent: OnEvent
}

export interface WorkflowRun {
  readonly workflow: string
  readonly legs: readonly LegResult[]
}

export interface CiRunResult {
  readonly commit: string
  readonly sandbox: string
  readonly workflows: readonly WorkflowRun[]
  /** Workflows that could not be read or planned, in a sentence with file and line. */
  readonly unreadable: readonly string[]
  /** Folder of the logs, each in a file named by its digest. */
  readonly logs: string
}

/** Bytes on disk that layers may take. */
const LAYER_BYTES = 8 * 2 ** 30

/**
 * Runs the workflows of a local repository as GitHub would on the event, each job in a sandbox, without a task, a verdict or
 * a database. Nothing of the repository is written. Throws InputError that names the flag at fault.
 */
export async function runCi(request: CiRunRequest): Promise<CiRunResult> {
  const { config, onEvent } = request
  const { root, baseCommit } = await findBase(request.repo, 'commit', request.commit ?? 'HEAD')
  const view = await gitRepoView(root, baseCommit)
  const wanted = withWantedJobs(view, workflowsOf(view, request), request)
  const workplace = await openWorkplace(config, process.pid)
  const logs = join(config.dataDir, 'ci', 'logs')
  await mkdir(logs, { recursive: true })
  const ci = createCi({
    runner: workplace.runner,
    toolchains: workplace.toolchains,
    toolsFolder: join(request.home, 'languages', 'tools'),
    workFolder: workplace.workFolder,
    limits: LIMITS,
    timeouts: TIMEOUTS,
    outputBytes: OUTPUT_BYTES,
    // Nobody is judged here, so that no sentinel needs a name.
    secret: '',
    parallel: config.parallel ?? cpus().length,
    layerBytes: LAYER_BYTES,
    substitute: request.substitute,
    javascript: request.javascript ?? false,
    ...(request.actionsFolder === undefined ? {} : { actionsFolder: request.actionsFolder }),
    ...(request.warm ? { warm: { ...request.warm, folder: join(config.dataDir, 'work', 'warm') } } : {}),
    adapterOf: (language) => anyLanguage(languages[language]),
    putBlob: async (bytes) => {
      const digest = Digest.parse(digestOf(bytes))
      await writeFile(join(logs, digest), bytes)
      return digest
    },
    newId: () => randomUUID(),
    onEvent,
  })
  try {
    const workflows: WorkflowRun[] = []
    const unreadable: string[] = []
    for (const workflow of wanted) {
      if (jobIdsIn(view, workflow).length === 0) {
        unreadable.push(`${workflow}: no jobs can be read`)
        continue
      }
      const task = await taskOf(request, root, baseCommit, view, workflow)
      const prepared = await prepare(task, workplace)
      const changes = await changesOf(request, prepared)
      try {
        const signal = request.signal ? { signal: request.signal } : {}
        const run = await ci.runWorkflow({ task: prepared, changes, legs: 'plain', ...signal })
        workflows.push({ workflow, legs: run.legs })
      } catch (error) {
        if (request.workflow !== undefined || !(error instanceof InputError)) throw error
        unreadable.push(messageOf(error))
      }
    }
    const sandbox = `${workplace.runner.name}: ${workplace.probe.detail}`
    return { commit: baseCommit, sandbox, workflows, unreadable, logs }
  } finally {
    await ci.close()
    await workplace.close()
  }
}

function workflowsOf(view: RepoView, request: CiRunRequest): readonly string[] {
  const paths = view.list().filter((path) => /^\.github\/workflows\/[^/]+\.ya?ml$/.test(path))
  const place = request.repo
  if (paths.length === 0) throw new InputError('there is no workflow in .github/workflows/', { place })
  const wanted = request.workflow?.replace(/^(\.\/)+/, '')
  if (wanted === undefined) return paths
  const path = paths.find((one) => one === wanted) ?? paths.find((one) => one.endsWith(`/${wanted}`))
  if (path === undefined)
    throw new InputError(`--workflow ${request.workflow}: there is no such workflow`, {
      place,
      remedy: `there are ${paths.join(', ')}`,
    })
  return [path]
}

/** The workflows that have the jobs asked for. */
function withWantedJobs(
  view: RepoView,
  workflows: readonly string[],
  { jobs, repo }: CiRunRequest,
): readonly string[] {
  if (jobs === undefined) return workflows
  const having = workflows.filter((workflow) => {
    const ids = jobIdsIn(view, workflow)
    return jobs.every((job) => ids.includes(job))
  })
  if (having.length > 0) return having
  const known = [...new Set(workflows.flatMap((workflow) => jobIdsIn(view, workflow)))]
  throw new InputError(`--job ${jobs.join(', ')}: there is no such job`, {
    place: repo,
    remedy: `there are ${known.join(', ')}`,
  })
}

/** The commit as a task without an issue: what the executor runs is always a task's workflow. */
async function taskOf(
  request: CiRunRequest,
  root: string,
  baseCommit: string,
  view: RepoView,
  workflow: string,
): Promise<LoadedTask> {
  const name = await nameOfRepository(root)
  const described = await runGit({ cwd: root, args: ['describe', '--tags', '--abbrev=0', baseCommit] })
  const version = /\d+(\.\d+)+/.exec(described.stdout.toString('utf8'))?.[0]
  const task = parseInput(
    Task,
    {
      schemaVersion: 1,
      id: 'ci-run',
      repository: { name, path: root },
      language: mainLanguage(view),
      baseCommit,
      statements: { original: 'none' },
      origin: 'live',
      goldenPatch: null,
      testPatch: null,
      ci: {
        workflow,
        event: request.event,
        jobs: request.jobs ?? jobIdsIn(view, workflow),
        ...(request.matrix ? { matrix: request.matrix } : {}),
        network: request.warm ? 'set-up' : 'none',
        // The tree has no tags to tell a version by.
        env: version === undefined ? {} : { SETUPTOOLS_SCM_PRETEND_VERSION: version },
      },
      FAIL_TO_PASS: [],
      PASS_TO_PASS: [],
      created: new Date(0).toISOString(),
      source: 'a run of its own',
    },
    root,
  )
  // One tree for all workflows of the commit.
  const digest = digestOfValue({ name, baseCommit })
  const statements = { original: '', refined: null }
  return { task, folder: root, digest, statements, goldenPatch: null, testPatch: null }
}

async function prepare(loaded: LoadedTask, workplace: Workplace): Promise<PreparedTask> {
  const { layer, template } = await openTemplate({ loaded, folder: workplace.templates, ownLayer })
  const base = await gitRepoView(template, 'HEAD')
  const none = toAppliedChanges([])
  return {
    loaded,
    layer,
    template,
    repoName: repoNameOf(loaded),
    base,
    golden: null,
    upstreamTests: null,
    commentedBase: none,
    commentedGolden: null,
  }
}

async function changesOf(request: CiRunRequest, task: PreparedTask): Promise<AppliedChanges | null> {
  const { patch } = request
  if (patch === undefined) return null
  const diff = await readFile(patch).catch((cause: unknown) => {
    throw new InputError('--patch: cannot be read', { place: patch, remedy: 'check the path', cause })
  })
  const result = await applyDiff({ template: task.template, base: task.base, diff })
  if (result.kind === 'applied') return result.changes
  throw new InputError(`--patch: ${result.kind} (${result.detail})`, {
    place: patch,
    remedy: 'make it with git diff against the commit that is run',
  })
}

/** By the number of source files; the first by name where there are none. */
function mainLanguage(view: RepoView): LanguageId {
  const paths = view.list()
  const counted = Object.values(languages).map(({ id, classify }) => ({
    id,
    files: paths.filter((path) => classify(path) === 'source').length,
  }))
  return counted.sort((a, b) => b.files - a.files)[0]?.id ?? 'python'
}
