import { eloScore } from './elo.ts'
import { sum } from './numbers.ts'

interface Outcome {
  readonly score: number
  readonly share: number
}

/** The likeliest distribution over the outcomes whose mean score is `mean`: q / (1 + x (score − mean)), x by bisection. */
function likeliest(outcomes: readonly Outcome[], mean: number): readonly number[] {
  let low = -1 / (1 - mean) + 1e-12
  let high = 1 / mean - 1e-12
  const slope = (x: number): number =>
    sum(outcomes.map(({ score, share }) => (share * (score - mean)) / (1 + x * (score - mean))))
  for (let step = 0; step < 200; step++) {
    const middle = (low + high) / 2
    if (slope(middle) > 0) low = middle
    else high = middle
  }
  const x = (low + high) / 2
  return outcomes.map(({ score, share }) => share / (1 + x * (score - mean)))
}

/** A count of nothing would make the likelihood undefined: it is taken as a thousandth of a game. */
const NO_GAME = 1e-3

/**
 * The generalised sequential probability ratio test: log-likelihood ratio of H1 (a lead of `elo1`) against H0 (`elo0`).
 * `counts` from the lowest score to the highest, scores equally spaced: losses, draws, wins, or the five results of a
 * pair of games. `approximate`: by the mean and variance alone.
 */
export function logLikelihoodRatio(
  counts: readonly number[],
  elo0: number,
  elo1: number,
): { readonly exact: number; readonly approximate: number } {
  const kept = counts.map((count) => count || NO_GAME)
  const games = sum(kept)
  const outcomes = kept.map((count, i): Outcome => ({ score: i / (kept.length - 1), share: count / games }))
  const [score0, score1] = [eloScore(elo0), eloScore(elo1)]
  const under0 = likeliest(outcomes, score0)
  const under1 = likeliest(outcomes, score1)
  const exact =
    games * sum(outcomes.map(({ share }, i) => share * Math.log((under1[i] ?? 1) / (under0[i] ?? 1))))
  const mean = sum(outcomes.map(({ score, share }) => score * share))
  const variance = sum(outcomes.map(({ score, share }) => share * (score - mean) ** 2))
  return { exact, approximate: (games * (score1 - score0) * (2 * mean - score0 - score1)) / (2 * variance) }
}

/** Wald's bounds of the log-likelihood ratio: below the first accept H0, above the second H1. */
export const sequentialBounds = (alpha: number, beta: number): readonly [accept: number, reject: number] => [
  Math.log(beta / (1 - alpha)),
  Math.log((1 - beta) / alpha),
]
