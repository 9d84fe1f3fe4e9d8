import { type ExecRequest, IO_INSIDE } from './port.ts'

/** Bytes of /dev/shm, which counts as the sandbox's memory. */
export const SHM_BYTES = 256 * 1024 * 1024

/**
 * Inside, as the sandbox's user, in both kinds of sandbox: when memory runs out, the kernel takes the step before anything
 * of ours; a folder that is missing or a command that is not there is the
 * step's failure (126, 127), never the sandbox's.
 */
const ENTER = 'umask 022; echo 500 > /proc/self/oom_score_adj; cd -- "$1" || exit 126; shift; exec "$@"'

export const insideArgv = (request: Pick<ExecRequest, 'argv' | 'cwd'>): readonly string[] => [
  '/bin/sh',
  '-c',
  ENTER,
  'sh',
  request.cwd,
  ...request.argv,
]

/** What no process can take as argument or environment; the step fails before it starts. */
export function refusal(request: Pick<ExecRequest, 'argv' | 'cwd' | 'env'>): string | null {
  const strings = [request.cwd, ...request.argv, ...Object.entries(request.env).flat()]
  if (strings.some((text) => text.includes('\0'))) return 'an argument or variable holds a NUL byte'
  if (Object.keys(request.env).some((name) => name === '' || name.includes('=')))
    return 'a variable has no name, or one with an equals sign'
  // The kernel's limit of one string, with room for the name.
  if (strings.some((text) => Buffer.byteLength(text) > 127 * 1024))
    return 'an argument or variable is too long'
  const total = strings.reduce((sum, text) => sum + Buffer.byteLength(text) + 9, 0)
  return total > 1024 * 1024 ? 'the arguments and variables are too long together' : null
}

/**
 * Bubblewrap's options, but for the environment: everything read-only but home, /tmp and io; no capability; no network, or
 * with `keepsNetwork` that of the namespace in which it is started.
 */
export function bubblewrapOptions(
  uid: number,
  canDisableUserns: boolean,
  keepsNetwork: boolean,
): readonly string[] {
  return [
    '--unshare-all',
    ...(keepsNetwork ? ['--share-net'] : []),
    '--unshare-user',
    ...(canDisableUserns ? ['--disable-userns'] : []),
    ...['--uid', String(uid), '--gid', String(uid)],
    ...['--hostname', 'runner'],
    '--die-with-parent',
    '--new-session',
    ...['--cap-drop', 'ALL'],
    ...['--ro-bind', '/in', '/'],
    ...['--proc', '/proc'],
    ...['--dev', '/dev'],
    ...['--size', String(SHM_BYTES), '--tmpfs', '/dev/shm'],
    ...['--bind', '/area/home', '/home/runner'],
    ...['--bind', '/area/tmp', '/tmp'],
    ...['--bind', '/io', IO_INSIDE],
    ...['--remount-ro', '/dev'],
    '--clearenv',
  ]
}

/** The environment as options, NUL-separated for --args, so that it shows in no process list. */
export const environmentArgs = (env: Readonly<Record<string, string>>): string =>
  Object.entries(env)
    .map(([name, value]) => `--setenv\0${name}\0${value}\0`)
    .join('')
