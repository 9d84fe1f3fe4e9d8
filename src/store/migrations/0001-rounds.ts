import { type QueryExecutorProvider, sql } from 'kysely'

const statements = [
  `create table tasks (
    digest text primary key,
    id text not null,
    language text not null,
    repository text not null,
    base_commit text not null,
    issue json not null,
    document json not null
  )`,
  'create index tasks_id on tasks (id)',
  `create table competitors (
    id text primary key,
    document json not null
  )`,
  `create table seasons (
    digest text primary key,
    id text not null,
    document json not null,
    created_at timestamptz not null
  )`,
  'create index seasons_id on seasons (id, created_at)',
  `create table cells (
    key text primary key,
    task text not null,
    environment text not null,
    label text not null,
    run json not null,
    duration_ms double precision not null,
    created_at timestamptz not null
  )`,
  'create index cells_task on cells (task)',
  `create table generations (
    id text primary key,
    task text not null,
    task_id text not null,
    competitor text not null,
    kind text not null,
    parent text,
    repeat bigint not null,
    prompt_version text not null,
    prompt json not null,
    outcome json not null,
    created_at timestamptz not null
  )`,
  'create index generations_task on generations (task, competitor, kind)',
  'create index generations_competitor on generations (competitor)',
  `create table model_calls (
    generation text not null references generations (id),
    position integer not null,
    attempt bigint not null,
    response text,
    prompt_tokens bigint,
    completion_tokens bigint,
    duration_ms double precision not null,
    exchange json not null,
    primary key (generation, position)
  )`,
  `create table battles (
    number bigint generated always as identity,
    id text primary key,
    season_digest text not null,
    task text not null,
    task_id text not null,
    a text not null,
    b text not null,
    state text not null check (state in ('queued', 'settled', 'void-closed')),
    tries bigint not null
  )`,
  'create index battles_season on battles (season_digest, number)',
  "create index battles_queued on battles (season_digest, number) where state = 'queued'",
  `create table rounds (
    number bigint generated always as identity,
    id text primary key,
    season text not null,
    season_digest text not null,
    battle text not null,
    task text not null,
    task_id text not null,
    submitter text not null,
    reviewer text not null,
    control boolean not null,
    patch text not null,
    tests text not null,
    cells json not null,
    environment text not null,
    settled_at timestamptz not null
  )`,
  'create index rounds_season on rounds (season_digest, number)',
  'create index rounds_battle on rounds (battle)',
  'create index rounds_submitter on rounds (submitter, number)',
  'create index rounds_reviewer on rounds (reviewer, number)',
  `create table verdicts (
    round text not null references rounds (id),
    revision integer not null,
    judge_version text not null,
    stale boolean not null,
    kind text not null,
    submitter_points bigint not null,
    reviewer_points bigint not null,
    admitted integer not null,
    killed_by json not null,
    verdict json not null,
    decided_at timestamptz not null,
    primary key (round, revision)
  )`,
]

/** What the first season keeps: tasks, competitors, seasons, cells, generations, battles, rounds and their verdicts. */
export async function up(db: QueryExecutorProvider): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}
