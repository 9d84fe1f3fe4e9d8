import { sql } from 'kysely'
import { InputError } from '../errors.ts'
import type { Database } from './database.ts'
import type { Migration } from './migrations/index.ts'

/** Any number that no other program's advisory lock in the same database is likely to have. */
const LOCK_ID = 6_214_773_019

/**
 * Brings the database to the newest of `migrations`, all or nothing; several processes may do so at once. Answers the names
 * of those applied. Throws InputError, and changes nothing, when a newer version of the arena has migrated the database.
 */
export function migrate(
  db: Database,
  migrations: readonly Migration[],
  place: string,
  now: () => Date,
): Promise<readonly string[]> {
  return db.transaction().execute(async (transaction) => {
    await sql`select pg_advisory_xact_lock(${LOCK_ID})`.execute(transaction)
    await sql`create table if not exists arena_migrations (
      name text primary key,
      applied_at timestamptz not null
    )`.execute(transaction)
    const rows = await transaction.selectFrom('arena_migrations').select('name').execute()
    const applied = new Set(rows.map((row) => row.name))
    const known = new Set(migrations.map((migration) => migration.name))
    const unknown = [...applied].filter((name) => !known.has(name)).sort()
    if (unknown.length > 0) {
      throw new InputError(
        `the database is newer than this version of the arena (it has ${unknown.join(', ')})`,
        {
          place,
          remedy: 'install the newer version, or use another database',
        },
      )
    }
    const missing = migrations.filter((migration) => !applied.has(migration.name))
    for (const { name, up } of missing) {
      await up(transaction)
      await transaction
        .insertInto('arena_migrations')
        .values({ name, applied_at: now().toISOString() })
        .execute()
    }
    return missing.map((migration) => migration.name)
  })
}
