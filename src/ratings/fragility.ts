import { logistic } from './numbers.ts'
import { fitRoleModel, type RoleModelOptions } from './role-model.ts'
import type { RatedRound } from './rounds.ts'

export interface Fragility {
  readonly first: string
  /** Who would stand first instead. */
  readonly instead: string
  /** Leaving out so many battles, well chosen, is enough. Nobody has shown that fewer would not be. */
  readonly battles: number
  readonly of: number
}

type BattleRound = RatedRound & { readonly battle: string }

/** Challengers that are tried: the nearest ones. */
const CHALLENGERS = 5

const byValue = (values: ReadonlyMap<string, number>): readonly string[] =>
  [...values].sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1)).map(([name]) => name)

/** How much each battle speaks for `first` against `challenger`, by its scores: whose leaving helps most comes first. */
function byHelp(
  rounds: readonly BattleRound[],
  first: string,
  challenger: string,
  etaOf: (r: RatedRound) => number,
) {
  const help = new Map<string, number>()
  const signOf = (name: string): number => (name === first ? 1 : name === challenger ? -1 : 0)
  for (const round of rounds) {
    const e = round.y - logistic(etaOf(round))
    const lift = e * (signOf(round.submitter) - signOf(round.reviewer))
    help.set(round.battle, (help.get(round.battle) ?? 0) + lift)
  }
  return [...help]
    .filter(([, lift]) => lift > 0)
    .sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1))
    .map(([battle]) => battle)
}

/**
 * How few battles carry the first place: the smallest number, found by taking away those that speak most for the first
 * against a challenger and fitting again, after which somebody else stands first. Null when no such number is found: a
 * lone competitor, or one whose lead outlives all of them.
 */
export function fragilityOf(
  rounds: readonly BattleRound[],
  options: RoleModelOptions = {},
): Fragility | null {
  const fit = fitRoleModel(rounds, options)
  const [first, ...others] = byValue(fit.overall)
  if (first === undefined || !Number.isFinite(fit.mu)) return null
  const etaOf = ({ task, submitter, reviewer }: RatedRound): number =>
    fit.mu +
    (fit.submitter.get(submitter) ?? 0) -
    (fit.reviewer.get(reviewer) ?? 0) -
    (fit.task.get(task) ?? 0)
  const without = (dropped: readonly string[]): string | undefined => {
    const gone = new Set(dropped)
    return byValue(
      fitRoleModel(
        rounds.filter(({ battle }) => !gone.has(battle)),
        options,
      ).overall,
    )[0]
  }
  let best: Fragility | null = null
  const of = new Set(rounds.map(({ battle }) => battle)).size
  for (const challenger of others.slice(0, CHALLENGERS)) {
    const order = byHelp(rounds, first, challenger, etaOf)
    let most = Math.min(order.length, best ? best.battles - 1 : order.length)
    if (most < 1 || without(order.slice(0, most)) === first) continue
    let least = 1
    while (least < most) {
      const middle = Math.floor((least + most) / 2)
      if (without(order.slice(0, middle)) === first) least = middle + 1
      else most = middle
    }
    best = { first, instead: without(order.slice(0, most)) ?? challenger, battles: most, of }
  }
  return best
}
