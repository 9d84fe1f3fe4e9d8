import type { Protocol } from '../../src/schema/match.ts'
import type { StandingCompetitor, StandingRound } from '../rated-battles.ts'

/** What a snapshot is made from: a season's rounds as they were judged, and who and what they name. */
export interface SeasonData {
  readonly season: {
    readonly id: string
    readonly title: string
    readonly digest: string
    readonly protocol: Protocol
  }
  readonly anchors: readonly string[]
  readonly tasks: readonly { readonly id: string; readonly language: string; readonly repository: string }[]
  readonly competitors: readonly StandingCompetitor[]
  /** Each once, controls included, in any order. */
  readonly rounds: readonly StandingRound[]
}
