export interface EloGame {
  readonly a: string
  readonly b: string
  /** 1 a won, 0.5 a draw, 0 b won. */
  readonly score: number
}

/** Online Elo: games in the order in which they were played. Only shown as a curve; it depends on the order. */
export function playElo(games: readonly EloGame[], k = 16, start = 1500): ReadonlyMap<string, number> {
  const ratings = new Map<string, number>()
  for (const { a, b, score } of games) {
    const [ratingA, ratingB] = [ratings.get(a) ?? start, ratings.get(b) ?? start]
    const change = k * (score - eloScore(ratingA - ratingB))
    ratings.set(a, ratingA + change)
    ratings.set(b, ratingB - change)
  }
  return ratings
}

/** The expected score of a lead of `difference` points. */
export const eloScore = (difference: number): number => 1 / (1 + 10 ** (-difference / 400))
