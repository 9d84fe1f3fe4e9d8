import type { RoundView } from '../schema/view.ts'
import { PublicError } from './public-error.ts'
import type { ArenaQueries } from './queries.ts'

const WHOLE = 64

/**
 * The round of a whole id, or the whole id that a prefix of at least 12 digits stands for, among the rounds that seasons
 * list. Throws a 404 where there is none or more than one.
 */
export async function findRound(
  queries: ArenaQueries,
  id: string,
): Promise<{ readonly view: RoundView } | { readonly wholeId: string }> {
  if (id.length === WHOLE) {
    const view = await queries.round(id)
    if (view) return { view }
    throw new PublicError(404, 'No round has this id.')
  }
  const wholeIds = new Set<string>()
  for (const season of await queries.seasons())
    for (const round of await queries.rounds(season.id)) if (round.id.startsWith(id)) wholeIds.add(round.id)
  const [wholeId] = wholeIds
  if (wholeId === undefined) throw new PublicError(404, 'No round’s id begins like this.')
  if (wholeIds.size > 1)
    throw new PublicError(404, `The ids of ${wholeIds.size} rounds begin like this: give more digits.`)
  return { wholeId }
}
