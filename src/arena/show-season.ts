import { computeStandings } from '../../leaderboard/standings.ts'
import type { ArenaQueries } from '../api/queries.ts'
import { InputError } from '../errors.ts'
import { CONTROLS } from '../match/read-season.ts'
import type { Standings } from '../schema/rating.ts'
import type { RoundView } from '../schema/view.ts'
import type { Store } from '../store/store.ts'

/** A season's standings from its stored rounds; undefined when no season has that id, or none was played. */
export async function loadStandings(store: Store, seasonId?: string): Promise<Standings | undefined> {
  const record =
    seasonId === undefined ? (await store.seasons.list())[0] : await store.seasons.latest(seasonId)
  if (!record) return undefined
  const [rounds, competitors] = await Promise.all([
    store.rounds.list(record.digest),
    store.competitors.list(),
  ])
  const playing = new Set(rounds.flatMap((round) => [round.submitter as string, round.reviewer as string]))
  const tasks = new Map<string, { id: string; language: string }>()
  for (const round of rounds) {
    if (tasks.has(round.task)) continue
    const task = await store.tasks.find(round.task)
    tasks.set(round.task, { id: round.taskId, language: task?.document.language ?? 'unknown' })
  }
  const byId = new Map(
    [...CONTROLS, ...competitors].map((competitor) => [competitor.id as string, competitor]),
  )
  return computeStandings({
    season: record.document.id,
    title: record.document.title,
    protocol: record.document.protocol,
    tasks: [...tasks.values()].sort((a, b) => (a.id < b.id ? -1 : 1)),
    competitors: [...byId.values()]
      .filter((competitor) => playing.has(competitor.id))
      .map(({ id, label, team, player }) => ({
        id,
        label,
        team,
        control: player.kind === 'control' ? player.control : null,
        retired: record.document.retired?.includes(id) ?? false,
      })),
    rounds,
    anchors: record.document.anchors,
  })
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
