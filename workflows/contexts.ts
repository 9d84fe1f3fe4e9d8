import { posix } from 'node:path'
import type { EventFilter } from './triggers.ts'
import { isValueMap, textOf, type Value, type ValueMap } from './values.ts'

export interface EventInput {
  /** `push`, `pull_request`, `workflow_dispatch`. */
  readonly name: string
  /** Owner/name. */
  readonly repository: string
  /** Absolute path of the checkout inside the sandbox. */
  readonly workspace: string
  /** The commit that is tested; fixed zeros where it is not known yet. */
  readonly sha?: string
  readonly branch?: string
  /** What filters of `on` are asked with; left out, the event's name alone decides: the arena asks for the run. */
  readonly filter?: EventFilter
}

const NO_COMMIT = '0'.repeat(40)

/** The `github` context: what is known, in GitHub's form; the rest has fixed values, and there is no token. */
export function githubContext(
  workflowPath: string,
  workflowName: string | null,
  event: EventInput,
): ValueMap {
  const [owner = ''] = event.repository.split('/')
  const branch = event.branch ?? 'main'
  const pull = event.name === 'pull_request'
  return {
    action_path: '',
    actor: 'arena',
    triggering_actor: 'arena',
    event_name: event.name,
    event: eventPayload(event, branch),
    ref: pull ? 'refs/pull/1/merge' : `refs/heads/${branch}`,
    ref_name: pull ? '1/merge' : branch,
    ref_type: 'branch',
    ref_protected: false,
    base_ref: pull ? branch : '',
    head_ref: pull ? 'change' : '',
    repository: event.repository,
    repository_owner: owner,
    repositoryUrl: `git://github.com/${event.repository}.git`,
    run_id: '1',
    run_number: '1',
    run_attempt: '1',
    server_url: 'https://github.com',
    api_url: 'https://api.github.com',
    graphql_url: 'https://api.github.com/graphql',
    sha: event.sha ?? NO_COMMIT,
    workflow: workflowName ?? workflowPath,
    workspace: event.workspace,
    token: '',
  }
}

function eventPayload(event: EventInput, branch: string): ValueMap {
  const repository = { full_name: event.repository, default_branch: branch, private: false, fork: false }
  if (event.name === 'pull_request') {
    return {
      action: 'opened',
      number: 1,
      repository,
      pull_request: { number: 1, draft: false, base: { ref: branch }, head: { ref: 'change' }, labels: [] },
    }
  }
  return { ref: `refs/heads/${branch}`, repository, head_commit: { message: '' }, inputs: {} }
}

/** What a workflow may call the commit that is tested. */
export function refsOf(github: Value | undefined): readonly string[] {
  const known = isValueMap(github) ? github : {}
  return ['ref', 'ref_name', 'head_ref', 'sha'].map((key) => textOf(known[key])).filter((ref) => ref !== '')
}

/** Folders of the runner inside the sandbox. */
export const RUNNER_TEMP = '/home/runner/work/_temp'
export const RUNNER_TOOL_CACHE = '/opt/hostedtoolcache'

/** `workspace`, the folder around the checkout, is in no documentation, but workflows use it. */
export const runnerContext = (workspace: string): ValueMap => ({
  os: 'Linux',
  arch: 'X64',
  name: 'arena',
  environment: 'github-hosted',
  temp: RUNNER_TEMP,
  tool_cache: RUNNER_TOOL_CACHE,
  debug: '',
  workspace: posix.dirname(workspace),
})
