import { rateSeasonData } from '../../leaderboard/snapshot/make.ts'
import type { ArenaQueries } from '../api/queries.ts'
import { InputError } from '../errors.ts'
import type { Standings } from '../schema/rating.ts'
import type { RoundView } from '../schema/view.ts'
import type { Store } from '../store/store.ts'
import { loadSeasonData } from './season-data.ts'

/** A season's standings from its stored rounds; undefined when no season has that id, or none was played. */
export async function loadStandings(store: Store, seasonId?: string): Promise<Standings | undefined> {
  const record =
    seasonId === undefined ? (await store.seasons.list())[0] : await store.seasons.latest(seasonId)
  if (!record) return undefined
  return rateSeasonData(await loadSeasonData(store, record)).standings
}

/** By whole id or by a prefix of 12 or more characters. Throws InputError when several rounds begin so. */
export async function findRound(store: Store, id: string): Promise<RoundView | undefined> {
  if (/^[0-9a-f]{64}$/.test(id)) return store.rounds.view(id)
  if (!/^[0-9a-f]{12,}$/.test(id)) return undefined
  const found = new Set<string>()
  for (const season of await store.seasons.list())
    for (const round of await store.rounds.summaries({ season: season.document.id }))
      if (round.id.startsWith(id)) found.add(round.id)
  if (found.size > 1)
    throw new InputError(`${found.size} rounds begin with ${id}`, { remedy: 'give more characters' })
  const [whole] = found
  return whole === undefined ? undefined : store.rounds.view(whole)
}

/** What the pages and the API ask, answered from the store. */
export function queriesOn(store: Store): ArenaQueries {
  return {
    seasons: async () =>
      (await store.seasons.list()).map((record) => ({
        id: record.document.id,
        title: record.document.title,
      })),
    standings: (seasonId) => loadStandings(store, seasonId),
    rounds: async (seasonId) => [...(await store.rounds.summaries({ season: seasonId }))],
    round: (id) => store.rounds.view(id),
    log: (digest) => store.blobs.get(digest),
  }
}
