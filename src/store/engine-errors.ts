import { EnvironmentError, messageOf } from '../errors.ts'

/** Why the embedded database in `folder` does not open, with the remedy. */
export function engineError(error: unknown, folder: string): EnvironmentError {
  const fields = { place: folder, cause: error }
  if (isDiskFull(error))
    return new EnvironmentError('no space left on the disk', {
      ...fields,
      remedy:
        'free some space (a new database takes 60 MB) or use --data OTHER; what was saved before is kept',
    })
  return new EnvironmentError(`the embedded database does not open: ${messageOf(error)}`, {
    ...fields,
    remedy: 'restore the folder from a backup, or move it away to begin anew',
  })
}

/** Emscripten's file system throws plain objects with the numbers of WASI. */
function isDiskFull(error: unknown): boolean {
  const WASI_NOSPC = 51
  if (typeof error === 'object' && error !== null && 'errno' in error && error.errno === WASI_NOSPC)
    return true
  return /no space left/i.test(messageOf(error))
}
