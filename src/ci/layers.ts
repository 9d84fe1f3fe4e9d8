import { chown, lstat, mkdir, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { RunnerUnavailableError } from '../errors.ts'
import { runTool } from './runners/run-tool.ts'

/** The one unprivileged user of the host that owns layers and runs every step, where we are root; else it is ourselves. */
export const SANDBOX_UID = 20_001

export const isRoot = (): boolean => process.getuid?.() === 0
export const sandboxUid = (): number => (isRoot() ? SANDBOX_UID : (process.getuid?.() ?? SANDBOX_UID))

const owned = new Map<string, Promise<void>>()

/**
 * Gives a layer's files to the sandbox's user, once; cheap when they are its already. A runner calls it for each layer that
 * it opens; whoever makes a layer may call it earlier. Nothing happens for an ordinary user, who owns all that it makes.
 */
export function ownLayer(folder: string): Promise<void> {
  if (!isRoot()) return Promise.resolve()
  const pending = owned.get(folder)
  if (pending) return pending
  const work = giveAway(folder).finally(() => owned.delete(folder))
  owned.set(folder, work)
  return work
}

async function giveAway(folder: string): Promise<void> {
  for (const name of ['tmp', 'home']) {
    const top = join(folder, name)
    const about = await lstat(top).catch(() => undefined)
    // The top folder changes hands last, so a half-done one of a killed process is done again.
    if (!about?.isDirectory() || about.uid === SANDBOX_UID) continue
    const inside = (await readdir(top)).map((entry) => join(top, entry))
    if (inside.length > 0) await tool('chown', ['-hR', `${SANDBOX_UID}:${SANDBOX_UID}`, '--', ...inside])
    await chown(top, SANDBOX_UID, SANDBOX_UID)
  }
}

/** A new folder with the same bytes, modes, owners, times, links and overlay marks. */
export async function copyLayer(from: string, to: string): Promise<void> {
  await mkdir(to, { recursive: true })
  // The mark of a replaced folder is an extended attribute; a deleted file is a character device 0:0.
  await tool('cp', ['-a', '--', `${from}/.`, to]).catch(async (error: unknown) => {
    await rm(to, { recursive: true, force: true })
    throw error
  })
}

async function tool(name: string, args: readonly string[]): Promise<void> {
  const { exitCode, output } = await runTool(name, args)
  if (exitCode !== 0)
    throw new RunnerUnavailableError(`${name} failed: ${output.split('\n').at(-1) ?? ''}`, {
      place: args.at(-1) ?? '',
    })
}
