import { type Insertable, type Selectable, sql } from 'kysely'
import { InputError } from '../errors.ts'
import { canonicalJson } from '../schema/canonical.ts'
import type { TestKey } from '../schema/verdict.ts'
import type { Database, Tables } from './database.ts'
import { checkRecord, readRow } from './read-row.ts'
import { VerdictRevision } from './records.ts'

/** That no newer verdict than the joined one stands: a join, since a look-up for each round costs three times as much. */
export const isCurrent = sql<boolean>`not verdicts.stale and not exists (
  select from verdicts newer
  where newer.round = verdicts.round and newer.revision > verdicts.revision and not newer.stale
)`

export async function revisionsOf(db: Database, round: string): Promise<readonly VerdictRevision[]> {
  const rows = await db
    .selectFrom('verdicts')
    .selectAll()
    .where('round', '=', round)
    .orderBy('revision')
    .execute()
  return rows.map(revisionOf)
}

/** Adds a revision after the newest, unless that says the same already. */
export function addRevision(
  db: Database,
  round: string,
  revision: VerdictRevision,
): Promise<'added' | 'unchanged'> {
  const record = checkRecord(VerdictRevision, revision, 'verdicts')
  return db.transaction().execute(async (transaction) => {
    await lockRound(transaction, round)
    return appendRevision(transaction, round, record)
  })
}

/** Two judges of one round take turns, so that each sees the other's revision. Throws InputError for an unknown round. */
export async function lockRound(transaction: Database, round: string): Promise<void> {
  const known = await transaction
    .selectFrom('rounds')
    .select('id')
    .where('id', '=', round)
    .forUpdate()
    .executeTakeFirst()
  if (!known)
    throw new InputError('no such round', {
      place: `round ${round}`,
      remedy: 'list the rounds of its season',
    })
}

/** In a transaction that holds the round's lock. */
export async function appendRevision(
  transaction: Database,
  round: string,
  revision: VerdictRevision,
): Promise<'added' | 'unchanged'> {
  const newest = await transaction
    .selectFrom('verdicts')
    .selectAll()
    .where('round', '=', round)
    .orderBy('revision', 'desc')
    .limit(1)
    .executeTakeFirst()
  if (newest && isSame(revisionOf(newest), revision)) return 'unchanged'
  await transaction
    .insertInto('verdicts')
    .values(verdictRow(round, (newest?.revision ?? 0) + 1, revision))
    .execute()
  return 'added'
}

export function verdictRow(
  round: string,
  revision: number,
  { judgeVersion, stale, verdict, decidedAt }: VerdictRevision,
): Insertable<Tables['verdicts']> {
  return {
    round,
    revision,
    judge_version: judgeVersion,
    stale,
    kind: verdict.kind,
    submitter_points: verdict.points.submitter,
    reviewer_points: verdict.points.reviewer,
    admitted: verdict.admitted.length,
    killed_by: JSON.stringify(namesOf(verdict.killedBy)),
    verdict: JSON.stringify(verdict),
    decided_at: decidedAt,
  }
}

/** `file::case`, once for all legs. */
function namesOf(keys: readonly TestKey[]): readonly string[] {
  return [...new Set(keys.map((key) => `${key.file}::${key.case}`))]
}

function isSame(a: VerdictRevision, b: VerdictRevision): boolean {
  return (
    a.judgeVersion === b.judgeVersion &&
    a.stale === b.stale &&
    canonicalJson(a.verdict) === canonicalJson(b.verdict)
  )
}

function revisionOf(row: Selectable<Tables['verdicts']>): VerdictRevision {
  const { judge_version, verdict, stale, decided_at } = row
  const revision = { judgeVersion: judge_version, verdict, stale, decidedAt: decided_at.toISOString() }
  return readRow(VerdictRevision, revision, 'verdicts', `${row.round} revision ${row.revision}`)
}
