import { parse as parseYaml } from 'yaml'
import { languages } from '../../languages/index.ts'
import { calledScripts } from '../../workflows/called-scripts.ts'
import { InputError } from '../errors.ts'
import type { LanguageId } from '../schema/language.ts'
import type { Task } from '../schema/task.ts'
import type { RepoView } from '../schema/tree.ts'

export interface CiWish {
  readonly workflow?: string | undefined
  readonly jobs?: readonly string[] | undefined
  readonly language?: LanguageId | undefined
}

export interface CiChoice {
  readonly workflow: string
  readonly event: Task['ci']['event']
  readonly jobs: readonly string[]
  readonly language: LanguageId
  /** Further jobs that run tests, as `workflow job`. */
  readonly others: readonly string[]
}

type ReadFile = (path: string) => string | undefined

interface FoundJob {
  readonly workflow: string
  readonly event: Task['ci']['event'] | null
  readonly job: string
  /** Null when no step runs tests by a tool that the arena knows. */
  readonly language: LanguageId | null
}

const EVENTS = ['push', 'pull_request', 'workflow_dispatch'] as const

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

function eventOf(on: unknown): FoundJob['event'] {
  const names = isRecord(on) ? Object.keys(on) : [on].flat()
  return EVENTS.find((event) => names.includes(event)) ?? null
}

function languageOf(body: unknown, readFile: ReadFile): LanguageId | null {
  const steps = isRecord(body) && Array.isArray(body.steps) ? body.steps : []
  const scripts = steps.flatMap((step) => (isRecord(step) && typeof step.run === 'string' ? [step.run] : []))
  const called = scripts.flatMap((script) => calledScripts(script, { readFile }).map(({ text }) => text))
  const languageIn = (texts: readonly string[]): LanguageId | undefined =>
    Object.values(languages).find((one) => texts.some((text) => one.isTestCommand(text)))?.id
  // What `make check` runs tells more than the word itself.
  return languageIn(called) ?? languageIn(scripts) ?? null
}

/** A workflow's jobs; none when it cannot be read, which the planner tells when somebody chooses it. */
function jobsIn(workflow: string, text: string, readFile: ReadFile): readonly FoundJob[] {
  let document: unknown
  try {
    document = parseYaml(text)
  } catch {
    return []
  }
  if (!isRecord(document) || !isRecord(document.jobs)) return []
  const event = eventOf(document.on)
  return Object.entries(document.jobs).map(([job, body]) => ({
    workflow,
    event,
    job,
    language: languageOf(body, readFile),
  }))
}

/** Ids of a workflow's jobs; none when it cannot be read. */
export const jobIdsIn = (view: RepoView, workflow: string): readonly string[] =>
  jobsIn(workflow, view.read(workflow)?.toString('utf8') ?? '', () => undefined).map(({ job }) => job)

const listed = (names: readonly string[]): string => [...new Set(names)].join(', ')

/** `ci.yml` and `./.github/workflows/ci.yml` are the path in the repository too. */
function workflowNamed(name: string, paths: readonly string[], place: string): string {
  const wanted = name.replace(/^(\.\/)+/, '')
  const path = paths.find((one) => one === wanted) ?? paths.find((one) => one.endsWith(`/${wanted}`))
  if (path === undefined)
    throw new InputError(`--workflow ${name}: there is no such workflow`, {
      place,
      remedy: paths.length > 0 ? `there are ${listed(paths)}` : 'commit one to .github/workflows/ first',
    })
  return path
}

/**
 * The workflow job that runs the tests: the first that a language's adapter recognises, or what is wished for. Throws
 * InputError that names the flag; `place` tells the repository and commit.
 */
export function findCiJob(view: RepoView, wish: CiWish, place: string): CiChoice {
  const readFile: ReadFile = (path) => view.read(path)?.toString('utf8')
  const paths = view.list().filter((path) => /^\.github\/workflows\/[^/]+\.ya?ml$/.test(path))
  if (paths.length === 0)
    throw new InputError('there is no workflow in .github/workflows/', {
      place,
      remedy: 'commit one, or give another --base; --workflow names it when there are several',
    })
  const workflow = wish.workflow === undefined ? undefined : workflowNamed(wish.workflow, paths, place)
  const jobs = paths
    .filter((path) => workflow === undefined || path === workflow)
    .flatMap((path) => jobsIn(path, readFile(path) ?? '', readFile))
  const missing = wish.jobs?.find((wanted) => jobs.every(({ job }) => job !== wanted))
  if (missing !== undefined)
    throw new InputError(`--job ${missing}: there is no such job`, {
      place: workflow === undefined ? place : `${place}: ${workflow}`,
      remedy: `there are ${listed(jobs.map(({ job }) => job))}`,
    })
  const wished = jobs.filter(({ job }) => wish.jobs === undefined || wish.jobs.includes(job))
  const testing = wished.filter(
    ({ language }) => language !== null && (wish.language === undefined || language === wish.language),
  )
  const found = testing[0] ?? (wish.jobs ? wished[0] : undefined)
  const language = wish.language ?? found?.language
  if (!found || !language)
    throw new InputError(
      'no workflow job with a step that runs pytest, go test, cargo test or ctest was found',
      {
        place: workflow === undefined ? place : `${place}: ${workflow}`,
        remedy: 'name it with --workflow, --job and --language',
      },
    )
  if (found.event === null)
    throw new InputError(`${found.workflow} is started by none of ${EVENTS.join(', ')}`, {
      place,
      remedy: 'give another --workflow',
    })
  return {
    workflow: found.workflow,
    event: found.event,
    jobs: wish.jobs ?? [found.job],
    language,
    others: testing
      .filter((one) => one !== found && !(wish.jobs ?? []).includes(one.job))
      .map((one) => `${one.workflow} ${one.job}`),
  }
}
