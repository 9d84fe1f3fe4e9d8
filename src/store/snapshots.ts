import type { Selectable } from 'kysely'
import type { Database, Tables } from './database.ts'
import { checkRecord, readRow } from './read-row.ts'
import { SnapshotRecord } from './records.ts'
import type { Snapshots } from './store.ts'

export function snapshotsIn(db: Database): Snapshots {
  return {
    find: async (digest) => {
      const row = await db.selectFrom('snapshots').selectAll().where('digest', '=', digest).executeTakeFirst()
      return row && recordOf(row)
    },
    list: async (season) => {
      const rows = await db
        .selectFrom('snapshots')
        .select(['digest', 'season_digest', 'created_at'])
        .where('season', '=', season)
        .orderBy('number', 'desc')
        .execute()
      return rows.map(({ digest, season_digest, created_at }) => ({
        digest,
        seasonDigest: season_digest,
        createdAt: created_at.toISOString(),
      }))
    },
    put: async (snapshot) => {
      const { digest, season, seasonDigest, document, files, createdAt } = checkRecord(
        SnapshotRecord,
        snapshot,
        'snapshots',
      )
      const result = await db
        .insertInto('snapshots')
        .values({
          digest,
          season,
          season_digest: seasonDigest,
          document: JSON.stringify(document),
          files: JSON.stringify(files),
          created_at: createdAt,
        })
        .onConflict((conflict) => conflict.column('digest').doNothing())
        .executeTakeFirst()
      return result.numInsertedOrUpdatedRows === 1n
    },
  }
}

function recordOf(row: Selectable<Tables['snapshots']>): SnapshotRecord {
  const { digest, season, season_digest, document, files, created_at } = row
  const record = {
    digest,
    season,
    seasonDigest: season_digest,
    document,
    files,
    createdAt: created_at.toISOString(),
  }
  return readRow(SnapshotRecord, record, 'snapshots', digest)
}
