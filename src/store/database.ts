import type { ColumnType, Generated, Kysely } from 'kysely'
import type { BattleState } from './records.ts'

/**
 * A document column. The type is `json`, not `jsonb`: jsonb refuses the NUL characters and lone surrogates that model
 * answers and test names may hold, and json gives back exactly what was written. What is looked up has a column of its own.
 */
type Document = ColumnType<unknown, string, never>
type Time = ColumnType<Date, string, never>

interface TasksTable {
  digest: string
  id: string
  language: string
  repository: string
  base_commit: string
  issue: Document
  document: Document
}

interface CompetitorsTable {
  id: string
  document: ColumnType<unknown, string, string>
}

interface SeasonsTable {
  digest: string
  id: string
  document: Document
  created_at: Time
}

interface CellsTable {
  key: string
  task: string
  environment: string
  label: string
  run: Document
  duration_ms: number
  created_at: Time
}

interface GenerationsTable {
  id: string
  task: string
  task_id: string
  competitor: string
  kind: string
  parent: string | null
  repeat: number
  prompt_version: string
  prompt: Document
  outcome: Document
  context: Document | null
  created_at: Time
}

interface ModelCallsTable {
  generation: string
  position: number
  attempt: number
  response: string | null
  prompt_tokens: number | null
  completion_tokens: number | null
  duration_ms: number
  exchange: Document
}

interface AssessmentsTable {
  id: string
  task: string
  subject: string
  document: Document
}

interface BattlesTable {
  number: Generated<number>
  id: string
  season_digest: string
  task: string
  task_id: string
  a: string
  b: string
  state: BattleState
  tries: number
}

interface RoundsTable {
  number: Generated<number>
  id: string
  season: string
  season_digest: string
  battle: string
  task: string
  task_id: string
  submitter: string
  reviewer: string
  control: boolean
  turn: number | null
  /** What is not `ColumnType<…, never>` from here on is updated when a real verdict takes the place of a void. */
  patch: string
  tests: string | null
  draw: ColumnType<unknown, string | null, string | null>
  cells: ColumnType<unknown, string, string>
  environment: string
  settled_at: ColumnType<Date, string, string>
}

interface VerdictsTable {
  round: string
  revision: number
  judge_version: string
  stale: boolean
  kind: string
  submitter_points: number
  reviewer_points: number
  admitted: number
  killed_by: Document
  verdict: Document
  decided_at: Time
}

interface SnapshotsTable {
  number: Generated<number>
  digest: string
  season: string
  season_digest: string
  document: Document
  files: Document
  created_at: Time
}

interface MigrationsTable {
  name: string
  applied_at: Time
}

export interface Tables {
  tasks: TasksTable
  competitors: CompetitorsTable
  seasons: SeasonsTable
  cells: CellsTable
  generations: GenerationsTable
  assessments: AssessmentsTable
  model_calls: ModelCallsTable
  battles: BattlesTable
  rounds: RoundsTable
  verdicts: VerdictsTable
  snapshots: SnapshotsTable
  arena_migrations: MigrationsTable
}

export type Database = Kysely<Tables>
