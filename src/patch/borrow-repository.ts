import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { latin1FromUtf8, quotePath } from './quoted-path.ts'
import { withScratch } from './scratch.ts'

export interface Borrowed {
  /** Absolute path of the folder with the repository's objects; it is never written. */
  readonly objects: string
  readonly objectFormat: 'sha1' | 'sha256'
  /** Full id of the commit that is HEAD. */
  readonly commit: string
}

/**
 * Runs work with a repository of its own that has one commit of another one at HEAD and reads that one's objects. Neither
 * the other's configuration, which may change how git applies, nor its refs are in it. Removed afterwards.
 */
export function withBorrowedRepository<R>(
  borrowed: Borrowed,
  work: (gitDir: string) => Promise<R>,
): Promise<R> {
  const { objects, objectFormat, commit } = borrowed
  const format =
    objectFormat === 'sha1'
      ? '[core]\n\trepositoryformatversion = 0\n\tbare = true\n'
      : `[core]\n\trepositoryformatversion = 1\n\tbare = true\n[extensions]\n\tobjectformat = ${objectFormat}\n`
  return withScratch(async (folder) => {
    await mkdir(join(folder, 'objects', 'info'))
    await mkdir(join(folder, 'refs'))
    await writeFile(
      join(folder, 'objects', 'info', 'alternates'),
      `${quotePath(latin1FromUtf8(objects))}\n`,
      'latin1',
    )
    await writeFile(join(folder, 'config'), format)
    await writeFile(join(folder, 'HEAD'), `${commit}\n`)
    return work(folder)
  })
}
