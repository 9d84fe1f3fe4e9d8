import type { Selectable } from 'kysely'
import type { Database, Tables } from './database.ts'
import { inPages } from './in-pages.ts'
import { checkRecord, readRow } from './read-row.ts'
import { BattleRecord } from './records.ts'
import type { Battles } from './store.ts'

/** Rows of one insert: nine parameters each, and PostgreSQL takes 65,535. */
const BATCH = 5000

export function battlesIn(db: Database): Battles {
  return {
    find: async (id) => {
      const row = await db.selectFrom('battles').selectAll().where('id', '=', id).executeTakeFirst()
      return row && recordOf(row)
    },
    list: async (seasonDigest, state) => {
      const ofSeason = db.selectFrom('battles').selectAll().where('season_digest', '=', seasonDigest)
      const wanted = state === undefined ? ofSeason : ofSeason.where('state', '=', state)
      return (await inPages(db, wanted)).map(recordOf)
    },
    add: (battles) => {
      const rows = battles.map((battle) => rowOf(checkRecord(BattleRecord, battle, 'battles')))
      return db.transaction().execute(async (transaction) => {
        let added = 0
        for (let start = 0; start < rows.length; start += BATCH) {
          const result = await transaction
            .insertInto('battles')
            .values(rows.slice(start, start + BATCH))
            .onConflict((conflict) => conflict.column('id').doNothing())
            .executeTakeFirst()
          added += Number(result.numInsertedOrUpdatedRows ?? 0n)
        }
        return added
      })
    },
    mark: async (id, state, tries) => {
      const result = await db
        .updateTable('battles')
        .set({ state, tries })
        .where('id', '=', id)
        .where('state', 'in', state === 'settled' ? ['queued', 'void-closed'] : ['queued'])
        .executeTakeFirst()
      return result.numUpdatedRows === 1n
    },
  }
}

function rowOf(battle: BattleRecord) {
  const { id, seasonDigest, task, taskId, a, b, state, tries } = battle
  return { id, season_digest: seasonDigest, task, task_id: taskId, a, b, state, tries }
}

function recordOf(row: Selectable<Tables['battles']>): BattleRecord {
  const { id, season_digest, task, task_id, a, b, state, tries } = row
  const record = { id, seasonDigest: season_digest, task, taskId: task_id, a, b, state, tries }
  return readRow(BattleRecord, record, 'battles', id)
}
