import { quantile } from '../../src/ratings/numbers.ts'
import { basesOf, ratePool } from '../../src/ratings/rate-pool.ts'
import type { Slice } from '../../src/schema/snapshot.ts'
import type { RatedSeason } from '../standings.ts'
import type { SeasonData } from './season-data.ts'

const BANDS = ['easy', 'middle', 'hard'] as const
type Named = (task: string) => string | undefined

/** Thirds of the tasks by fitted difficulty: a band rests on the same rounds as the ratings, and says so by its name alone. */
function bandsOf(difficulty: ReadonlyMap<string, number>): Named {
  const sorted = Float64Array.from(difficulty.values()).sort()
  if (sorted.length < BANDS.length) return () => undefined
  const [low, high] = [quantile(sorted, 1 / 3), quantile(sorted, 2 / 3)]
  return (task) => {
    const d = difficulty.get(task)
    if (d === undefined) return undefined
    return d <= low ? 'easy' : d <= high ? 'middle' : 'hard'
  }
}

/**
 * The season's rated rounds by language, by repository and by thirds of difficulty, each fitted by itself with the same
 * anchors. A kind of slice that would hold everything, or nothing, in one part is left out.
 */
export function computeSlices(
  { tasks, anchors }: SeasonData,
  { sorted, pool }: RatedSeason,
): readonly Slice[] {
  const byTask = new Map(tasks.map((task) => [task.id, task]))
  const kinds: readonly (readonly [Slice['by'], Named])[] = [
    ['language', (task) => byTask.get(task)?.language],
    ['repository', (task) => byTask.get(task)?.repository],
    ['difficulty', bandsOf(pool.fit.task)],
  ]
  return kinds.flatMap(([by, nameOf]) => {
    const values = [...new Set(sorted.rated.flatMap(({ task }) => nameOf(task) ?? []))].sort()
    if (values.length < 2) return []
    return values.map((value): Slice => {
      const rounds = sorted.rated.filter(({ task }) => nameOf(task) === value)
      const bases = basesOf(rounds)
      const { ratings, fit } = ratePool(rounds, bases, { anchors })
      const rows = [...ratings]
        .sort(([a], [b]) => (fit.overall.get(b) ?? 0) - (fit.overall.get(a) ?? 0) || (a < b ? -1 : 1))
        .map(([competitor, { state, rating, low, high }]) => ({
          competitor,
          state,
          rating: state === 'record' ? null : rating,
          low: state === 'record' ? null : low,
          high: state === 'record' ? null : high,
          battles: bases.get(competitor)?.battles ?? 0,
        }))
      return {
        by,
        value,
        tasks: new Set(rounds.map(({ task }) => task)).size,
        battles: new Set(rounds.map(({ battle }) => battle)).size,
        rows,
      }
    })
  })
}
