import { execFileSync } from 'node:child_process'
import type { CiPlanResult } from '../../src/arena/plan-ci.ts'
import type { WorkflowDefinition } from '../../workflows/parse.ts'
import { eventNames } from '../../workflows/triggers.ts'

/** Something that act or actionlint says and the planner does not, or the other way round. */
export interface Disagreement {
  readonly peer: 'act' | 'actionlint'
  readonly kind: string
  readonly place: string
  readonly message: string
}

export interface Comparison {
  /** Jobs of which act told stage and events. */
  readonly jobsInAct: number
  readonly disagreements: readonly Disagreement[]
}

export function compareWithPeers(
  repo: string,
  result: CiPlanResult,
  tools: { readonly act?: string; readonly actionlint?: string },
): Comparison {
  const { act } = tools
  const listed = act === undefined ? [] : result.plans.map(({ workflow }) => withAct(act, repo, workflow))
  return {
    jobsInAct: listed.reduce((sum, { jobsInAct }) => sum + jobsInAct, 0),
    disagreements: [
      ...listed.flatMap((one) => one.disagreements),
      ...(tools.actionlint === undefined ? [] : withActionlint(tools.actionlint, repo, result)),
    ],
  }
}

/** act's list of one workflow's jobs, each with its stage and the workflow's events, against ours. */
function withAct(act: string, repo: string, workflow: WorkflowDefinition): Comparison {
  const place = workflow.path
  const said = run(act, ['--list', '--directory', repo, '--workflows', workflow.path], repo)
  if (said.failed) {
    const message = said.stderr.trim().split('\n').at(-1) ?? ''
    return { jobsInAct: 0, disagreements: [{ peer: 'act', kind: 'does not list', place, message }] }
  }
  const theirs = said.stdout
    .split('\n')
    .slice(1)
    .filter((line) => /^\d/.test(line))
    .map((line) => {
      const [stage = '', id = '', ...rest] = line.trim().split(/\s{2,}/)
      return lineOf(id, stage, rest.at(-1)?.split(',') ?? [])
    })
  const events = eventNames(workflow.on)
  const ours = workflow.jobs.map((job) => lineOf(job.id, String(stageOf(workflow, job.id)), events))
  const only = (here: readonly string[], there: readonly string[], whose: string): readonly Disagreement[] =>
    here
      .filter((one) => !there.includes(one))
      .map((one) => ({ peer: 'act', kind: `only ${whose}`, place, message: one }))
  return {
    jobsInAct: theirs.length,
    disagreements: [...only(theirs, ours, 'there'), ...only(ours, theirs, 'here')],
  }
}

const lineOf = (id: string, stage: string, events: readonly string[]): string =>
  `${id} at stage ${stage} on ${[...events].sort().join(', ')}`

/** The longest way of needs before a job. */
function stageOf(workflow: WorkflowDefinition, id: string): number {
  const needs = workflow.jobs.find((job) => job.id === id)?.needs ?? []
  return needs.length === 0 ? 0 : 1 + Math.max(...needs.map((one) => stageOf(workflow, one)))
}

interface Finding {
  readonly message: string
  readonly filepath: string
  readonly line: number
  readonly kind: string
}

/** Every error that actionlint finds in a workflow which is planned, and every workflow that only we refuse. */
function withActionlint(actionlint: string, repo: string, result: CiPlanResult): readonly Disagreement[] {
  const said = run(actionlint, ['-shellcheck=', '-pyflakes=', '-format', '{{json .}}'], repo)
  const findings = JSON.parse(said.stdout || '[]') as readonly Finding[]
  const theirs = findings.map(({ message, filepath, line, kind }) => ({
    peer: 'actionlint' as const,
    kind,
    place: `${filepath}:${line}`,
    message: message.split('. ')[0] ?? message,
  }))
  const ours = result.unreadable
    .filter((reason) => !findings.some(({ filepath }) => reason.startsWith(filepath)))
    .map((reason) => ({ peer: 'actionlint' as const, kind: 'refused only here', place: '', message: reason }))
  return [...theirs, ...ours]
}

function run(
  file: string,
  args: readonly string[],
  cwd: string,
): { stdout: string; stderr: string; failed: boolean } {
  try {
    return {
      stdout: execFileSync(file, args, { cwd, encoding: 'utf8', stdio: 'pipe' }),
      stderr: '',
      failed: false,
    }
  } catch (error) {
    const { stdout = '', stderr = '' } = error as { stdout?: string; stderr?: string }
    return { stdout, stderr, failed: true }
  }
}
