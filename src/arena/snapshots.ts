import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DATA_FILES, type DataFile, type DataFiles } from '../../leaderboard/snapshot/data-files.ts'
import { makeSnapshot } from '../../leaderboard/snapshot/make.ts'
import { type Difference, verifySnapshot } from '../../leaderboard/snapshot/verify.ts'
import { EnvironmentError, InputError, messageOf } from '../errors.ts'
import { digestOfValue } from '../schema/canonical.ts'
import { parseInput, parseJson } from '../schema/parse.ts'
import { Snapshot } from '../schema/snapshot.ts'
import type { Store } from '../store/store.ts'
import { loadSeasonData } from './season-data.ts'

/** The description of a snapshot, and the name that it is published under. */
const DESCRIPTION = 'snapshot.json'
const NAME = 'DIGEST'

/** The largest data file that is kept: rounds and tests of a season of some hundred thousand rounds. */
const MOST_BYTES = 2 ** 30

export type { Difference }

export interface TakenSnapshot {
  readonly digest: string
  readonly snapshot: Snapshot
  /** False when the season's newest state was kept before. */
  readonly isNew: boolean
  /** Whom the audit model says something else of: such a snapshot is not kept, and `isNew` is false. */
  readonly auditAlarms: readonly string[]
}

/**
 * Computes a season's snapshot and keeps it with its data files; the same data make the same one. One that the audit model
 * contradicts is not kept. Throws InputError for a season that is unknown or has no round.
 */
export async function takeSnapshot(
  store: Store,
  seasonId: string,
  now: () => number,
): Promise<TakenSnapshot> {
  const record = await store.seasons.latest(seasonId)
  if (!record)
    throw new InputError(`there is no season ${seasonId}`, { remedy: 'arena standings names them' })
  const data = await loadSeasonData(store, record)
  if (data.rounds.length === 0)
    throw new InputError(`the season ${seasonId} has no settled round`, { remedy: 'arena season plays it' })
  const { digest, snapshot, files } = makeSnapshot(data)
  const { auditAlarms } = snapshot.results
  if (auditAlarms.length > 0) return { digest, snapshot, isNew: false, auditAlarms }
  const blobs: Record<string, string> = {}
  for (const name of DATA_FILES) blobs[name] = await store.blobs.put(Buffer.from(files[name]), MOST_BYTES)
  const isNew = await store.snapshots.put({
    digest,
    season: seasonId,
    seasonDigest: record.digest,
    document: snapshot,
    files: blobs,
    createdAt: new Date(now()).toISOString(),
  })
  return { digest, snapshot, isNew, auditAlarms }
}

/** One of a kept snapshot's files as text; undefined when there is none. */
export async function snapshotFile(store: Store, digest: string, name: string): Promise<string | undefined> {
  const kept = await store.snapshots.find(digest)
  if (!kept) return undefined
  if (name === DESCRIPTION) return `${JSON.stringify(kept.document, null, 1)}\n`
  if (name === NAME) return `${digest}\n`
  const blob = kept.files[name]
  if (blob === undefined) return undefined
  const bytes = await store.blobs.get(blob, MOST_BYTES)
  if (!bytes)
    throw new EnvironmentError('the file is gone, though a snapshot refers to it', {
      place: `blob ${blob}`,
      remedy: 'restore the folder of blobs from a backup',
    })
  return bytes.toString('utf8')
}

/** Writes a kept snapshot to a folder that does not exist yet. Throws InputError when it does, or without such a snapshot. */
export async function exportSnapshot(store: Store, digest: string, folder: string): Promise<void> {
  try {
    await mkdir(folder)
  } catch (cause) {
    throw new InputError(`the folder cannot be made (${messageOf(cause)})`, {
      place: folder,
      remedy: 'name a new one in a folder that exists',
      cause,
    })
  }
  for (const name of [DESCRIPTION, NAME, ...DATA_FILES]) {
    const text = await snapshotFile(store, digest, name)
    if (text === undefined) throw new InputError(`there is no snapshot ${digest}`)
    await writeFile(join(folder, name), text)
  }
}

export interface VerifiedSnapshot {
  /** As computed from what lies there. */
  readonly digest: string
  readonly season: string
  readonly engine: string
  readonly holds: boolean
  readonly differences: readonly Difference[]
}

/**
 * Computes an exported snapshot again from its data files and compares. `published`: the digest that it was published under;
 * without it that of its own DIGEST file, which whoever changes the export can change too. Throws InputError for a folder
 * that is no snapshot.
 */
export async function verifyExport(folder: string, published?: string): Promise<VerifiedSnapshot> {
  const read = async (name: string): Promise<string> => {
    try {
      return await readFile(join(folder, name), 'utf8')
    } catch (cause) {
      throw new InputError(`there is no ${name}`, {
        place: folder,
        remedy: 'arena ratings snapshot SEASON --out DIR makes such a folder',
        cause,
      })
    }
  }
  const place = join(folder, DESCRIPTION)
  const snapshot = parseInput(Snapshot, parseJson(await read(DESCRIPTION), place), place)
  const files = Object.fromEntries(
    await Promise.all(DATA_FILES.map(async (name): Promise<[DataFile, string]> => [name, await read(name)])),
  ) as unknown as DataFiles
  const name = published ?? (await read(NAME)).trim()
  const differences = verifySnapshot(snapshot, files, name)
  return {
    digest: digestOfValue(snapshot),
    season: snapshot.season.id,
    engine: snapshot.engine,
    holds: differences.length === 0,
    differences,
  }
}
