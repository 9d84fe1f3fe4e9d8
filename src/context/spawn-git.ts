import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { EnvironmentError } from '../errors.ts'

/**
 * Starts git over a repository that is only read, with nobody's configuration, hooks, prompts or file-system monitor:
 * repositories are hostile. Replacements are not followed and nothing is fetched: an object is what its name says.
 */
export function startGit(repository: string, args: readonly string[]): ChildProcessWithoutNullStreams {
  return spawn('git', ['-c', 'core.hooksPath=/dev/null', '-c', 'core.fsmonitor=false', ...args], {
    cwd: repository,
    env: {
      PATH: '/usr/local/bin:/usr/bin:/bin',
      HOME: '/nonexistent',
      LC_ALL: 'C',
      GIT_CONFIG_NOSYSTEM: '1',
      GIT_CONFIG_GLOBAL: '/dev/null',
      GIT_ATTR_NOSYSTEM: '1',
      GIT_TERMINAL_PROMPT: '0',
      GIT_NO_REPLACE_OBJECTS: '1',
      GIT_NO_LAZY_FETCH: '1',
      GIT_OPTIONAL_LOCKS: '0',
      GIT_CONFIG_COUNT: '1',
      GIT_CONFIG_KEY_0: 'safe.directory',
      GIT_CONFIG_VALUE_0: '*',
    },
  })
}

/** The whole output of a git command that must succeed. Throws EnvironmentError with git's own words. */
export function readGit(repository: string, args: readonly string[]): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const child = startGit(repository, args)
    const out: Buffer[] = []
    const err: Buffer[] = []
    child.stdout.on('data', (chunk: Buffer) => out.push(chunk))
    child.stderr.on('data', (chunk: Buffer) => err.push(chunk))
    child.on('error', (cause) =>
      reject(
        new EnvironmentError('git could not be started', { remedy: 'install git 2.30 or newer', cause }),
      ),
    )
    child.on('close', (code) => {
      if (code === 0) return resolve(Buffer.concat(out))
      const said = Buffer.concat(err).toString('utf8').trim().split('\n')[0] ?? ''
      reject(new EnvironmentError(`git ${args[0]} failed: ${said}`, { place: repository }))
    })
    child.stdin.end()
  })
}
