import { execFile } from 'node:child_process'
import { rm } from 'node:fs/promises'
import { promisify } from 'node:util'

const run = promisify(execFile)

/**
 * Removes a folder that hostile code has written: closed folders (mode 000) and paths longer than the kernel takes in one
 * call are no obstacle. A symlink in it is removed, never followed.
 */
export async function removeTree(folder: string): Promise<void> {
  try {
    await rm(folder, { recursive: true, force: true })
  } catch {
    await run('chmod', ['-R', 'u+rwX', '--', folder]).catch(() => undefined)
    await run('rm', ['-rf', '--', folder])
  }
}

/** Bytes that a folder takes on disk. What cannot be looked into is not counted. */
export async function folderBytes(folder: string): Promise<number> {
  const output = await run('du', ['-sk', '--', folder]).then(
    ({ stdout }) => stdout,
    (error: { stdout?: string }) => error.stdout ?? '',
  )
  return (Number.parseInt(output, 10) || 0) * 1024
}
