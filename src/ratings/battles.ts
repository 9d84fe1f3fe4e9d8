import type { RatedRound } from './rounds.ts'

/** One task, two competitors, two rounds with the roles swapped; `a` < `b` by code units. */
export interface RatedBattle {
  readonly task: string
  readonly a: string
  readonly b: string
  /** Whether the patch of each survived the other's tests. */
  readonly aSurvives: boolean
  readonly bSurvives: boolean
}

/** `a`, `b`: exactly one patch survived. */
export type BattleResult = 'a' | 'b' | 'draw'

export const resultOf = ({ aSurvives, bSurvives }: RatedBattle): BattleResult =>
  aSurvives === bSurvives ? 'draw' : aSurvives ? 'a' : 'b'

/**
 * The battles among rounds: groups of the same task and pair, or of the same `battle` where it is given, that hold
 * exactly one round in each role. A round whose partner is missing (void, no contest) is in no battle. Sorted by task
 * and pair.
 */
export function toBattles(
  rounds: readonly (RatedRound & { readonly battle?: string })[],
): readonly RatedBattle[] {
  const groups = new Map<string, RatedRound[]>()
  for (const round of rounds) {
    const pair = [round.submitter, round.reviewer].sort()
    const key = JSON.stringify([round.task, ...pair, round.battle ?? ''])
    const group = groups.get(key)
    if (group) group.push(round)
    else groups.set(key, [round])
  }
  return [...groups]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .flatMap(([, group]): readonly RatedBattle[] => {
      const [first, second] = [...group].sort((x, y) => (x.submitter < y.submitter ? -1 : 1))
      if (!first || !second || group.length !== 2 || first.submitter === second.submitter) return []
      return [
        {
          task: first.task,
          a: first.submitter,
          b: second.submitter,
          aSurvives: first.y === 1,
          bSurvives: second.y === 1,
        },
      ]
    })
}
