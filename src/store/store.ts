import type { Assessment } from '../schema/assessment.ts'
import type { Competitor } from '../schema/competitor.ts'
import type { Digest } from '../schema/ids.ts'
import type { Generation, Round } from '../schema/match.ts'
import type { RoundSummary, RoundView } from '../schema/view.ts'
import type {
  BattleRecord,
  BattleState,
  CellRecord,
  NewAssessment,
  NewBattle,
  NewCell,
  NewCompetitor,
  NewGeneration,
  NewRound,
  NewSeason,
  NewSnapshot,
  NewTask,
  NewVerdictRevision,
  SeasonRecord,
  SnapshotRecord,
  TaskRecord,
  VerdictRevision,
} from './records.ts'

/**
 * Everything that the arena keeps. The same on PGlite and on PostgreSQL; made by openStore.
 *
 * Records are checked by their schemas when written and when read. `find…` may be undefined; `put` and `save` resolve
 * when the record is durable, the first writer wins, and they answer false when the record was there already. A full
 * disk, a lost connection or a row that does not fit its schema throws EnvironmentError. Times are kept to the millisecond.
 */
export interface Store {
  readonly engine: 'pglite' | 'postgres'
  readonly blobs: Blobs
  readonly cells: Cells
  readonly tasks: Tasks
  readonly competitors: Competitors
  readonly seasons: Seasons
  readonly generations: Generations
  readonly assessments: Assessments
  readonly battles: Battles
  readonly rounds: Rounds
  readonly snapshots: Snapshots
  /** One line for `arena doctor`: engine, its version and where it lives, without credentials. */
  describe(): Promise<string>
  /** Waits for what is under way, closes the database and gives the folder free. Safe to call twice. */
  close(): Promise<void>
}

/** Content-addressed files: step logs, raw model answers. */
export interface Blobs {
  /** Throws InputError above `maxBytes` (64 MiB unless given). */
  put(bytes: Uint8Array, maxBytes?: number): Promise<Digest>
  /** Throws InputError above `maxBytes`, EnvironmentError when the bytes no longer have this digest. */
  get(digest: string, maxBytes?: number): Promise<Buffer | undefined>
}

export interface Cells {
  find(key: string): Promise<CellRecord | undefined>
  /** Absent keys are absent from the map. */
  findMany(keys: readonly string[]): Promise<ReadonlyMap<string, CellRecord>>
  put(cell: NewCell): Promise<boolean>
}

export interface Tasks {
  find(digest: string): Promise<TaskRecord | undefined>
  put(task: NewTask): Promise<boolean>
}

export interface Competitors {
  find(id: string): Promise<Competitor | undefined>
  list(): Promise<readonly Competitor[]>
  /** The latest label, team and player stand: what is rated is named by the id. */
  put(competitor: NewCompetitor): Promise<void>
}

export interface Seasons {
  find(digest: string): Promise<SeasonRecord | undefined>
  /** The newest version of the season with this id. */
  latest(id: string): Promise<SeasonRecord | undefined>
  /** The newest version of each season, newest first. */
  list(): Promise<readonly SeasonRecord[]>
  put(season: NewSeason): Promise<boolean>
}

export interface Generations {
  find(id: string): Promise<Generation | undefined>
  /** With its model calls, all or nothing. */
  save(generation: NewGeneration): Promise<boolean>
}

export interface Assessments {
  find(id: string): Promise<Assessment | undefined>
  save(assessment: NewAssessment): Promise<boolean>
}

export interface Battles {
  find(id: string): Promise<BattleRecord | undefined>
  /** In the order in which they were added. */
  list(seasonDigest: string, state?: BattleState): Promise<readonly BattleRecord[]>
  /** All or nothing; answers how many were new. */
  add(battles: readonly NewBattle[]): Promise<number>
  /**
   * Answers false, and changes nothing, when the battle is unknown or no longer queued. Only a battle that was closed as
   * void may still be settled: a void is no verdict.
   */
  mark(id: string, state: BattleState, tries: number): Promise<boolean>
}

export interface Rounds {
  /** With its current verdict: the newest that is not stale. */
  find(id: string): Promise<Round | undefined>
  /** Never overwrites: save a void round only when its battle is closed. */
  save(round: NewRound): Promise<boolean>
  /** In the order in which they were saved, with their current verdicts. */
  list(seasonDigest: string): Promise<readonly Round[]>
  /** As list, but only what a table of rounds shows. `season`: the newest version of the season with this id. */
  summaries(
    of: { readonly season: string } | { readonly seasonDigest: string },
  ): Promise<readonly RoundSummary[]>
  /** Everything that the round's page shows, cells in the order of the page. */
  view(id: string): Promise<RoundView | undefined>
  /** Oldest first; empty for an unknown round. */
  revisions(id: string): Promise<readonly VerdictRevision[]>
  /**
   * Keeps a real verdict, with the cells and the environment that gave it, beside the void that stands for the round; from
   * now on it stands. Answers false, and changes nothing, when a real verdict stands already or the given one is void.
   * Throws InputError for an unknown round.
   */
  replaceVoid(round: NewRound): Promise<boolean>
  /** Answers false when the newest revision says the same already. Throws InputError for an unknown round. */
  revise(id: string, revision: NewVerdictRevision): Promise<boolean>
}

export interface Snapshots {
  find(digest: string): Promise<SnapshotRecord | undefined>
  /** A season's snapshots without their documents, newest first. */
  list(
    season: string,
  ): Promise<
    readonly { readonly digest: string; readonly seasonDigest: string; readonly createdAt: string }[]
  >
  put(snapshot: NewSnapshot): Promise<boolean>
}
