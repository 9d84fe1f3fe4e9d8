import type { JobStatus } from '../../workflows/expressions.ts'
import type { Value } from '../../workflows/values.ts'
import type { Conclusion, StepResult } from '../schema/ci-run.ts'
import type { KeptFile } from './kept-files.ts'

/** What a job has become by the steps that ran so far. A value: a later run goes on from a kept one. */
export interface JobState {
  readonly status: JobStatus
  /** Variables set through GITHUB_ENV and by mapped actions. */
  readonly env: Readonly<Record<string, string>>
  /** Folders put before PATH, first wins. */
  readonly path: readonly string[]
  /** The `steps` context, by id. */
  readonly steps: Readonly<Record<string, StepOutcome>>
  readonly masks: readonly string[]
  readonly results: readonly StepResult[]
  /** Wall clock of all commands so far, in milliseconds. */
  readonly spentMs: number
  /** Why the job cannot go on here; null while it can. */
  readonly unsupported: string | null
  /** Artifacts and caches of this job and of those that it needs, oldest first. */
  readonly kept: readonly KeptFile[]
  /** Caches that are saved when the job has succeeded. */
  readonly saveAtEnd: readonly { readonly key: string; readonly paths: string }[]
}

export interface StepOutcome {
  readonly outputs: Readonly<Record<string, string>>
  readonly outcome: string
  readonly conclusion: string
}

export const FRESH_JOB: JobState = {
  status: 'success',
  env: {},
  path: [],
  steps: {},
  masks: [],
  results: [],
  spentMs: 0,
  unsupported: null,
  kept: [],
  saveAtEnd: [],
}

/** GitHub has no `timed_out` for a step in expressions: it is a failure there. */
const inExpressions = (conclusion: Conclusion): string =>
  conclusion === 'success' || conclusion === 'skipped' || conclusion === 'cancelled' ? conclusion : 'failure'

export function withStep(
  state: JobState,
  id: string | null,
  result: StepResult,
  outputs: Readonly<Record<string, string>>,
): JobState {
  const failed = result.conclusion !== 'success' && result.conclusion !== 'skipped'
  const outcome: StepOutcome = {
    outputs,
    outcome: inExpressions(result.outcome),
    conclusion: inExpressions(result.conclusion),
  }
  return {
    ...state,
    status: failed ? 'failure' : state.status,
    steps: id === null ? state.steps : { ...state.steps, [id]: outcome },
    results: [...state.results, result],
    spentMs: state.spentMs + result.durationMs,
  }
}

/** The job's own conclusion: the first failing step says whether it timed out. */
export function conclusionOf(state: JobState): Conclusion {
  if (state.status === 'success') return 'success'
  if (state.status === 'cancelled') return 'cancelled'
  const first = state.results.find((step) => step.conclusion !== 'success' && step.conclusion !== 'skipped')
  if (first?.conclusion === 'unsupported') return 'unsupported'
  return first?.conclusion === 'timed_out' ? 'timed_out' : 'failure'
}

/** The contexts that change while a job runs. */
export function movingContexts(state: JobState): { readonly steps: Value; readonly job: Value } {
  const steps: Value = Object.fromEntries(
    Object.entries(state.steps).map(([id, step]) => [id, { ...step, outputs: { ...step.outputs } }]),
  )
  return { steps, job: { status: state.status, container: {}, services: {} } }
}
