import { EnvironmentError, messageOf } from '../errors.ts'

export function hasCode(error: unknown, code: string): boolean {
  return codeOf(error) === code
}

/** The code of a system or database error: `ENOSPC`, `23505`. */
export function codeOf(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null || !('code' in error)) return undefined
  return typeof error.code === 'string' ? error.code : undefined
}

const REMEDIES: Readonly<Record<string, string>> = {
  ENOSPC: 'free some space or use --data OTHER; what was saved before is kept',
  EDQUOT: 'free some of the quota or use --data OTHER; what was saved before is kept',
  EACCES: 'make it writable for this user or use --data OTHER',
  EPERM: 'make it writable for this user or use --data OTHER',
  EROFS: 'the file system is read-only: use --data OTHER',
  ENOTDIR: 'a file stands where a folder is needed: use --data OTHER',
  EMFILE: 'raise the limit of open files (ulimit -n)',
}

/** A failed file operation of the store, with its place and what to do about it. */
export function diskError(error: unknown, place: string): EnvironmentError {
  if (error instanceof EnvironmentError) return error
  const code = codeOf(error)
  const reason = code === 'ENOSPC' ? 'no space left on the disk' : messageOf(error)
  const remedy = code === undefined ? undefined : REMEDIES[code]
  return new EnvironmentError(reason, { place, ...(remedy && { remedy }), cause: error })
}
