import { type RatedBattle, toBattles } from '../src/ratings/battles.ts'
import type { RatedRound } from '../src/ratings/rounds.ts'
import type { Round } from '../src/schema/match.ts'

export interface StandingCompetitor {
  readonly id: string
  readonly label: string
  readonly team: string
  /** The control's name; null or absent for what is rated. */
  readonly control?: string | null
  /** Shown without a rank; its rounds stay in the fit. */
  readonly retired?: boolean
}

/** The rounds between competitors, by what may be made of them. Controls are apart already. */
export interface SortedRounds {
  /** Of battles without a void: their points and records count. */
  readonly counted: readonly Round[]
  /** The counted ones that the models see. */
  readonly rated: readonly (RatedRound & { readonly battle: string })[]
  readonly battles: readonly RatedBattle[]
  /** A void round drops both rounds of its battle. */
  readonly voided: readonly Round[]
  /** Of one team, or of one competitor against itself: shown, and that is all. */
  readonly sameTeam: readonly Round[]
  /** Played where a limit was not enforced, or where no deciding process could be armed: counted, not rated. */
  readonly unguarded: readonly Round[]
}

const UNGUARDED = ['limits-not-enforced', 'all-unarmed']

const isUnguarded = (round: Round): boolean => round.verdict.flags.some((flag) => UNGUARDED.includes(flag))

export function sortRounds(
  rounds: readonly Round[],
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
