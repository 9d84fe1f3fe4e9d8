import { EnvironmentError, messageOf } from '../errors.ts'
import { codeOf } from './disk-errors.ts'

const FULL_DISK = '53100'

/** Classes of SQLSTATE, and codes of sockets, that say the server, the network or the machine broke and not our SQL. */
const BROKEN_WORLD = /^(08|28|3D|53|57P|58|XX|E[A-Z])/

const BROKEN_CONNECTION = /terminated|timeout|closed|not queryable|unreachable/i

/**
 * What a driver threw, as EnvironmentError with place and remedy when the world broke; any other error (a violated
 * constraint, a mistake in SQL) comes back as it is.
 */
export function databaseError(error: unknown, place: string): unknown {
  if (error instanceof EnvironmentError) return error
  const code = codeOf(error)
  if (code === FULL_DISK || code === 'ENOSPC' || /no space left/i.test(messageOf(error))) {
    return new EnvironmentError('no space left on the disk of the database', {
      place,
      remedy: 'free some space; what was saved before is kept',
      cause: error,
    })
  }
  const broken = code === undefined ? BROKEN_CONNECTION.test(messageOf(error)) : BROKEN_WORLD.test(code)
  if (!broken) return error
  return new EnvironmentError(messageOf(error) || code || 'no answer', {
    place,
    remedy: 'check that the database runs and takes this user (DATABASE_URL)',
    cause: error,
  })
}
