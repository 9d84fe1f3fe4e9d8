import { type RatedBattle, resultOf } from './battles.ts'
import { eValue } from './proportions.ts'
import { logLikelihoodRatio, sequentialBounds } from './sequential.ts'
import { betweenTwo, contrastError, contrastValue, POINTS_PER_LOGIT, type StrengthFit } from './strength.ts'
import { studentQuantile } from './student.ts'

/** An e-value that is a claim: under "no difference" it is reached with 5 % at most, however often one looks. */
export const CLAIM_AT = 20

/** The lead that "A beats B" is tested for, in Elo points of the score. */
export const LEAD_ELO = 50
const ERROR_RATE = 0.05

export interface PairComparison {
  readonly a: string
  readonly b: string
  /** R_a − R_b by the model, in rating points, with the error of this very contrast and its 95 % interval. */
  readonly difference: number
  readonly se: number
  readonly low: number | null
  readonly high: number | null
  /** Tasks on which they met, by who won more battles there. Battles of one task share patches: a task has one vote. */
  readonly wins: number
  readonly losses: number
  readonly draws: number
  /** Against "either wins with ½": a claim from 20 on. */
  readonly eValue: number
  readonly claim: 'a' | 'b' | null
  /** The sequential test of a's lead of `leadElo` against none, at 5 % and 5 %. */
  readonly test: {
    readonly leadElo: number
    readonly logLikelihoodRatio: number
    readonly bounds: readonly [number, number]
    readonly decision: 'lead' | 'no-lead' | 'open'
  }
}

/** Each common task's vote: positive for a. */
function votesOf(battles: readonly RatedBattle[], a: string, b: string): readonly number[] {
  const votes = new Map<string, number>()
  for (const battle of battles) {
    if (!((battle.a === a && battle.b === b) || (battle.a === b && battle.b === a))) continue
    const result = resultOf(battle)
    const vote = result === 'draw' ? 0 : battle[result] === a ? 1 : -1
    votes.set(battle.task, (votes.get(battle.task) ?? 0) + vote)
  }
  return [...votes.values()]
}

/** Compares two competitors by the model and by their own battles alone. The order of `battles` changes nothing. */
export function comparePair(
  fit: StrengthFit,
  battles: readonly RatedBattle[],
  a: string,
  b: string,
  leadElo = LEAD_ELO,
): PairComparison {
  const contrast = betweenTwo(a, b)
  const difference = POINTS_PER_LOGIT * contrastValue(fit, contrast)
  const se = POINTS_PER_LOGIT * contrastError(fit, contrast).used
  const degrees = fit.tasks.length - 1
  const half = degrees < 1 ? null : studentQuantile(0.975, degrees) * se
  const votes = votesOf(battles, a, b)
  const wins = votes.filter((vote) => vote > 0).length
  const losses = votes.filter((vote) => vote < 0).length
  const draws = votes.length - wins - losses
  const evidence = eValue(wins, losses)
  const ratio = votes.length === 0 ? 0 : logLikelihoodRatio([losses, draws, wins], 0, leadElo).exact
  const bounds = sequentialBounds(ERROR_RATE, ERROR_RATE)
  return {
    a,
    b,
    difference,
    se,
    low: half === null ? null : difference - half,
    high: half === null ? null : difference + half,
    wins,
    losses,
    draws,
    eValue: evidence,
    claim: evidence < CLAIM_AT ? null : wins > losses ? 'a' : 'b',
    test: {
      leadElo,
      logLikelihoodRatio: ratio,
      bounds,
      decision: ratio >= bounds[1] ? 'lead' : ratio <= bounds[0] ? 'no-lead' : 'open',
    },
  }
}
