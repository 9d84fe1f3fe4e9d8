import type { SeasonData } from '../../leaderboard/snapshot/season-data.ts'
import { CONTROLS } from '../match/read-season.ts'
import type { Round } from '../schema/match.ts'
import type { SeasonRecord } from '../store/records.ts'
import type { Store } from '../store/store.ts'

/**
 * The ratings know battles of two rounds with the roles swapped: in a battle in turn each two that follow each other are one. A
 * battle with a void round stays whole, so that it is left out whole.
 */
function inPairs(rounds: readonly Round[]): SeasonData['rounds'] {
  const broken = new Set(rounds.filter(({ verdict }) => verdict.kind === 'void').map(({ battle }) => battle))
  return rounds.map((round) =>
    round.turn === undefined || broken.has(round.battle)
      ? round
      : { ...round, battle: `${round.battle}/${Math.ceil(round.turn / 2)}` },
  )
}

/** A stored season's rounds with all that they name. */
export async function loadSeasonData(store: Store, record: SeasonRecord): Promise<SeasonData> {
  const [rounds, competitors] = await Promise.all([
    store.rounds.list(record.digest),
    store.competitors.list(),
  ])
  const playing = new Set(rounds.flatMap((round) => [round.submitter as string, round.reviewer as string]))
  const tasks = new Map<string, SeasonData['tasks'][number]>()
  for (const round of rounds) {
    if (tasks.has(round.task)) continue
    const document = (await store.tasks.find(round.task))?.document
    tasks.set(round.task, {
      id: round.taskId,
      language: document?.language ?? 'unknown',
      repository: document?.repository.name ?? 'unknown',
    })
  }
  const byId = new Map(
    [...CONTROLS, ...competitors].map((competitor) => [competitor.id as string, competitor]),
  )
  const { id, title, protocol, anchors, retired } = record.document
  return {
    season: { id, title, digest: record.digest, protocol },
    anchors,
    tasks: [...tasks.values()].sort((a, b) => (a.id < b.id ? -1 : 1)),
    competitors: [...byId.values()]
      .filter((competitor) => playing.has(competitor.id))
      .map((competitor) => ({
        id: competitor.id,
        label: competitor.label,
        team: competitor.team,
        control: competitor.player.kind === 'control' ? competitor.player.control : null,
        retired: retired?.includes(competitor.id) ?? false,
      })),
    rounds: inPairs(rounds),
  }
}
