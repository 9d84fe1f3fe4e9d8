import { dirname } from 'node:path'
import type { Reporting } from '../../languages/adapter.ts'
import { RUNNER_TEMP, RUNNER_TOOL_CACHE } from '../../workflows/contexts.ts'
import type { PlannedLeg } from '../../workflows/plan.ts'
import { isValueMap, textOf } from '../../workflows/values.ts'
import type { JobState } from './job-state.ts'
import { HOME_INSIDE, repoInside } from './runners/port.ts'
import type { Toolchains } from './toolchains.ts'

/** What is the same for every step of a leg on a tree. */
export interface LegContext {
  readonly leg: PlannedLeg
  readonly repoName: string
  readonly toolchains: Toolchains
  /** `ci.env` of the task: what its runner adds to every step. */
  readonly taskEnv: Readonly<Record<string, string>>
  /** The commit that stands in the sandbox. */
  readonly sha: string
}

/** The five files of a step, as paths inside the sandbox. */
export interface CommandFiles {
  readonly env: string
  readonly output: string
  readonly path: string
  readonly state: string
  readonly summary: string
  /** The event's payload as JSON. */
  readonly event: string
}

const SYSTEM_PATH = ['/usr/local/sbin', '/usr/local/bin', '/usr/sbin', '/usr/bin', '/sbin', '/bin']

/**
 * The whole environment of a step, later ones winning: toolchains, task, workflow and job, GITHUB_ENV, the step's own, the
 * runner's fixed variables, and what switches reports on. The arena's wrappers stand first on PATH whatever a step has set, and their switches are
 * set by nobody else.
 */
export function stepEnvironment(
  context: LegContext,
  state: JobState,
  step: { readonly env: Readonly<Record<string, string>>; readonly id: string | null },
  files: CommandFiles,
  reporting: Reporting,
): Record<string, string> {
  const asked = withoutOurs({
    ...context.leg.container?.env,
    ...context.taskEnv,
    ...context.leg.env,
    ...state.env,
    ...step.env,
  })
  const ground = asked.PATH?.split(':') ?? [...context.toolchains.path, ...SYSTEM_PATH]
  const path = [...new Set([...reporting.path, ...state.path, ...ground])].filter((folder) => folder !== '')
  const plain = {
    HOME: HOME_INSIDE,
    USER: 'runner',
    LOGNAME: 'runner',
    LANG: 'C.UTF-8',
    CI: 'true',
    ...context.toolchains.env,
    ...asked,
    ...fixedVariables(context, step.id, files),
  }
  return { ...plain, ...joinedVariables(plain, reporting), ...reporting.env, PATH: path.join(':') }
}

/** What switches the wrappers is the arena's to set, or to leave unset. */
const withoutOurs = (env: Readonly<Record<string, string>>): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(env).filter(([name]) => !name.startsWith('ARENA_')))

/** No reports are asked for. */
export const NO_REPORTING: Reporting = { env: {}, joined: [], path: [] }

function joinedVariables(
  env: Readonly<Record<string, string>>,
  reporting: Reporting,
): Readonly<Record<string, string>> {
  return Object.fromEntries(
    reporting.joined.map(({ name, value, separator }) => [
      name,
      env[name] ? `${value}${separator}${env[name]}` : value,
    ]),
  )
}

function fixedVariables(
  context: LegContext,
  stepId: string | null,
  files: CommandFiles,
): Record<string, string> {
  const github = context.leg.contexts.github
  const known = isValueMap(github) ? github : {}
  const from = (key: string): string => textOf(known[key])
  return {
    GITHUB_ACTIONS: 'true',
    GITHUB_ACTION: stepId ?? '__run',
    GITHUB_ACTOR: from('actor'),
    GITHUB_TRIGGERING_ACTOR: from('triggering_actor'),
    GITHUB_API_URL: from('api_url'),
    GITHUB_BASE_REF: from('base_ref'),
    GITHUB_EVENT_NAME: from('event_name'),
    GITHUB_EVENT_PATH: files.event,
    GITHUB_GRAPHQL_URL: from('graphql_url'),
    GITHUB_HEAD_REF: from('head_ref'),
    GITHUB_JOB: context.leg.definition.id,
    GITHUB_REF: from('ref'),
    GITHUB_REF_NAME: from('ref_name'),
    GITHUB_REF_PROTECTED: 'false',
    GITHUB_REF_TYPE: from('ref_type'),
    GITHUB_REPOSITORY: from('repository'),
    GITHUB_REPOSITORY_OWNER: from('repository_owner'),
    GITHUB_RETENTION_DAYS: '90',
    GITHUB_RUN_ATTEMPT: from('run_attempt'),
    GITHUB_RUN_ID: from('run_id'),
    GITHUB_RUN_NUMBER: from('run_number'),
    GITHUB_SERVER_URL: from('server_url'),
    GITHUB_SHA: context.sha,
    GITHUB_WORKFLOW: from('workflow'),
    GITHUB_WORKSPACE: repoInside(context.repoName),
    GITHUB_ENV: files.env,
    GITHUB_OUTPUT: files.output,
    GITHUB_PATH: files.path,
    GITHUB_STATE: files.state,
    GITHUB_STEP_SUMMARY: files.summary,
    RUNNER_OS: 'Linux',
    RUNNER_ARCH: 'X64',
    RUNNER_NAME: 'arena',
    RUNNER_ENVIRONMENT: 'github-hosted',
    RUNNER_TEMP,
    RUNNER_TOOL_CACHE,
    RUNNER_WORKSPACE: dirname(repoInside(context.repoName)),
  }
}
