import { expressionsOfJob } from './job-expressions.ts'
import type { JobDefinition } from './parse.ts'

/** A needed job as far as it can run here. */
export interface NeedHere {
  readonly id: string
  /** Why a leg of it does not run here; null when all do. */
  readonly refused: string | null
  /** Whether some leg of it does. */
  readonly runs: boolean
}

export interface NeedsHere {
  /** Why the job does not run; null when it does. */
  readonly refused: string | null
  /** What is taken to have passed in place of what cannot run. */
  readonly notes: readonly string[]
}

/**
 * Whether a job runs behind jobs that cannot run here, or not all of them: nobody knows how they would have ended. With
 * `substitute` they count as passed, unless the job reads outputs or artifacts that then nobody makes.
 */
export function needsHere(job: JobDefinition, needed: readonly NeedHere[], substitute: boolean): NeedsHere {
  const notes: string[] = []
  for (const { id, refused, runs } of needed) {
    if (refused === null) continue
    if (!substitute || (!runs && readsFrom(job, id))) return { refused: `needs ${id}: ${refused}`, notes: [] }
    notes.push(`substituted: ${id}, which this job needs, is taken to have passed: ${refused}`)
  }
  return { refused: null, notes }
}

const DOWNLOADS = /^actions\/download-artifact@/i

function readsFrom(job: JobDefinition, id: string): boolean {
  const outputs = new RegExp(
    `needs\\s*(\\.\\s*${id}|\\[\\s*'${id}'\\s*\\])\\s*(\\.\\s*outputs|\\[)|needs\\s*(\\)|\\.\\s*\\*\\s*\\.\\s*outputs)`,
    'i',
  )
  return (
    expressionsOfJob(job).some((expression) => outputs.test(expression)) ||
    job.steps.some(({ uses }) => uses !== null && DOWNLOADS.test(uses))
  )
}
