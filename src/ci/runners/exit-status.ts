import { constants } from 'node:os'

/** Signals that end a process unless it asked otherwise. */
const FATAL: readonly NodeJS.Signals[] = [
  'SIGHUP',
  'SIGINT',
  'SIGQUIT',
  'SIGILL',
  'SIGTRAP',
  'SIGABRT',
  'SIGBUS',
  'SIGFPE',
  'SIGKILL',
  'SIGUSR1',
  'SIGSEGV',
  'SIGUSR2',
  'SIGPIPE',
  'SIGALRM',
  'SIGTERM',
  'SIGXCPU',
  'SIGXFSZ',
  'SIGSYS',
]
const BY_CODE: ReadonlyMap<number, string> = new Map(
  FATAL.map((name) => [128 + constants.signals[name], name]),
)

/**
 * Bubblewrap and Docker, like shells, say 128 + n of a process that signal n ended; so do we, and a program that exits with
 * such a code itself is taken at its word.
 */
export function exitStatusOf(code: number): {
  readonly exitCode: number | null
  readonly signal: string | null
} {
  const signal = BY_CODE.get(code) ?? null
  return { exitCode: signal === null ? code : null, signal }
}
