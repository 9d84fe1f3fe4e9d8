import type { LanguageAdapter, ReportFiles, Reporting } from '../../languages/adapter.ts'
import { calledScripts } from '../../workflows/called-scripts.ts'
import { hashFilesIn } from '../../workflows/hash-files.ts'
import type { WorkflowDefinition } from '../../workflows/parse.ts'
import type { PlannedLeg } from '../../workflows/plan.ts'
import type { AtHand } from '../../workflows/plan-step.ts'
import { insideIo, makeFolder, readPlainFiles } from './io-folder.ts'
import { FRESH_JOB, type JobState } from './job-state.ts'
import type { KeptFile } from './kept-files.ts'
import type { CiOptions } from './options.ts'
import { remoteFiles } from './remote-files.ts'
import { runStep, type StepWorld } from './run-step.ts'
import type { Session } from './session.ts'
import type { Tree } from './tree.ts'
import type { WarmStep } from './warm-record.ts'

/** Bytes of reports read of one leg, together. */
export const REPORT_BYTES = 64 * 1024 * 1024

/** A leg of a task's workflow on one tree: what every kind of run of it needs. */
export interface LegJob {
  readonly options: CiOptions
  readonly tree: Tree
  readonly workflow: WorkflowDefinition
  readonly leg: PlannedLeg
  readonly adapter: LanguageAdapter
  readonly signal: AbortSignal | undefined
  /** Artifacts and caches of the jobs that the leg's job needs. */
  readonly kept?: readonly KeptFile[]
  /** Steps that ran in the leg's warm phase and are not run again, by index; none in a leg without one. */
  readonly warm?: ReadonlyMap<number, WarmStep>
}

/** What the planner may look at: the tools, and the files of the base tree, since the base's workflow is the judge. */
export const atHandOf = (options: CiOptions, tree: Tree): AtHand => ({
  tools: options.toolchains.tools,
  readFile: (path) => tree.task.base.read(path)?.toString('utf8'),
  ...(options.actionsFolder === undefined ? {} : { readRemote: remoteFiles(options.actionsFolder) }),
  substitute: (options.substitute ?? false) || (tree.task.loaded.task.ci.substitute ?? false),
  javascript: options.javascript ?? false,
  fetches: options.warm !== undefined && tree.task.loaded.task.ci.network === 'set-up',
})

/** A leg with the tree and the language that its steps are read by. */
export type LegOnTree = Pick<LegJob, 'leg' | 'adapter' | 'tree'>

/** Index of the leg's first step that runs tests; null in a leg without tests. */
export const firstTestStep = (job: LegOnTree): number | null => testSteps(job)[0] ?? null

export const testSteps = (job: LegOnTree): readonly number[] =>
  job.leg.steps
    .filter(
      (step) =>
        step.status !== 'skipped' && step.script !== null && testScriptOf(job, step.script) !== undefined,
    )
    .map((step) => step.index)

/**
 * The script in which the tests stand: the step's own, or a script or make target of the base tree that it calls. Undefined
 * when it runs no tests that the language knows.
 */
export function testScriptOf({ adapter, tree }: Omit<LegOnTree, 'leg'>, script: string): string | undefined {
  const readFile = (path: string): string | undefined => tree.task.base.read(path)?.toString('utf8')
  const called = (): readonly string[] => calledScripts(script, { readFile }).map(({ text }) => text)
  return adapter.isTestCommand(script) ? script : called().find((text) => adapter.isTestCommand(text))
}

export function worldOf(
  job: LegJob,
  sha: string,
  reporting: Reporting,
  extraEnv: Readonly<Record<string, string>> = {},
): StepWorld {
  const { options, tree, leg } = job
  return {
    options,
    workflow: job.workflow,
    context: {
      leg,
      repoName: tree.task.repoName,
      toolchains: options.toolchains,
      taskEnv: tree.task.loaded.task.ci.env,
      sha,
    },
    atHand: atHandOf(options, tree),
    hashFiles: (patterns) => hashFilesIn(tree.view, patterns),
    reporting,
    extraEnv,
    warm: job.warm ?? new Map(),
    depth: 0,
    signal: job.signal,
  }
}

/** A job before its first step. */
export const freshJob = (job: LegJob): JobState => ({ ...FRESH_JOB, kept: job.kept ?? [] })

/** A fresh folder for reports, and what makes the tools write there. */
export async function openReports(
  adapter: LanguageAdapter,
  session: Session,
): Promise<{ readonly reporting: Reporting; readonly read: () => Promise<ReportFiles> }> {
  const name = `reports-${session.newName()}`
  await makeFolder(session.io, name)
  return {
    reporting: adapter.reporting(insideIo(name)),
    read: () => readPlainFiles(session.io, name, REPORT_BYTES),
  }
}

/** Runs the steps `from` (inclusive) to `to` (exclusive) one by one; stops where the job cannot go on here. */
export async function runSteps(
  world: StepWorld,
  session: Session,
  start: JobState,
  from: number,
  to: number,
): Promise<JobState> {
  let state = start
  for (const step of world.context.leg.definition.steps.slice(from, to)) {
    if (state.unsupported !== null) break
    world.signal?.throwIfAborted()
    const leg = world.context.leg.leg
    const name = world.context.leg.steps[step.index]?.name ?? ''
    world.options.onEvent?.({
      kind: 'step',
      leg,
      step: name,
      state: 'started',
      conclusion: null,
      durationMs: 0,
    })
    state = await runStep(world, session, state, step)
    // What an aborted command says is nobody's result.
    world.signal?.throwIfAborted()
    const result = state.results.at(-1)
    world.options.onEvent?.({
      kind: 'step',
      leg,
      step: name,
      state: 'finished',
      conclusion: result?.conclusion ?? null,
      durationMs: result?.durationMs ?? 0,
    })
  }
  return state
}
