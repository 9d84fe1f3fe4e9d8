import { InputError } from '../src/errors.ts'

/**
 * The workflow file says something that cannot be read or evaluated; `place` and `line` name where.
 * While a job runs this is the job's own failure, as on GitHub, not a broken arena.
 */
export class WorkflowError extends InputError {}

/** `path:line: message`, the form of every reason that a plan gives. */
export const reasonAt = (path: string, line: number | undefined, message: string): string =>
  line === undefined ? `${path}: ${message}` : `${path}:${line}: ${message}`
