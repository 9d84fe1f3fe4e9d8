import { z } from 'zod'
import { StepResult } from '../schema/ci-run.ts'
import { type JobState, withStep } from './job-state.ts'

const Texts = z.record(z.string(), z.string())

/** What a step of the warm phase came to, and what it left to the steps after it. */
const WarmStep = z.object({
  result: StepResult,
  outputs: Texts,
  env: Texts,
  /** Put before PATH. */
  path: z.array(z.string()),
  masks: z.array(z.string()),
  /** Why the job cannot go on here; null while it can. */
  unsupported: z.string().nullable(),
})
export type WarmStep = z.infer<typeof WarmStep>

/** What is kept beside a warm layer. */
export const WarmRecord = z.object({
  format: z.literal(1),
  /** Steps that are not run again, by their index. */
  steps: z.array(WarmStep),
  /** Hosts that were asked, in order of the first time. */
  hosts: z.array(z.string()),
  /** What was refused or did not answer in a phase in which a step failed, one sentence a host. */
  refusals: z.array(z.string()),
  /** Logs of the steps, by digest. */
  logs: Texts,
  /** Whether the tree keeps what was built in it; else only what lies beside it is kept. */
  keepsTree: z.boolean(),
})
export type WarmRecord = z.infer<typeof WarmRecord>

/**
 * Whether a record holds for later processes: not when something was missing or did not answer, which
 * may be there by then.
 */
export function isLasting(record: Buffer): boolean {
  const read = WarmRecord.safeParse(JSON.parse(record.toString('utf8')))
  return (
    read.success &&
    read.data.refusals.length === 0 &&
    read.data.steps.every(({ unsupported }) => unsupported === null)
  )
}

/** What the last step has changed. */
export function warmStepOf(before: JobState, after: JobState, id: string | null): WarmStep | undefined {
  const result = after.results.at(-1)
  if (!result || after.results.length === before.results.length) return undefined
  const env = Object.entries(after.env).filter(([name, value]) => before.env[name] !== value)
  return {
    result,
    outputs: { ...(id === null ? {} : after.steps[id]?.outputs) },
    env: Object.fromEntries(env),
    path: after.path.slice(0, after.path.length - before.path.length),
    masks: after.masks.filter((mask) => !before.masks.includes(mask)),
    unsupported: after.unsupported,
  }
}

/** The job as it is after a step that has run in the warm phase. */
export function replayStep(state: JobState, id: string | null, name: string, step: WarmStep): JobState {
  const notes = [...step.result.notes, 'ran in the warm phase']
  const next = withStep(state, id, { ...step.result, name, notes }, step.outputs)
  return {
    ...next,
    // Its time was spent before this run began.
    spentMs: state.spentMs,
    env: { ...next.env, ...step.env },
    path: [...step.path, ...next.path],
    masks: [...new Set([...next.masks, ...step.masks])],
    unsupported: step.unsupported,
  }
}
