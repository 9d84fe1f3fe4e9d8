import { type ExpressionBuilder, sql } from 'kysely'
import type { Database, Tables } from './database.ts'
import { checkRecord, readRow } from './read-row.ts'
import { CellRecord } from './records.ts'
import type { Cells } from './store.ts'

export function cellsIn(db: Database): Cells {
  const findMany: Cells['findMany'] = async (keys) => {
    if (keys.length === 0) return new Map()
    const rows = await db.selectFrom('cells').selectAll().where(isOneOf(keys)).execute()
    return new Map(
      rows.map((row) => {
        const cell = readRow(
          CellRecord,
          {
            key: row.key,
            label: row.label,
            task: row.task,
            environment: row.environment,
            run: row.run,
            durationMs: row.duration_ms,
            createdAt: row.created_at.toISOString(),
          },
          'cells',
          row.key,
        )
        return [row.key, cell]
      }),
    )
  }
  return {
    findMany,
    find: async (key) => (await findMany([key])).get(key),
    put: async (cell) => {
      const record = checkRecord(CellRecord, cell, 'cells')
      const result = await db
        .insertInto('cells')
        .values({
          key: record.key,
          label: record.label,
          task: record.task,
          environment: record.environment,
          run: JSON.stringify(record.run),
          duration_ms: record.durationMs,
          created_at: record.createdAt,
        })
        .onConflict((conflict) => conflict.column('key').doNothing())
        .executeTakeFirst()
      return result.numInsertedOrUpdatedRows === 1n
    },
  }
}

/** One array parameter: any number of keys, one statement. */
function isOneOf(keys: readonly string[]) {
  return (column: ExpressionBuilder<Tables, 'cells'>) =>
    sql<boolean>`${column.ref('cells.key')} = any(${[...keys]}::text[])`
}
