import { constants } from 'node:fs'
import { lchown, lstat, mkdir, open, rm, rmdir, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { RunnerUnavailableError } from '../../errors.ts'
import type { FileChange } from '../../schema/tree.ts'

/**
 * Writes whole files below `root`/`repo` as the sandbox's user. Hostile code has owned the folder: every part of a path is
 * looked at, and a link or file that stands where a folder must be is removed, so nothing is ever written through a link.
 * Nothing may run in the sandbox meanwhile. `owner`: the user's number, or null when it is our own.
 */
export async function writeTree(
  root: string,
  repo: string,
  changes: readonly FileChange[],
  owner: number | null,
): Promise<void> {
  const give = async (path: string): Promise<void> => {
    if (owner !== null) await lchown(path, owner, owner)
  }
  try {
    await makeFolders(root, repo, give)
    for (const change of changes) {
      if (change.change === 'delete') await removeFile(root, repo, change.path)
      else await writeOne(root, join(repo, change.path), change, give)
    }
  } catch (cause) {
    throw new RunnerUnavailableError('files could not be written into the sandbox', { place: repo, cause })
  }
}

type Give = (path: string) => Promise<void>

async function makeFolders(root: string, folder: string, give: Give): Promise<void> {
  let path = root
  for (const part of folder.split('/').filter((name) => name !== '')) {
    path = join(path, part)
    const about = await lstat(path).catch(() => undefined)
    if (about?.isDirectory()) continue
    if (about) await rm(path, { force: true })
    await mkdir(path, { mode: 0o755 })
    await give(path)
  }
}

/** As git does, with the folders that it leaves empty. */
async function removeFile(root: string, repo: string, file: string): Promise<void> {
  const folders: string[] = []
  let path = join(root, repo)
  for (const part of file.split('/').slice(0, -1)) {
    path = join(path, part)
    const about = await lstat(path).catch(() => undefined)
    if (!about?.isDirectory()) return
    folders.push(path)
  }
  await rm(join(root, repo, file), { recursive: true, force: true })
  for (const folder of folders.reverse()) {
    const isEmpty = await rmdir(folder).then(
      () => true,
      () => false,
    )
    if (!isEmpty) return
  }
}

async function writeOne(
  root: string,
  file: string,
  change: Extract<FileChange, { change: 'write' }>,
  give: Give,
): Promise<void> {
  await makeFolders(root, file.split('/').slice(0, -1).join('/'), give)
  const path = join(root, file)
  const content = Buffer.from(change.contentBase64, 'base64')
  await rm(path, { recursive: true, force: true })
  if (change.mode === '120000') {
    await symlink(content, path)
    return give(path)
  }
  const handle = await open(
    path,
    constants.O_CREAT | constants.O_EXCL | constants.O_WRONLY | constants.O_NOFOLLOW,
    0o600,
  )
  try {
    await handle.writeFile(content)
    await handle.chmod(change.mode === '100755' ? 0o755 : 0o644)
  } finally {
    await handle.close()
  }
  await give(path)
}
