import type { Database } from './database.ts'
import { checkRecord, readRow } from './read-row.ts'
import { TaskRecord } from './records.ts'
import type { Tasks } from './store.ts'

export function tasksIn(db: Database): Tasks {
  return {
    find: async (digest) => {
      const row = await db
        .selectFrom('tasks')
        .select(['digest', 'issue', 'document'])
        .where('digest', '=', digest)
        .executeTakeFirst()
      return row && readRow(TaskRecord, row, 'tasks', digest)
    },
    put: async (task) => {
      const { digest, issue, document } = checkRecord(TaskRecord, task, 'tasks')
      const result = await db
        .insertInto('tasks')
        .values({
          digest,
          id: document.id,
          language: document.language,
          repository: document.repository.name,
          base_commit: document.baseCommit,
          issue: JSON.stringify(issue),
          document: JSON.stringify(document),
        })
        .onConflict((conflict) => conflict.column('digest').doNothing())
        .executeTakeFirst()
      return result.numInsertedOrUpdatedRows === 1n
    },
  }
}
