import { type RatedBattle, toBattles } from '../src/ratings/battles.ts'
import type { RatedRound } from '../src/ratings/rounds.ts'
import type { Verdict } from '../src/schema/verdict.ts'

export interface StandingCompetitor {
  readonly id: string
  readonly label: string
  readonly team: string
  /** The control's name; null or absent for what is rated. */
  readonly control?: string | null
  /** Shown without a rank; its rounds stay in the fit. */
  readonly retired?: boolean
}

/** What the table needs of a round; whole rounds are such, and so are the lines of an export. */
export interface StandingRound {
  readonly id: string
  readonly battle: string
  readonly taskId: string
  readonly submitter: string
  readonly reviewer: string
  readonly control: boolean
  readonly patch: string
  readonly verdict: Pick<
    Verdict,
    'kind' | 'y' | 'points' | 'flags' | 'playable' | 'resolved' | 'admitted' | 'killedBy' | 'undecided'
  >
}

/** The rounds between competitors, by what may be made of them. Controls are apart already. */
export interface SortedRounds {
  /** Of battles without a void: their points and records count. */
  readonly counted: readonly StandingRound[]
  /** The counted ones that the models see. */
  readonly rated: readonly (RatedRound & { readonly battle: string })[]
  readonly battles: readonly RatedBattle[]
  /** A void round drops both rounds of its battle. */
  readonly voided: readonly StandingRound[]
  /** Of one team, or of one competitor against itself: shown, and that is all. */
  readonly sameTeam: readonly StandingRound[]
  /** Played where a limit was not enforced, or where no deciding process could be armed: counted, not rated. */
  readonly unguarded: readonly StandingRound[]
}

const UNGUARDED = ['limits-not-enforced', 'all-unarmed']

const isUnguarded = (round: StandingRound): boolean =>
  round.verdict.flags.some((flag) => UNGUARDED.includes(flag))

export function sortRounds(
  rounds: readonly StandingRound[],
  competitors: ReadonlyMap<string, StandingCompetitor>,
): SortedRounds {
  const teamOf = (id: string): string => competitors.get(id)?.team ?? id
  const between = rounds.filter((round) => !round.control)
  const sameTeam = between.filter((round) => teamOf(round.submitter) === teamOf(round.reviewer))
  const rivals = between.filter((round) => teamOf(round.submitter) !== teamOf(round.reviewer))
  const broken = new Set(rivals.filter(({ verdict }) => verdict.kind === 'void').map(({ battle }) => battle))
  const counted = rivals.filter(({ battle }) => !broken.has(battle))
  const rated = counted.flatMap((round) =>
    round.verdict.y === null || isUnguarded(round)
      ? []
      : [
          {
            task: round.taskId,
            submitter: round.submitter,
            reviewer: round.reviewer,
            y: round.verdict.y,
            battle: round.battle,
          },
        ],
  )
  return {
    counted,
    rated,
    battles: toBattles(rated),
    voided: rivals.filter(({ battle }) => broken.has(battle)),
    sameTeam,
    unguarded: counted.filter(isUnguarded),
  }
}
