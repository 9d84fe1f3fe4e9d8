import { parseWorkflowText } from '../../workflows/parse.ts'
import { flatLegs, planWorkflow, type WorkflowPlan } from '../../workflows/plan.ts'
import { anyEvent, type EventFilter } from '../../workflows/triggers.ts'
import { remoteFiles } from '../ci/remote-files.ts'
import { findToolchains } from '../ci/toolchains.ts'
import type { Config } from '../config.ts'
import { InputError } from '../errors.ts'
import { gitRepoView } from '../task/repo-view.ts'
import { findBase } from './find-base.ts'
import { nameOfRepository } from './repository-name.ts'

export interface CiPlanRequest {
  readonly config: Config
  readonly repo: string
  /** A commit; HEAD unless given. */
  readonly commit?: string | undefined
  /** Its path, or the end of it; every workflow unless given. */
  readonly workflow?: string | undefined
  /** An event's name; `any`: each workflow by an event that starts it. */
  readonly event: string
  /** What its filters are asked with. */
  readonly filter: EventFilter
  /** Plan with the version at hand where another is asked for. */
  readonly substitute: boolean
  /** Folder with other repositories' actions and workflows, each in `owner/name@ref`. */
  readonly actionsFolder?: string | undefined
  /** Whether JavaScript actions run whose source is at hand. */
  readonly javascript?: boolean
  /** Whether the warm phase would have a network. */
  readonly fetches: boolean
}

export interface CiPlanResult {
  readonly commit: string
  /** Called workflows stand in place of the legs that call them. */
  readonly plans: readonly WorkflowPlan[]
  /** Workflows that could not be read or planned, in a sentence with file and line. */
  readonly unreadable: readonly string[]
}

/**
 * What the workflows of a local repository would do here, without running anything. Throws InputError that names the flag
 * at fault.
 */
export async function planCi(request: CiPlanRequest): Promise<CiPlanResult> {
  const { config } = request
  const { root, baseCommit } = await findBase(request.repo, 'commit', request.commit ?? 'HEAD')
  const view = await gitRepoView(root, baseCommit)
  const { tools } = await findToolchains({ path: config.path, home: config.home })
  const repository = await nameOfRepository(root)
  const readFile = (path: string): string | undefined => view.read(path)?.toString('utf8')
  const plans: WorkflowPlan[] = []
  const unreadable: string[] = []
  for (const path of wantedWorkflows(view.list(), request)) {
    try {
      const text = readFile(path) ?? ''
      const plan = planWorkflow({
        path,
        text,
        event: {
          name: request.event === 'any' ? startOf(path, text) : request.event,
          filter: request.filter,
          repository,
          workspace: `/home/runner/work/${repository.split('/')[1]}/${repository.split('/')[1]}`,
          sha: baseCommit,
        },
        tools,
        readFile,
        ...(request.actionsFolder === undefined ? {} : { readRemote: remoteFiles(request.actionsFolder) }),
        substitute: request.substitute,
        javascript: request.javascript ?? false,
        fetches: request.fetches,
      })
      plans.push({ ...plan, legs: flatLegs(plan.legs) })
    } catch (error) {
      if (!(error instanceof InputError)) throw error
      unreadable.push(error.message)
    }
  }
  return { commit: baseCommit, plans, unreadable }
}

function wantedWorkflows(paths: readonly string[], request: CiPlanRequest): readonly string[] {
  const workflows = paths.filter((path) => /^\.github\/workflows\/[^/]+\.ya?ml$/.test(path))
  const place = request.repo
  if (workflows.length === 0) throw new InputError('there is no workflow in .github/workflows/', { place })
  const wanted = request.workflow?.replace(/^(\.\/)+/, '')
  if (wanted === undefined) return workflows
  const chosen = workflows.find((path) => path === wanted || path.endsWith(`/${wanted}`))
  if (chosen === undefined)
    throw new InputError(`--workflow ${request.workflow}: there is no such workflow`, {
      place,
      remedy: `there are ${workflows.join(', ')}`,
    })
  return [chosen]
}

const startOf = (path: string, text: string): string =>
  anyEvent(parseWorkflowText(path, text).on) ?? 'workflow_dispatch'
