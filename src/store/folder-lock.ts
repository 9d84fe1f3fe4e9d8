import { randomUUID } from 'node:crypto'
import { link, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { EnvironmentError } from '../errors.ts'
import { diskError, hasCode } from './disk-errors.ts'
import { identityOf, isAlive, isInThisSpace, ProcessIdentity } from './process-identity.ts'

const Holder = ProcessIdentity.extend({
  owner: z.string(),
  since: z.iso.datetime(),
  /** Tells two locks of one process apart. */
  token: z.string(),
})
type Holder = z.infer<typeof Holder>

export interface FolderLock {
  release(): Promise<void>
}

/**
 * Takes `<folder>/lock`, so that one process at a time uses the folder; two PGlites on one folder lose data silently.
 * The lock of a process that no longer lives is taken over. Throws EnvironmentError naming the folder, the other process
 * and the remedy. `owner`: what the other process sees, `arena serve`.
 */
export async function lockFolder(folder: string, owner: string, now: () => Date): Promise<FolderLock> {
  const path = join(folder, 'lock')
  const mine = `${JSON.stringify(thisProcess(owner, now()))}\n`
  while (!(await created(path, mine))) {
    const text = await readIfThere(path)
    if (text === undefined) continue
    const holder = parseHolder(text)
    if (holder === undefined || isAlive(holder)) throw lockedError(folder, path, holder)
    await removeDead(path, text, mine)
  }
  return { release: () => removeIfHolding(path, mine) }
}

function thisProcess(owner: string, since: Date): Holder {
  return {
    ...identityOf(process.pid),
    owner,
    since: since.toISOString(),
    token: randomUUID(),
  }
}

function parseHolder(text: string): Holder | undefined {
  try {
    return Holder.parse(JSON.parse(text))
  } catch {
    return undefined
  }
}

/** Written whole beside it and linked, so that nobody reads half a lock. */
async function created(path: string, text: string): Promise<boolean> {
  const draft = `${path}.${randomUUID()}`
  try {
    await writeFile(draft, text, { flag: 'wx', flush: true })
    await link(draft, path)
    return true
  } catch (error) {
    if (hasCode(error, 'EEXIST')) return false
    throw diskError(error, path)
  } finally {
    await rm(draft, { force: true })
  }
}

/**
 * Removes a lock whose process has died. Only the holder of `<lock>.takeover` may, after another look: without it, a slow
 * process could remove the lock that a quick one has just taken over.
 */
async function removeDead(path: string, text: string, mine: string): Promise<void> {
  const guard = `${path}.takeover`
  if (await created(guard, mine)) {
    try {
      await removeIfHolding(path, text)
    } finally {
      await rm(guard, { force: true })
    }
    return
  }
  const other = await readIfThere(guard)
  if (other === undefined) return
  const holder = parseHolder(other)
  if (holder === undefined) throw lockedError(guard, guard, holder)
  if (!isAlive(holder)) await removeIfHolding(guard, other)
}

async function removeIfHolding(path: string, text: string): Promise<void> {
  if ((await readIfThere(path)) === text) await rm(path, { force: true })
}

async function readIfThere(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8')
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return undefined
    throw diskError(error, path)
  }
}

function lockedError(folder: string, path: string, holder: Holder | undefined): EnvironmentError {
  const remedy =
    'use --data OTHER for a second arena, or DATABASE_URL for several processes on one PostgreSQL'
  if (holder === undefined) {
    return new EnvironmentError(`${path} is not a lock file of the arena`, {
      place: folder,
      remedy: `remove it if no arena uses the folder; else ${remedy}`,
    })
  }
  const unsure = isInThisSpace(holder) ? '' : ` (in another container: remove ${path} if it has ended)`
  const who = `process ${holder.pid} (${holder.owner}, since ${holder.since})`
  return new EnvironmentError(`in use by ${who}${unsure}`, { place: folder, remedy: `stop it, ${remedy}` })
}
