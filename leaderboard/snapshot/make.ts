import { fragilityOf } from '../../src/ratings/fragility.ts'
import { RANK_REPLICATES, RANK_SEED } from '../../src/ratings/rate-pool.ts'
import { ROLE_PENALTIES } from '../../src/ratings/role-model.ts'
import { RATINGS_VERSION } from '../../src/ratings/version.ts'
import { digestOf, digestOfValue } from '../../src/schema/canonical.ts'
import type { Digest } from '../../src/schema/ids.ts'
import { Snapshot, type SnapshotResults } from '../../src/schema/snapshot.ts'
import { computeSeason, type RatedSeason } from '../standings.ts'
import { DATA_FILES, type DataFiles, rowsByTask, toFiles } from './data-files.ts'
import type { SeasonData } from './season-data.ts'
import { computeSlices } from './slices.ts'

export interface MadeSnapshot {
  /** Of the canonical JSON of `snapshot`. */
  readonly digest: Digest
  readonly snapshot: Snapshot
  readonly files: DataFiles
}

/** Numbers as they are printed: to six decimals, so that the last bit of a machine's exponential says nothing. */
export function printed<T>(value: T): T {
  if (typeof value === 'number') return (Number.isInteger(value) ? value : Number(value.toFixed(6))) as T
  if (Array.isArray(value)) return value.map(printed) as T
  if (value !== null && typeof value === 'object')
    return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, printed(member)])) as T
  return value
}

export const rateSeasonData = (data: SeasonData): RatedSeason =>
  computeSeason({
    season: data.season.id,
    title: data.season.title,
    protocol: data.season.protocol,
    tasks: data.tasks,
    competitors: data.competitors,
    rounds: data.rounds,
    anchors: data.anchors,
  })

/** Everything that is printed of a season. */
export function computeResults(data: SeasonData, rated: RatedSeason): SnapshotResults {
  const { remarks: _, ...standings } = rated.standings
  const { fit, ratings, auditAlarms } = rated.pool
  const inside = rated.sorted.rated.filter(({ submitter }) => ratings.has(submitter))
  return printed({
    standings,
    mu: Number.isFinite(fit.mu) ? fit.mu : null,
    strengths: fit.competitors.map((competitor) => ({
      competitor,
      submitter: fit.submitter.get(competitor) ?? 0,
      reviewer: fit.reviewer.get(competitor) ?? 0,
      overall: fit.overall.get(competitor) ?? 0,
      auditZ: ratings.get(competitor)?.auditZ ?? null,
    })),
    difficulties: fit.tasks.map((task) => ({ task, difficulty: fit.task.get(task) ?? 0 })),
    auditAlarms: [...auditAlarms],
    fragility: fragilityOf(inside),
    slices: [...computeSlices(data, rated)],
  })
}

/** Digests of each task's own rows, in all files that have any. */
export function taskDigests(files: DataFiles): ReadonlyMap<string, Digest> {
  const byFile = DATA_FILES.map((name) => ({ name, rows: rowsByTask(name, files[name]) }))
  const tasks = new Set(byFile.flatMap(({ rows }) => [...rows.keys()]))
  return new Map(
    [...tasks].map((task) => [
      task,
      digestOfValue(byFile.map(({ name, rows }) => [name, rows.get(task) ?? []])),
    ]),
  )
}

/** `files` in canonical form. */
export const fileDigests = (files: DataFiles): Snapshot['files'] =>
  Object.fromEntries(
    DATA_FILES.map((name) => [
      name,
      { sha256: digestOf(files[name]), rows: Math.max(0, files[name].split('\n').length - 2) },
    ]),
  )

/** A snapshot of a season's data: the same data give the same digest, in whatever order they stand. */
export function makeSnapshot(data: SeasonData): MadeSnapshot {
  const played = new Set(data.rounds.map(({ taskId }) => taskId))
  const tasks = data.tasks.filter(({ id }) => played.has(id)).sort((a, b) => (a.id < b.id ? -1 : 1))
  const competitors = [...data.competitors].sort((a, b) => (a.id < b.id ? -1 : 1))
  const sorted = { ...data, tasks, competitors }
  const rated = rateSeasonData(sorted)
  const files = toFiles(sorted, rated)
  const digests = taskDigests(files)
  const snapshot = Snapshot.parse({
    format: 1,
    engine: RATINGS_VERSION,
    season: data.season,
    anchors: [...data.anchors],
    parameters: { ...ROLE_PENALTIES, rankSeed: RANK_SEED, rankReplicates: RANK_REPLICATES },
    files: fileDigests(files),
    tasks: tasks.map(({ id, language, repository }) => ({
      task: id,
      language,
      repository,
      sha256: digests.get(id),
    })),
    results: computeResults(sorted, rated),
  })
  return { digest: digestOfValue(snapshot), snapshot, files }
}
