import { type QueryExecutorProvider, sql } from 'kysely'

/**
 * Rounds of protocols in which the reviewer may not be asked, rounds follow each other, or a side draws several patches,
 * and what models said of patches.
 */
export async function up(db: QueryExecutorProvider): Promise<void> {
  await sql.raw('alter table rounds alter column tests drop not null').execute(db)
  await sql.raw('alter table rounds add column turn bigint').execute(db)
  await sql.raw('alter table rounds add column draw json').execute(db)
  await sql
    .raw(
      'create table assessments (id text primary key, task text not null, subject text not null, document json not null)',
    )
    .execute(db)
  await sql.raw('create index assessments_subject on assessments (subject)').execute(db)
}
