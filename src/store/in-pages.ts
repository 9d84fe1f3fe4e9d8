import { type SelectQueryBuilder, sql } from 'kysely'
import type { Database, Tables } from './database.ts'

const PAGE = 1000

/** A row as the database writes it in JSON: times are ISO 8601 with an offset. */
export type JsonRow<Row> = { readonly [Column in keyof Row]: Row[Column] extends Date ? string : Row[Column] }

/**
 * The rows of `query` in the order of `number`, which must be one of its columns. They travel as JSON, a thousand at a
 * time: decoding the rows of a large season one by one costs several times as much as all of the database's own work.
 */
export async function inPages<Row extends { number: number }>(
  db: Database,
  query: SelectQueryBuilder<Tables, keyof Tables, Row>,
): Promise<readonly JsonRow<Row>[]> {
  const { rows } = await sql<{ readonly page: readonly JsonRow<Row>[] }>`
    select json_agg(numbered order by numbered.number) as page
    from (${query}) as numbered
    group by numbered.number / ${sql.lit(PAGE)}
    order by numbered.number / ${sql.lit(PAGE)}
  `.execute(db)
  return rows.flatMap(({ page }) => page)
}

/** A time from a page or from a row, as the schemas write it. */
export function isoTime(time: Date | string): string {
  return new Date(time).toISOString()
}
