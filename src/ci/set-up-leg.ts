import { RUNNER_TEMP } from '../../workflows/contexts.ts'
import { digestOfValue } from '../schema/canonical.ts'
import type { EnforcedLimit, StepResult } from '../schema/ci-run.ts'
import { FRESH_JOB, type JobState } from './job-state.ts'
import { type LegJob, openReports, runSteps, worldOf } from './leg-world.ts'
import { prepareTree } from './prepare-tree.ts'
import type { Session, WithSession } from './session.ts'
import type { SetupLayers } from './setup-layers.ts'

export interface Usage {
  readonly cpuMs: number | null
  readonly peakMemoryMiB: number | null
}

/** A leg just before its first test step: everything set up and built, kept as a layer. */
export interface LegSetup {
  readonly state: JobState
  readonly sha: string
  readonly limits: readonly EnforcedLimit[]
  readonly usage: Usage
}

/** Parts of a CI that all kinds of run share. */
export interface Workshop {
  readonly withSession: WithSession
  readonly setups: SetupLayers<LegSetup>
  readonly environmentDigest: string
}

/** Runs the body on the layer of this tree and leg, which is made on first use. `upTo`: the first test step. */
export function onSetup<R>(
  workshop: Workshop,
  job: LegJob,
  upTo: number,
  body: (setup: LegSetup, layers: readonly string[]) => Promise<R>,
): Promise<R> {
  const { tree, leg } = job
  const key = digestOfValue({
    tree: tree.digest,
    leg: leg.leg,
    needs: leg.contexts.needs ?? null,
    environment: workshop.environmentDigest,
  })
  return workshop.setups.use(
    key,
    (folder) =>
      workshop.withSession({ layers: [tree.task.layer], repoName: tree.task.repoName }, async (session) => {
        const setup = await runSetup(job, session, upTo)
        await session.sandbox.snapshot(folder)
        return setup
      }),
    (setup, folder) => body(setup, [folder, tree.task.layer]),
  )
}

/** Writes and commits the tree in a fresh sandbox and runs the first steps of the leg. */
export async function runSetup(job: LegJob, session: Session, upTo: number): Promise<LegSetup> {
  const { options, tree } = job
  const path = [...options.toolchains.path, '/usr/local/bin', '/usr/bin', '/bin'].join(':')
  const prepared = await prepareTree(session, tree, options.toolchains, path, RUNNER_TEMP)
  if (prepared.kind === 'failed') {
    const failed = await failedStep(job, prepared.reason, prepared.executed.output)
    const state: JobState = { ...FRESH_JOB, status: 'failure', results: [failed] }
    return { state, sha: '', limits: session.limits, usage: await session.sandbox.usage() }
  }
  const { reporting } = await openReports(job.adapter, session)
  const state = await runSteps(worldOf(job, prepared.sha, reporting), session, FRESH_JOB, 0, upTo)
  return { state, sha: prepared.sha, limits: session.limits, usage: await session.sandbox.usage() }
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
