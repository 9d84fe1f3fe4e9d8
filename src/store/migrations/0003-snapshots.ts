import { type QueryExecutorProvider, sql } from 'kysely'

const statements = [
  `create table snapshots (
    number bigint generated always as identity unique,
    digest text primary key,
    season text not null,
    season_digest text not null,
    document json not null,
    files json not null,
    created_at timestamptz not null
  )`,
  'create index snapshots_season on snapshots (season, number)',
]

/** Snapshots of ratings: never updated. */
export async function up(db: QueryExecutorProvider): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}
