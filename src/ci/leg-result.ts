import type { PlannedLeg } from '../../workflows/plan.ts'
import type { ArmedRun, LegResult, StepResult } from '../schema/ci-run.ts'
import type { LegEnd } from './job-graph.ts'
import { conclusionOf } from './job-state.ts'
import type { PlainRun } from './run-plain.ts'

/** The record of a leg that ran. */
export function legResult(leg: PlannedLeg, plain: PlainRun, armed: ArmedRun | null): LegResult {
  const unsupported = plain.state.unsupported
  return {
    leg: leg.leg,
    job: leg.job,
    matrix: { ...leg.matrix },
    status: unsupported === null ? conclusionOf(plain.state) : 'unsupported',
    reason: unsupported,
    steps: withNotes(leg, plain.steps),
    testStep: plain.testStep,
    processes: [...plain.processes],
    armed,
    limits: [...plain.limits],
    infra: null,
    durationMs: plain.state.spentMs,
    cpuMs: plain.usage.cpuMs,
    peakMemoryMiB: plain.usage.peakMemoryMiB,
  }
}

/** What stands in for something that the leg asks for is told with its first step. */
const withNotes = (leg: PlannedLeg, steps: readonly StepResult[]): StepResult[] =>
  steps.map((step, index) => (index === 0 ? { ...step, notes: [...leg.notes, ...step.notes] } : step))

/**
 * The record of a leg that did not run, or whose sandbox broke: `end.infra` holds the evidence. `testStep`: the planned one,
 * so that a leg with tests is known as such although none has reported.
 */
export function stoppedLeg(
  leg: PlannedLeg,
  end: Pick<LegEnd, 'status' | 'reason' | 'infra'>,
  testStep: number | null,
): LegResult {
  return {
    leg: leg.leg,
    job: leg.job,
    matrix: { ...leg.matrix },
    status: end.status,
    reason: end.reason,
    steps: [],
    testStep,
    processes: [],
    armed: null,
    limits: [],
    infra: end.infra,
    durationMs: 0,
    cpuMs: null,
    peakMemoryMiB: null,
  }
}
