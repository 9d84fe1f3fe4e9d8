import { z } from 'zod'
import type { Assessment } from '../schema/assessment.ts'
import { CellRun } from '../schema/ci-run.ts'
import type { Competitor } from '../schema/competitor.ts'
import { CompetitorId, Digest, Slug } from '../schema/ids.ts'
import { type Generation, type Round, Season } from '../schema/match.ts'
import { Snapshot } from '../schema/snapshot.ts'
import { Task } from '../schema/task.ts'
import { Verdict } from '../schema/verdict.ts'

/** A cell: one run on one tree, named by the digest of everything that its result depends on. */
export const CellRecord = z.object({
  key: Digest,
  /** What it is in words (`golden`, `tests on base`); shown, never part of the key. */
  label: z.string(),
  task: Digest,
  /** The runner's environment digest. */
  environment: Digest,
  run: CellRun,
  durationMs: z.number().nonnegative(),
  createdAt: z.iso.datetime(),
})
export type CellRecord = z.infer<typeof CellRecord>

/** A task as it was when it was played: later changes of its folder change its digest. */
export const TaskRecord = z.object({
  digest: Digest,
  /** The statement that players saw. */
  issue: z.string(),
  document: Task,
})
export type TaskRecord = z.infer<typeof TaskRecord>

/** One version of a season file: the same id with another digest is another season to the ratings. */
export const SeasonRecord = z.object({
  digest: Digest,
  document: Season,
  createdAt: z.iso.datetime(),
})
export type SeasonRecord = z.infer<typeof SeasonRecord>

/** `settled` is final; `void-closed` may still be settled when the battle is played again. */
export const BattleState = z.enum(['queued', 'settled', 'void-closed'])
export type BattleState = z.infer<typeof BattleState>

export const BattleRecord = z.object({
  id: Digest,
  seasonDigest: Digest,
  task: Digest,
  taskId: Slug,
  a: CompetitorId,
  b: CompetitorId,
  state: BattleState,
  /** How often it was played to an end, voids included. */
  tries: z.number().int().nonnegative(),
})
export type BattleRecord = z.infer<typeof BattleRecord>

/** One decision of a judge on a round. Revisions are only ever added. */
export const VerdictRevision = z.object({
  /** The version of the judge that was asked; for a stale revision not the one that made `verdict`. */
  judgeVersion: z.string(),
  verdict: Verdict,
  /** A cell was missing, so that this judge could not decide and the verdict before it stands. */
  stale: z.boolean(),
  decidedAt: z.iso.datetime(),
})
export type VerdictRevision = z.infer<typeof VerdictRevision>

/** A snapshot of a season's ratings with its data files, by their blobs' digests. Never changed. */
export const SnapshotRecord = z.object({
  digest: Digest,
  season: Slug,
  seasonDigest: Digest,
  document: Snapshot,
  files: z.record(z.string(), Digest),
  createdAt: z.iso.datetime(),
})
export type SnapshotRecord = z.infer<typeof SnapshotRecord>

// What is given to the store: checked there, so that digests and ids may still be plain strings.
export type NewCell = z.input<typeof CellRecord>
export type NewTask = z.input<typeof TaskRecord>
export type NewCompetitor = z.input<typeof Competitor>
export type NewSeason = z.input<typeof SeasonRecord>
export type NewBattle = z.input<typeof BattleRecord>
export type NewGeneration = z.input<typeof Generation>
export type NewAssessment = z.input<typeof Assessment>
export type NewRound = z.input<typeof Round>
export type NewSnapshot = z.input<typeof SnapshotRecord>
export type NewVerdictRevision = z.input<typeof VerdictRevision>
