import { execFileSync } from 'node:child_process'
import type { FileChange, RepoView } from '../schema/tree.ts'
import { git } from './git.ts'

const byCodeUnit = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

/** A commit's files, read from the object store when asked for and then kept. */
export async function gitRepoView(repository: string, commit: string): Promise<RepoView> {
  const listing = (await git(repository, ['ls-tree', '-r', '-z', commit])).toString('utf8')
  const blobs = new Map<string, string>()
  for (const entry of listing.split('\0')) {
    const match = /^\d+ blob ([0-9a-f]+)\t(.+)$/s.exec(entry)
    if (match?.[1] && match[2]) blobs.set(match[2], match[1])
  }
  const paths = [...blobs.keys()].sort(byCodeUnit)
  const kept = new Map<string, Buffer>()
  return {
    list: () => paths,
    read(path) {
      const blob = blobs.get(path)
      if (blob === undefined) return undefined
      let bytes = kept.get(path)
      if (bytes === undefined) {
        bytes = execFileSync('git', ['-c', 'safe.directory=*', 'cat-file', 'blob', blob], {
          cwd: repository,
          maxBuffer: 1 << 30,
        })
        kept.set(path, bytes)
      }
      return bytes
    },
  }
}

/** The same view with whole-file changes on top. */
export function changedView(base: RepoView, changes: readonly FileChange[]): RepoView {
  const written = new Map<string, Buffer>()
  const deleted = new Set<string>()
  for (const change of changes) {
    if (change.change === 'delete') deleted.add(change.path)
    else written.set(change.path, Buffer.from(change.contentBase64, 'base64'))
  }
  const paths = [...new Set([...base.list().filter((path) => !deleted.has(path)), ...written.keys()])].sort(
    byCodeUnit,
  )
  return {
    list: () => paths,
    read: (path) => written.get(path) ?? (deleted.has(path) ? undefined : base.read(path)),
  }
}
