import type { LanguageAdapter } from '../../languages/adapter.ts'
import { withNeeds } from '../../workflows/needs.ts'
import {
  flatLegs,
  type PlanInput,
  type PlannedLeg,
  planWorkflow,
  type WorkflowPlan,
} from '../../workflows/plan.ts'
import { textOf } from '../../workflows/values.ts'
import { InputError } from '../errors.ts'
import type { PreparedTask } from '../schema/prepared.ts'
import type { KeptFile } from './kept-files.ts'
import { atHandOf, firstTestStep, type LegJob } from './leg-world.ts'
import type { CiOptions } from './options.ts'
import { repoInside } from './runners/port.ts'
import type { Tree } from './tree.ts'

/** A task's workflow planned for one tree. The text comes from the base commit: the candidate's own is never read. */
export interface TreeRun {
  readonly tree: Tree
  readonly plan: WorkflowPlan
  readonly input: PlanInput
  /** The selected jobs and those they need. */
  readonly wanted: ReadonlySet<string>
  readonly signal: AbortSignal | undefined
}

export function treeRun(options: CiOptions, tree: Tree, signal: AbortSignal | undefined): TreeRun {
  const { task } = tree.task.loaded
  const path = task.ci.workflow
  const text = tree.task.base.read(path)?.toString('utf8')
  if (text === undefined) {
    throw new InputError('no such file at the base commit', {
      place: path,
      remedy: 'set ci.workflow in task.json',
    })
  }
  const event = {
    name: task.ci.event,
    repository: task.repository.name,
    workspace: repoInside(tree.task.repoName),
  }
  const input: PlanInput = { ...atHandOf(options, tree), event }
  const plan = planWorkflow({ ...input, path, text })
  for (const job of task.ci.jobs) {
    if (!plan.jobs.includes(job)) {
      throw new InputError(`no job '${job}'`, {
        place: path,
        remedy: `ci.jobs may name ${plan.jobs.join(', ')}`,
      })
    }
  }
  return { tree, plan, input, wanted: withNeeds(plan.workflow, task.ci.jobs), signal }
}

export function legJob(
  options: CiOptions,
  run: TreeRun,
  leg: PlannedLeg,
  kept: readonly KeptFile[] = [],
): LegJob {
  const { tree, signal } = run
  return { options, tree, workflow: leg.workflow, leg, kept, adapter: adapterFor(options, tree), signal }
}

/** The job of the workflow itself that stands behind a leg, be it one of a workflow that it calls. */
export const topJob = (job: string): string => job.split('/')[0] ?? job

/** `ci.matrix` keeps the legs with its values; a leg of a job without such a key is kept too, as is a job only needed. */
export function isChosen(task: PreparedTask, leg: PlannedLeg): boolean {
  const { matrix, jobs } = task.loaded.task.ci
  if (!matrix || !jobs.includes(leg.job)) return true
  return Object.entries(matrix).every(
    ([key, value]) => !(key in leg.matrix) || textOf(leg.matrix[key]) === String(value),
  )
}

/** The leg's first test step, by index. */
export const testStepOf = (options: CiOptions, run: TreeRun, leg: PlannedLeg): number | null =>
  firstTestStep({ leg, tree: run.tree, adapter: adapterFor(options, run.tree) })

/** The selected jobs that have a leg without a test step. */
export const lintJobs = (options: CiOptions, run: TreeRun): readonly string[] => [
  ...new Set(
    run.plan.legs
      .filter(
        (leg) =>
          run.wanted.has(leg.job) && flatLegs([leg]).some((one) => testStepOf(options, run, one) === null),
      )
      .map((leg) => leg.job),
  ),
]

const adapterFor = (options: CiOptions, tree: Tree): LanguageAdapter =>
  options.adapterOf(tree.task.loaded.task.language)
