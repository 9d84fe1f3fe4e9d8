import type { EnforcedLimit, StepResult } from '../schema/ci-run.ts'
import type { ProcessReport } from '../schema/test-result.ts'
import type { JobState } from './job-state.ts'
import { firstTestStep, type LegJob, openReports, runSteps, worldOf } from './leg-world.ts'
import { saveCaches } from './run-store.ts'
import type { Session } from './session.ts'
import { addUsage, onBase, onSetup, runSetup, type Usage, type Workshop } from './set-up-leg.ts'
import { NO_REPORTING } from './step-environment.ts'

/** A leg run to its end as the workflow says. */
export interface PlainRun {
  readonly state: JobState
  readonly sha: string
  readonly steps: readonly StepResult[]
  readonly testStep: number | null
  readonly processes: readonly ProcessReport[]
  readonly limits: readonly EnforcedLimit[]
  readonly usage: Usage
}

/**
 * Runs a leg plain. One with tests goes on from its layer after set-up, so that later runs on the same tree need not set
 * up again. Throws RunnerUnavailableError when the sandbox breaks.
 */
export async function runPlain(workshop: Workshop, job: LegJob): Promise<PlainRun> {
  const { tree, leg } = job
  const testStep = firstTestStep(job)
  const all = leg.definition.steps.length
  if (testStep === null) {
    return onBase(workshop, job, (warm) =>
      workshop.withSession({ layers: warm.layers, repoName: tree.task.repoName }, async (session) => {
        const setup = await runSetup(warm.job, session, all)
        const state = await saveCaches(worldOf(warm.job, setup.sha, NO_REPORTING), session, setup.state)
        return { ...setup, state, steps: state.results, testStep }
      }),
    )
  }
  return onSetup(workshop, job, testStep, (setup, warm) =>
    workshop.withSession({ layers: warm.layers, repoName: tree.task.repoName }, async (session) => {
      const rest = await runRest(warm.job, session, setup.state, setup.sha, testStep)
      const usage = addUsage(setup.usage, await session.sandbox.usage())
      return { ...rest, sha: setup.sha, testStep, limits: session.limits, usage }
    }),
  )
}

async function runRest(
  job: LegJob,
  session: Session,
  start: JobState,
  sha: string,
  testStep: number,
): Promise<Pick<PlainRun, 'state' | 'steps' | 'processes'>> {
  const reports = await openReports(job.adapter, session)
  const world = worldOf(job, sha, reports.reporting)
  const ran = await runSteps(world, session, start, testStep, job.leg.definition.steps.length)
  const state = await saveCaches(world, session, ran)
  return { state, steps: state.results, processes: job.adapter.readReports(await reports.read()) }
}
