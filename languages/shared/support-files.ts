import type { FileChange } from '../../src/schema/tree.ts'

/**
 * What enters the tree together with one test file: deletions, data and helpers, but no other file with cases, since each
 * file is built by itself.
 */
export function withSupport(
  files: readonly FileChange[],
  path: string,
  hasCases: (path: string, text: string) => boolean,
): readonly FileChange[] {
  return files.filter((file) => {
    if (file.path === path) return false
    if (file.change === 'delete') return true
    return !hasCases(file.path, Buffer.from(file.contentBase64, 'base64').toString('utf8'))
  })
}
