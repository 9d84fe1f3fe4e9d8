import { type Edge, strongComponents } from './connectivity.ts'
import { maximisePairs } from './pair-model.ts'

export interface WinCount {
  readonly winner: string
  readonly loser: string
  readonly count: number
}

/** `unbounded`: some group never lost to the rest, so that only an order of groups is known, never a distance. */
export type BradleyTerry =
  | { readonly kind: 'fitted'; readonly strength: ReadonlyMap<string, number> }
  | { readonly kind: 'unbounded'; readonly groups: readonly (readonly string[])[] }

/** Plain Bradley-Terry by maximum likelihood without a penalty, in logits that sum to zero. */
export function fitBradleyTerry(wins: readonly WinCount[]): BradleyTerry {
  const counted = wins.filter(({ count }) => count > 0)
  const groups = strongComponents(counted.map(({ winner, loser }): Edge => [winner, loser]))
  if (groups.length > 1) return { kind: 'unbounded', groups }
  const competitors = groups.flat()
  const at = new Map(competitors.map((name, index) => [name, index]))
  const pairs = new Map<string, { i: number; j: number; first: number; second: number }>()
  for (const { winner, loser, count } of counted) {
    const [w, l] = [at.get(winner) ?? 0, at.get(loser) ?? 0]
    const [i, j] = w < l ? [w, l] : [l, w]
    const pair = pairs.get(`${i} ${j}`) ?? { i, j, first: 0, second: 0 }
    pairs.set(`${i} ${j}`, pair)
    if (w === i) pair.first += count
    else pair.second += count
  }
  const list = [...pairs.values()].sort((x, y) => x.i - y.i || x.j - y.j)
  const { strength } = maximisePairs(
    {
      n: competitors.length,
      first: Int32Array.from(list, ({ i }) => i),
      second: Int32Array.from(list, ({ j }) => j),
      firstWins: Float64Array.from(list, ({ first }) => first),
      secondWins: Float64Array.from(list, ({ second }) => second),
    },
    0,
  )
  return { kind: 'fitted', strength: new Map(competitors.map((name, i) => [name, strength[i] ?? 0])) }
}
