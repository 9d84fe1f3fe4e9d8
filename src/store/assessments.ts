import { Assessment } from '../schema/assessment.ts'
import type { Database } from './database.ts'
import { checkRecord, readRow } from './read-row.ts'
import type { Assessments } from './store.ts'

export function assessmentsIn(db: Database): Assessments {
  return {
    find: async (id) => {
      const row = await db
        .selectFrom('assessments')
        .select('document')
        .where('id', '=', id)
        .executeTakeFirst()
      return row && readRow(Assessment, row.document, 'assessments', id)
    },
    save: async (assessment) => {
      const record = checkRecord(Assessment, assessment, 'assessments')
      const { id, task, subject } = record
      const result = await db
        .insertInto('assessments')
        .values({ id, task, subject, document: JSON.stringify(record) })
        .onConflict((conflict) => conflict.column('id').doNothing())
        .executeTakeFirst()
      return result.numInsertedOrUpdatedRows === 1n
    },
  }
}
