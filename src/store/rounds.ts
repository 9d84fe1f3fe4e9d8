import type { Insertable, Selectable } from 'kysely'
import { z } from 'zod'
import { Round } from '../schema/match.ts'
import type { RoundSummary } from '../schema/view.ts'
import type { Database, Tables } from './database.ts'
import { inPages, isoTime, type JsonRow } from './in-pages.ts'
import { checkRecord, readRow } from './read-row.ts'
import { type RoundParts, roundView } from './round-view.ts'
import type { Rounds } from './store.ts'
import { addRevision, appendRevision, isCurrent, lockRound, revisionsOf, verdictRow } from './verdicts.ts'

const SummaryRow = z.object({
  id: z.string(),
  taskId: z.string(),
  language: z.string(),
  submitter: z.string(),
  reviewer: z.string(),
  verdict: z.string(),
  control: z.boolean(),
  submitterPoints: z.number(),
  reviewerPoints: z.number(),
  admitted: z.number(),
  killedBy: z.array(z.string()),
  settledAt: z.string(),
}) satisfies z.ZodType<RoundSummary>

export function roundsIn(db: Database, parts: RoundParts): Rounds {
  const withVerdict = db
    .selectFrom('rounds')
    .innerJoin('verdicts', 'verdicts.round', 'rounds.id')
    .where(isCurrent)
  const rounds = withVerdict.selectAll('rounds').select('verdicts.verdict as verdict')

  const find: Rounds['find'] = async (id) => {
    const row = await rounds.where('rounds.id', '=', id).executeTakeFirst()
    return row && roundOf(row)
  }
  return {
    find,
    save: (round) => save(db, checkRecord(Round, round, 'rounds')),
    list: async (seasonDigest) => {
      const rows = await inPages(db, rounds.where('rounds.season_digest', '=', seasonDigest))
      return rows.map(roundOf)
    },
    summaries: async (of) => {
      const digest = 'seasonDigest' in of ? of.seasonDigest : await newestDigest(db, of.season)
      if (digest === undefined) return []
      const summaries = withVerdict
        .leftJoin('tasks', 'tasks.digest', 'rounds.task')
        .select([
          'rounds.number',
          'rounds.id',
          'rounds.task_id as taskId',
          'tasks.language',
          'rounds.submitter',
          'rounds.reviewer',
          'verdicts.kind as verdict',
          'rounds.control',
          'verdicts.submitter_points as submitterPoints',
          'verdicts.reviewer_points as reviewerPoints',
          'verdicts.admitted',
          'verdicts.killed_by as killedBy',
          'rounds.settled_at',
        ])
        .where('rounds.season_digest', '=', digest)
      const rows = await inPages(db, summaries)
      return rows.map(({ settled_at, ...row }) =>
        readRow(SummaryRow, { ...row, settledAt: isoTime(settled_at) }, 'rounds', row.id),
      )
    },
    view: async (id) => {
      const round = await find(id)
      return round && roundView(round, parts)
    },
    revisions: (id) => revisionsOf(db, id),
    replaceVoid: (round) => replaceVoid(db, checkRecord(Round, round, 'rounds')),
    revise: async (id, revision) => (await addRevision(db, id, revision)) === 'added',
  }
}

function save(db: Database, round: Round): Promise<boolean> {
  const { verdict, settledAt } = round
  const first = { judgeVersion: verdict.judgeVersion, verdict, stale: false, decidedAt: settledAt }
  return db.transaction().execute(async (transaction) => {
    const result = await transaction
      .insertInto('rounds')
      .values(rowOf(round))
      .onConflict((conflict) => conflict.column('id').doNothing())
      .executeTakeFirst()
    const isNew = result.numInsertedOrUpdatedRows === 1n
    if (isNew)
      await transaction
        .insertInto('verdicts')
        .values(verdictRow(round.id, 1, first))
        .execute()
    return isNew
  })
}

/** What a void round was decided from is what broke: what decides it now takes its place, all or nothing. */
function replaceVoid(db: Database, round: Round): Promise<boolean> {
  const { id, verdict, settledAt } = round
  const revision = { judgeVersion: verdict.judgeVersion, verdict, stale: false, decidedAt: settledAt }
  return db.transaction().execute(async (transaction) => {
    await lockRound(transaction, id)
    const standing = await transaction
      .selectFrom('verdicts')
      .select('kind')
      .where('round', '=', id)
      .where(isCurrent)
      .executeTakeFirst()
    if (verdict.kind === 'void' || standing?.kind !== 'void') return false
    const { patch, tests, draw, cells, environment, settled_at } = rowOf(round)
    await transaction
      .updateTable('rounds')
      .set({ patch, tests, draw, cells, environment, settled_at })
      .where('id', '=', id)
      .execute()
    await appendRevision(transaction, id, revision)
    return true
  })
}

async function newestDigest(db: Database, season: string): Promise<string | undefined> {
  const row = await db
    .selectFrom('seasons')
    .select('digest')
    .where('id', '=', season)
    .orderBy('created_at', 'desc')
    .orderBy('digest')
    .limit(1)
    .executeTakeFirst()
  return row?.digest
}

function rowOf(round: Round): Insertable<Tables['rounds']> {
  return {
    id: round.id,
    season: round.season,
    season_digest: round.seasonDigest,
    battle: round.battle,
    task: round.task,
    task_id: round.taskId,
    submitter: round.submitter,
    reviewer: round.reviewer,
    control: round.control,
    turn: round.turn ?? null,
    patch: round.patch,
    tests: round.tests,
    draw: round.draw ? JSON.stringify(round.draw) : null,
    cells: JSON.stringify(round.cells),
    environment: round.environment,
    settled_at: round.settledAt,
  }
}

type RoundRow = Selectable<Tables['rounds']> & { readonly verdict: unknown }

function roundOf(row: RoundRow | JsonRow<RoundRow>): Round {
  const document = {
    id: row.id,
    season: row.season,
    seasonDigest: row.season_digest,
    battle: row.battle,
    task: row.task,
    taskId: row.task_id,
    submitter: row.submitter,
    reviewer: row.reviewer,
    control: row.control,
    ...(row.turn === null ? {} : { turn: row.turn }),
    patch: row.patch,
    tests: row.tests,
    ...(row.draw === null ? {} : { draw: row.draw }),
    cells: row.cells,
    environment: row.environment,
    verdict: row.verdict,
    settledAt: isoTime(row.settled_at),
  }
  return readRow(Round, document, 'rounds', row.id)
}
