import type { Standings } from '../schema/rating.ts'
import type { RoundSummary, RoundView } from '../schema/view.ts'

/** What pages and API ask. Answers are whole and current; a broken store throws ArenaError. */
export interface ArenaQueries {
  /** Newest first. */
  seasons(): Promise<readonly { readonly id: string; readonly title: string }[]>
  /** Without an id those of the newest season; undefined when there is no such season. */
  standings(seasonId?: string): Promise<Standings | undefined>
  /** In the order of the plan; empty for a season that nobody knows. */
  rounds(seasonId: string): Promise<readonly RoundSummary[]>
  /** By whole id. */
  round(id: string): Promise<RoundView | undefined>
  /** Bytes that are kept by content: logs, and answers as they came. */
  log(digest: string): Promise<Buffer | undefined>
}
