import type { CellRun } from './ci-run.ts'
import type { Generation, Round } from './match.ts'

/** A cell as a round page shows it. */
export interface CellView {
  /** `base`, `golden`, `patch`, `tests on base`, … in the order of the page. */
  readonly role: string
  readonly key: string
  /** Null when the artifact was cleaned up. */
  readonly run: CellRun | null
  readonly durationMs: number
  readonly environment: string
}

/** Everything that a round's page and its JSON show. */
export interface RoundView {
  readonly round: Round
  readonly task: {
    readonly id: string
    readonly language: string
    readonly repository: string
    readonly baseCommit: string
    readonly issue: string
  }
  readonly submitterLabel: string
  readonly reviewerLabel: string
  readonly patch: Generation
  /** Null when the reviewer was not asked. */
  readonly tests: Generation | null
  readonly cells: readonly CellView[]
}

/** One line of a season's list of rounds. */
export interface RoundSummary {
  readonly id: string
  readonly taskId: string
  readonly language: string
  readonly submitter: string
  readonly reviewer: string
  readonly verdict: string
  readonly control: boolean
  readonly submitterPoints: number
  readonly reviewerPoints: number
  readonly admitted: number
  readonly killedBy: readonly string[]
  readonly settledAt: string
}
