import { InputError } from '../errors.ts'
import { VERIFIER } from '../match/read-season.ts'
import { writeRecording } from '../models/record.ts'
import { assessmentIdsOf, type Generation, generationIdsOf } from '../schema/match.ts'
import { parseInput } from '../schema/parse.ts'
import { RecordedCall, type Recording } from '../schema/recording.ts'
import type { Store } from '../store/store.ts'

interface Asked extends Pick<Generation, 'id' | 'taskId' | 'repeat' | 'calls'> {
  readonly competitor: string
  readonly kind: string
}

const callsOf = ({ id, competitor, taskId, kind, repeat, calls }: Asked): readonly RecordedCall[] =>
  calls.map((call) => parseInput(RecordedCall, { ...call, competitor, taskId, kind, repeat }, id))

/**
 * Writes what models answered in a season's newest version to `folder`. Throws InputError when there is no such season
 * or no model was asked in it.
 */
export async function recordSeason(store: Store, seasonId: string, folder: string): Promise<Recording> {
  const season = await store.seasons.latest(seasonId)
  if (!season)
    throw new InputError(`there is no season ${seasonId}`, { remedy: 'arena standings names them' })
  const rounds = await store.rounds.list(season.digest)
  const ids = [...new Set(rounds.flatMap(generationIdsOf))]
  // Scripted answers and controls ask nobody.
  const asked = new Set(
    (await store.competitors.list()).flatMap(({ id, player }) => (player.kind === 'endpoint' ? [id] : [])),
  )
  const calls: RecordedCall[] = []
  for (const id of ids) {
    const generation = await store.generations.find(id)
    if (generation && asked.has(generation.competitor)) calls.push(...callsOf(generation))
  }
  const assessed = new Set(rounds.flatMap(assessmentIdsOf))
  for (const id of assessed) {
    const assessment = await store.assessments.find(id)
    if (assessment) calls.push(...callsOf({ ...assessment, competitor: VERIFIER, kind: 'verify', repeat: 0 }))
  }
  if (calls.length === 0)
    throw new InputError(`no model was asked in the season ${seasonId}`, {
      remedy: 'recordings are made of seasons that were played with endpoints',
    })
  return writeRecording({
    folder,
    season: { season: season.document.id, seasonDigest: season.digest },
    calls,
    readRaw: (digest) => store.blobs.get(digest),
  })
}
