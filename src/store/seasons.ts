import type { Selectable } from 'kysely'
import type { Database, Tables } from './database.ts'
import { checkRecord, readRow } from './read-row.ts'
import { SeasonRecord } from './records.ts'
import type { Seasons } from './store.ts'

export function seasonsIn(db: Database): Seasons {
  return {
    find: async (digest) => {
      const row = await db.selectFrom('seasons').selectAll().where('digest', '=', digest).executeTakeFirst()
      return row && recordOf(row)
    },
    latest: async (id) => {
      const row = await db
        .selectFrom('seasons')
        .selectAll()
        .where('id', '=', id)
        .orderBy('created_at', 'desc')
        .orderBy('digest')
        .limit(1)
        .executeTakeFirst()
      return row && recordOf(row)
    },
    list: async () => {
      const rows = await db
        .selectFrom('seasons')
        .selectAll()
        .orderBy('created_at', 'desc')
        .orderBy('digest')
        .execute()
      const newest = rows.filter((row, index) => rows.findIndex((other) => other.id === row.id) === index)
      return newest.map(recordOf)
    },
    put: async (season) => {
      const { digest, document, createdAt } = checkRecord(SeasonRecord, season, 'seasons')
      const result = await db
        .insertInto('seasons')
        .values({ digest, id: document.id, document: JSON.stringify(document), created_at: createdAt })
        .onConflict((conflict) => conflict.column('digest').doNothing())
        .executeTakeFirst()
      return result.numInsertedOrUpdatedRows === 1n
    },
  }
}

function recordOf(row: Selectable<Tables['seasons']>): SeasonRecord {
  const { digest, document, created_at } = row
  return readRow(SeasonRecord, { digest, document, createdAt: created_at.toISOString() }, 'seasons', digest)
}
