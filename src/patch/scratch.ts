import { mkdir, mkdtemp, rm, statfs } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { EnvironmentError } from '../errors.ts'

/** Below this many free bytes a failure is the disk's, whatever the diff is. */
const FEW_BYTES = 1024 * 1024

const diskFull = (cause?: unknown): EnvironmentError =>
  new EnvironmentError('the disk is full', {
    place: tmpdir(),
    remedy: 'free space, or set TMPDIR to a folder on another disk',
    ...(cause === undefined ? {} : { cause }),
  })

/** Runs work with a folder of its own, which is removed after it. Throws EnvironmentError when the disk is full. */
export async function withScratch<R>(work: (folder: string) => Promise<R>): Promise<R> {
  let folder: string | undefined
  try {
    folder = await mkdtemp(join(tmpdir(), 'arena-patch-'))
    await mkdir(join(folder, 'objects'))
    return await work(folder)
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOSPC') throw diskFull(error)
    throw error
  } finally {
    if (folder !== undefined) await rm(folder, { recursive: true, force: true })
  }
}

/** Asked after a failure, so that nobody is blamed for a full disk: git's words are no evidence, a path may hold them. */
export async function assertDiskSpace(folder: string): Promise<void> {
  const { bavail, bsize } = await statfs(folder)
  if (bavail * bsize < FEW_BYTES) throw diskFull()
}
