import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Sources } from '../../workflows/action-file.ts'

/** Reads `folder/owner/name@ref/path`; undefined for what is not there. */
export const remoteFiles =
  (folder: string): NonNullable<Sources['readRemote']> =>
  (repository, ref, path) => {
    if ([ref, path].some((text) => text.split('/').includes('..'))) return undefined
    try {
      return readFileSync(join(folder, `${repository}@${ref}`, path), 'utf8')
    } catch (error) {
      const code = error instanceof Error && 'code' in error ? error.code : undefined
      if (code === 'ENOENT' || code === 'ENOTDIR' || code === 'EISDIR') return undefined
      throw error
    }
  }
