import type { Insertable, Selectable } from 'kysely'
import { Generation, type ModelCall } from '../schema/match.ts'
import type { Database, Tables } from './database.ts'
import { checkRecord, readRow } from './read-row.ts'
import type { Generations } from './store.ts'

export function generationsIn(db: Database): Generations {
  return {
    find: async (id) => {
      const row = await db.selectFrom('generations').selectAll().where('id', '=', id).executeTakeFirst()
      if (!row) return undefined
      const calls = await db
        .selectFrom('model_calls')
        .selectAll()
        .where('generation', '=', id)
        .orderBy('position')
        .execute()
      return readRow(Generation, documentOf(row, calls), 'generations', id)
    },
    save: (generation) => {
      const record = checkRecord(Generation, generation, 'generations')
      const calls = record.calls.map((call, position) => callRow(record.id, call, position))
      return db.transaction().execute(async (transaction) => {
        const result = await transaction
          .insertInto('generations')
          .values({
            id: record.id,
            task: record.task,
            task_id: record.taskId,
            competitor: record.competitor,
            kind: record.kind,
            parent: record.parent,
            repeat: record.repeat,
            prompt_version: record.promptVersion,
            prompt: JSON.stringify(record.prompt),
            outcome: JSON.stringify(record.outcome),
            context: record.context ? JSON.stringify(record.context) : null,
            created_at: record.createdAt,
          })
          .onConflict((conflict) => conflict.column('id').doNothing())
          .executeTakeFirst()
        const isNew = result.numInsertedOrUpdatedRows === 1n
        if (isNew && calls.length > 0) await transaction.insertInto('model_calls').values(calls).execute()
        return isNew
      })
    },
  }
}

function callRow(generation: string, call: ModelCall, position: number): Insertable<Tables['model_calls']> {
  const { attempt, response, promptTokens, completionTokens, durationMs, ...exchange } = call
  return {
    generation,
    position,
    attempt,
    response,
    prompt_tokens: promptTokens,
    completion_tokens: completionTokens,
    duration_ms: durationMs,
    exchange: JSON.stringify(exchange),
  }
}

/** Not yet checked: readRow does that for the whole. */
function documentOf(
  row: Selectable<Tables['generations']>,
  calls: Selectable<Tables['model_calls']>[],
): unknown {
  return {
    id: row.id,
    task: row.task,
    taskId: row.task_id,
    competitor: row.competitor,
    kind: row.kind,
    parent: row.parent,
    repeat: row.repeat,
    promptVersion: row.prompt_version,
    prompt: row.prompt,
    outcome: row.outcome,
    ...(row.context === null ? {} : { context: row.context }),
    createdAt: row.created_at.toISOString(),
    calls: calls.map((call) => ({
      ...Object(call.exchange),
      attempt: call.attempt,
      response: call.response,
      promptTokens: call.prompt_tokens,
      completionTokens: call.completion_tokens,
      durationMs: call.duration_ms,
    })),
  }
}
