import type { ArmPlan } from '../../languages/adapter.ts'
import type { ArmedRun } from '../schema/ci-run.ts'
import type { ArmedProcess, ProcessReport, SentinelOutcome } from '../schema/test-result.ts'
import type { JobState } from './job-state.ts'
import { type LegJob, openReports, runSteps, testSteps, worldOf } from './leg-world.ts'
import { maskResults } from './log-commands.ts'
import type { Session } from './session.ts'
import { type LegSetup, onSetup, type Workshop } from './set-up-leg.ts'
import { masksOf } from './word.ts'

/**
 * Runs only the test steps of a leg, with a sentinel that must fail in each test process. `processes`: what the plain run of
 * base reported. `word`: the same for all trees of a task. Null when nothing can be armed. A leg whose set-up failed has no
 * armed steps, and its sentinels are absent.
 */
export async function runArmed(
  workshop: Workshop,
  job: LegJob,
  processes: readonly ProcessReport[],
  word: string,
): Promise<ArmedRun | null> {
  const steps = testSteps(job)
  const first = steps[0]
  if (first === undefined) return null
  const plan = job.adapter.arm(job.tree.view, processes, word)
  if (plan.sentinels.size === 0) return null
  return onSetup(workshop, job, first, async (setup, warm) => {
    if (setup.state.status !== 'success' || setup.state.unsupported !== null) {
      return { steps: [], processes: armedProcesses(plan, []) }
    }
    return workshop.withSession({ layers: warm.layers, repoName: job.tree.task.repoName }, (session) =>
      runTestSteps(warm.job, session, setup, steps, plan, masksOf(word)),
    )
  })
}

async function runTestSteps(
  job: LegJob,
  session: Session,
  setup: LegSetup,
  steps: readonly number[],
  plan: ArmPlan,
  hidden: readonly string[],
): Promise<ArmedRun> {
  await session.sandbox.writeFiles(plan.changes)
  const reports = await openReports(job.adapter, session)
  const world = worldOf(job, setup.sha, reports.reporting, plan.env)
  let state: JobState = { ...setup.state, masks: [...setup.state.masks, ...hidden], results: [] }
  for (const index of steps) {
    // An armed step fails by design; the next one runs all the same.
    state = {
      ...(await runSteps(world, session, state, index, index + 1)),
      status: 'success',
      unsupported: null,
    }
  }
  const reported = job.adapter.readReports(await reports.read())
  const processes = armedProcesses(plan, reported).map((process) => ({
    ...process,
    cases: maskResults(process.cases, hidden),
  }))
  return { steps: [...state.results], processes }
}

/** What became of each sentinel; a process that reported nothing has an absent one, and no exit code that we know. */
export function armedProcesses(plan: ArmPlan, reported: readonly ProcessReport[]): ArmedProcess[] {
  return [...plan.sentinels].flatMap(([process, sentinel]) => {
    const isSentinel = (test: { suite: string; name: string }): boolean =>
      test.suite === sentinel.suite && test.name === sentinel.name
    const found = reported.filter((report) => report.process === process)
    if (found.length === 0) {
      return [
        { process, exitCode: null, signal: null, cases: [], complete: false, sentinel: 'absent' as const },
      ]
    }
    return found.map((report) => ({
      ...report,
      cases: report.cases.filter((test) => !isSentinel(test)),
      sentinel: sentinelOutcome(report.cases.filter(isSentinel).map((test) => test.status)),
    }))
  })
}

/** A sentinel that is reported both ways was reported passed: nothing innocent does that. */
function sentinelOutcome(statuses: readonly string[]): SentinelOutcome {
  if (statuses.includes('passed')) return 'passed'
  return statuses.includes('failed') ? 'failed' : 'absent'
}
