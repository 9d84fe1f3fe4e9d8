import { posix } from 'node:path'
import type { FileChange, RepoView } from '../../src/schema/tree.ts'

export const baseName = (path: string): string => posix.basename(path)

/** The folder of a path, `.` for the root. */
export const folderOf = (path: string): string => posix.dirname(path)

/** Joins and normalises repository paths; `.` for the root, never a leading `./`. */
export function joinPath(...parts: readonly string[]): string {
  const joined = posix.normalize(posix.join(...parts))
  return joined.endsWith('/') && joined !== '/' ? joined.slice(0, -1) : joined
}

/** `path` relative to the repository, from an absolute folder inside it; `.` when it is the repository itself. */
export function insideRepo(repo: string, folder: string): string {
  const relative = posix.relative(repo, folder)
  return relative === '' ? '.' : relative
}

/** Whether one of the path's folders has one of these names. */
export function hasFolder(path: string, names: readonly string[]): boolean {
  return path
    .split('/')
    .slice(0, -1)
    .some((part) => names.includes(part))
}

export const textOf = (bytes: Buffer | undefined): string | undefined => bytes?.toString('utf8')

/** A file as `tree` has it with `files` on top; undefined when it is missing, deleted or a symlink. */
export function textIn(tree: RepoView, files: readonly FileChange[], path: string): string | undefined {
  const change = files.findLast((candidate) => candidate.path === path)
  if (change === undefined) return textOf(tree.read(path))
  if (change.change === 'delete' || change.mode === '120000') return undefined
  return Buffer.from(change.contentBase64, 'base64').toString('utf8')
}

export function writeText(path: string, text: string): FileChange {
  return {
    change: 'write',
    path,
    mode: '100644',
    contentBase64: Buffer.from(text, 'utf8').toString('base64'),
  }
}
