import { type RatedBattle, toBattles } from '../../src/ratings/battles.ts'
import type { RatedRound } from '../../src/ratings/rounds.ts'

/** "XYab": X submits against reviewer Y → a; Y submits against X → b. */
const BATTLES: Readonly<Record<string, string>> = {
  t1: 'AB10 CD11 AC10',
  t2: 'AB11 BD10 CD01',
  t3: 'AC00 AD10 BC10',
  t4: 'BC01 AB10 AD11',
  t5: 'CD10 BD11 AC01',
  t6: 'AD10 BC00 AB01',
}

/** The 36 rounds of the documented vectors. */
export const ROUNDS: readonly RatedRound[] = Object.entries(BATTLES).flatMap(([task, battles]) =>
  battles.split(' ').flatMap((battle): readonly RatedRound[] => {
    const [x = '', y = '', a, b] = battle
    return [
      { task, submitter: x, reviewer: y, y: a === '1' ? 1 : 0 },
      { task, submitter: y, reviewer: x, y: b === '1' ? 1 : 0 },
    ]
  }),
)

export const ALL: readonly RatedBattle[] = toBattles(ROUNDS)
export const NAMES = ['A', 'B', 'C', 'D']

/** A fixed shuffle, for "the order changes nothing". */
export const reordered = <T>(items: readonly T[]): readonly T[] =>
  items
    .map((item, index) => ({ item, at: (index * 7919 + 13) % 104729 }))
    .sort((a, b) => (a.at % 31) - (b.at % 31) || b.at - a.at)
    .map(({ item }) => item)
