import { sql } from 'kysely'
import { Competitor } from '../schema/competitor.ts'
import type { Database } from './database.ts'
import { checkRecord, readRow } from './read-row.ts'
import type { Competitors } from './store.ts'

export function competitorsIn(db: Database): Competitors {
  return {
    find: async (id) => {
      const row = await db
        .selectFrom('competitors')
        .select('document')
        .where('id', '=', id)
        .executeTakeFirst()
      return row && readRow(Competitor, row.document, 'competitors', id)
    },
    list: async () => {
      // By code units, whatever the database's own order of letters.
      const rows = await db.selectFrom('competitors').selectAll().orderBy(sql`id collate "C"`).execute()
      return rows.map((row) => readRow(Competitor, row.document, 'competitors', row.id))
    },
    put: async (competitor) => {
      const record = checkRecord(Competitor, competitor, 'competitors')
      const document = JSON.stringify(record)
      await db
        .insertInto('competitors')
        .values({ id: record.id, document })
        .onConflict((conflict) => conflict.column('id').doUpdateSet({ document }))
        .execute()
    },
  }
}
