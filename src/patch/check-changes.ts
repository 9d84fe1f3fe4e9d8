import { RepoPath } from '../schema/ids.ts'
import type { FileChange } from '../schema/tree.ts'
import { PATCH_LIMITS } from './limits.ts'

/**
 * Whether a symlink's target stays inside the repository whatever other links do: relative, `..` only at its start and
 * no further up than the root, never into .git.
 */
function leadsOutside(path: string, target: string): boolean {
  const parts = target.split('/').filter((part) => part !== '' && part !== '.')
  const ups = parts.findIndex((part) => part !== '..')
  const climbs = ups === -1 ? parts.length : ups
  const rest = parts.slice(climbs)
  return (
    target.startsWith('/') ||
    target.includes('\0') ||
    climbs > path.split('/').length - 1 ||
    rest.some((part) => part === '..' || part.toLowerCase() === '.git')
  )
}

/** The first change that may not be: a path or symlink that leaves the repository, or too many bytes. */
export function checkChanges(
  changes: readonly FileChange[],
): { readonly path: string; readonly reason: string } | undefined {
  let total = 0
  for (const change of changes) {
    const { path } = change
    if (!RepoPath.safeParse(path).success) return { path, reason: 'the path is not inside the repository' }
    if (change.change === 'delete') continue
    const bytes = Buffer.byteLength(change.contentBase64, 'base64')
    total += bytes
    if (bytes > PATCH_LIMITS.fileBytes)
      return { path, reason: `has more than ${PATCH_LIMITS.fileBytes} bytes` }
    if (total > PATCH_LIMITS.totalBytes)
      return { path, reason: `with it the changed files have more than ${PATCH_LIMITS.totalBytes} bytes` }
    if (
      change.mode === '120000' &&
      leadsOutside(path, Buffer.from(change.contentBase64, 'base64').toString('utf8'))
    )
      return { path, reason: 'the symlink leads outside the repository' }
  }
  return undefined
}
