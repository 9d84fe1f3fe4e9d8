import { RUNNER_TEMP } from '../../workflows/contexts.ts'
import { digestOfValue } from '../schema/canonical.ts'
import type { EnforcedLimit, StepResult } from '../schema/ci-run.ts'
import type { ProcessReport } from '../schema/test-result.ts'
import { FRESH_JOB, type JobState } from './job-state.ts'
import { freshJob, type LegJob, openReports, runSteps, worldOf } from './leg-world.ts'
import { prepareTree } from './prepare-tree.ts'
import { HOME_INSIDE, repoInside } from './runners/port.ts'
import type { Session, WithSession } from './session.ts'
import type { SetupLayers } from './setup-layers.ts'
import { treeOf } from './tree.ts'
import type { WarmLayers } from './warm-layers.ts'
import { type WarmLeg, warmLeg } from './warm-leg.ts'

export interface Usage {
  readonly cpuMs: number | null
  readonly peakMemoryMiB: number | null
}

/** A leg just before its first test step: everything set up and built, kept as a layer. */
export interface LegSetup {
  readonly state: JobState
  readonly sha: string
  /** What tools reported that its steps have started in a way that is not seen beforehand. */
  readonly processes: readonly ProcessReport[]
  readonly limits: readonly EnforcedLimit[]
  readonly usage: Usage
}

/** Parts of a CI that all kinds of run share. */
export interface Workshop {
  readonly withSession: WithSession
  readonly setups: SetupLayers<LegSetup>
  /** What the languages' warm-ups left, by task. */
  readonly warmUps: SetupLayers<void>
  /** What warm phases left, by leg. */
  readonly warmLayers: WarmLayers
  readonly environmentDigest: string
}

/** Runs the body on the layer of this tree and leg, which is made on first use. `upTo`: the first test step. */
export function onSetup<R>(
  workshop: Workshop,
  job: LegJob,
  upTo: number,
  body: (setup: LegSetup, leg: WarmLeg) => Promise<R>,
): Promise<R> {
  const { tree, leg } = job
  const key = digestOfValue({
    tree: tree.digest,
    workflow: job.workflow.path,
    leg: leg.leg,
    needs: leg.contexts.needs ?? null,
    kept: (job.kept ?? []).map(({ kind, name, digest }) => ({ kind, name, digest })),
    environment: workshop.environmentDigest,
  })
  return onBase(workshop, job, (below) =>
    workshop.setups.use(
      key,
      (folder) =>
        workshop.withSession({ layers: below.layers, repoName: tree.task.repoName }, async (session) => {
          const setup = await runSetup(below.job, session, upTo)
          await session.sandbox.snapshot(folder)
          return setup
        }),
      (setup, folder) => body(setup, { job: below.job, layers: [folder, ...below.layers] }),
    ),
  )
}

/**
 * Runs the body on the layers that lie under every tree of a task: the base tree, what the warm phase of a task with a network
 * left and, where the language gains by it, the build cache that its warm-up left. Both run on base, before any other code is
 * there. The body's job is the leg as it is after its warm phase.
 */
export async function onBase<R>(
  workshop: Workshop,
  job: LegJob,
  body: (leg: WarmLeg) => Promise<R>,
): Promise<R> {
  const { task } = job.tree
  const { warmUp } = job.adapter
  const { warm } = job.options
  if (warm && task.loaded.task.ci.network === 'set-up')
    return body(await warmLeg(workshop, { ...job, tree: treeOf(task, null) }, warm).then(onTree(job)))
  if (!warmUp) return body({ job, layers: [task.layer] })
  const key = digestOfValue({ warmUp, task: task.loaded.digest, environment: workshop.environmentDigest })
  return workshop.warmUps.use(
    key,
    (folder) =>
      workshop.withSession({ layers: [task.layer], repoName: task.repoName }, async (session) => {
        await session.sandbox.exec({
          argv: ['/usr/bin/env', 'bash', '--noprofile', '--norc', '-eo', 'pipefail', '-c', warmUp.script],
          env: { ...job.options.toolchains.env, HOME: HOME_INSIDE, PATH: pathOf(job), ...warmUp.env },
          cwd: repoInside(task.repoName),
          timeoutMs: job.options.timeouts.buildMs,
          outputBytes: 64 * 1024,
        })
        await session.sandbox.snapshot(folder)
      }),
    (_, folder) => body({ job, layers: [folder, task.layer] }),
  )
}

/** The warm phase saw base; what comes after it is the job's own tree. */
const onTree =
  ({ tree }: LegJob) =>
  (leg: WarmLeg): WarmLeg => ({ ...leg, job: { ...leg.job, tree } })

const pathOf = (job: LegJob): string =>
  [...job.options.toolchains.path, '/usr/local/bin', '/usr/bin', '/bin'].join(':')

/** Writes and commits the tree in a fresh sandbox and runs the first steps of the leg. */
export async function runSetup(job: LegJob, session: Session, upTo: number): Promise<LegSetup> {
  const { options, tree } = job
  const prepared = await prepareTree(session, tree, options.toolchains, pathOf(job), RUNNER_TEMP)
  if (prepared.kind === 'failed') {
    const failed = await failedStep(job, prepared.reason, prepared.executed.output)
    const state: JobState = { ...FRESH_JOB, status: 'failure', results: [failed] }
    return { state, sha: '', processes: [], limits: session.limits, usage: await session.sandbox.usage() }
  }
  const reports = await openReports(job.adapter, session)
  const state = await runSteps(worldOf(job, prepared.sha, reports.reporting), session, freshJob(job), 0, upTo)
  const processes = job.adapter.readReports(await reports.read())
  const usage = await session.sandbox.usage()
  return { state, sha: prepared.sha, processes, limits: session.limits, usage }
}

async function failedStep(job: LegJob, reason: string, output: Buffer): Promise<StepResult> {
  return {
    index: 0,
    name: 'Write the tree',
    uses: null,
    outcome: 'failure',
    conclusion: 'failure',
    exitCode: null,
    durationMs: 0,
    log: await job.options.putBlob(output),
    droppedBytes: 0,
    notes: [reason],
  }
}

/** CPU times add up, the higher peak counts; unknown stays unknown. */
export function addUsage(a: Usage, b: Usage): Usage {
  return {
    cpuMs: a.cpuMs === null || b.cpuMs === null ? null : a.cpuMs + b.cpuMs,
    peakMemoryMiB:
      a.peakMemoryMiB === null || b.peakMemoryMiB === null
        ? null
        : Math.max(a.peakMemoryMiB, b.peakMemoryMiB),
  }
}
