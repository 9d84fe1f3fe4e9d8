import { type QueryExecutorProvider, sql } from 'kysely'

/** What a generation's model was shown of the repository: the manifest of its pack. */
export async function up(db: QueryExecutorProvider): Promise<void> {
  await sql.raw('alter table generations add column context json').execute(db)
}
