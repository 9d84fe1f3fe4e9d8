import { spawn } from 'node:child_process'
import { EnvironmentError } from '../errors.ts'

export interface GitRequest {
  readonly cwd: string
  readonly args: readonly string[]
  readonly input?: Buffer | string
  readonly env?: Readonly<Record<string, string>>
}

export interface GitResult {
  readonly exitCode: number
  readonly stdout: Buffer
  readonly stderr: string
}

/**
 * Runs git with nobody's configuration, hooks, prompts or file-system monitor: repositories are hostile.
 * A failing command is a value; a missing git is an EnvironmentError.
 */
export function runGit(request: GitRequest): Promise<GitResult> {
  return new Promise((resolve, reject) => {
    const child = spawn(
      'git',
      ['-c', 'core.hooksPath=/dev/null', '-c', 'core.fsmonitor=false', ...request.args],
      {
        cwd: request.cwd,
        env: {
          PATH: '/usr/local/bin:/usr/bin:/bin',
          HOME: '/nonexistent',
          LC_ALL: 'C',
          GIT_CONFIG_NOSYSTEM: '1',
          GIT_CONFIG_GLOBAL: '/dev/null',
          GIT_TERMINAL_PROMPT: '0',
          GIT_CONFIG_COUNT: '1',
          GIT_CONFIG_KEY_0: 'safe.directory',
          GIT_CONFIG_VALUE_0: '*',
          ...request.env,
        },
        stdio: ['pipe', 'pipe', 'pipe'],
      },
    )
    const stdout: Buffer[] = []
    const stderr: Buffer[] = []
    child.stdout.on('data', (chunk: Buffer) => stdout.push(chunk))
    child.stderr.on('data', (chunk: Buffer) => stderr.push(chunk))
    child.on('error', (cause) =>
      reject(
        new EnvironmentError('git could not be started', { remedy: 'install git 2.30 or newer', cause }),
      ),
    )
    // A command that ends before it has read its input is judged by its exit code.
    child.stdin.on('error', () => undefined)
    child.on('close', (code) =>
      resolve({
        exitCode: code ?? 128,
        stdout: Buffer.concat(stdout),
        stderr: Buffer.concat(stderr).toString('utf8'),
      }),
    )
    child.stdin.end(request.input ?? '')
  })
}

/** Like runGit, for commands that must succeed. Throws EnvironmentError with git's own words. */
export async function git(
  cwd: string,
  args: readonly string[],
  more: Omit<GitRequest, 'cwd' | 'args'> = {},
): Promise<Buffer> {
  const result = await runGit({ cwd, args, ...more })
  if (result.exitCode !== 0)
    throw new EnvironmentError(`git ${args[0]} failed: ${result.stderr.trim().split('\n')[0] ?? ''}`, {
      place: cwd,
    })
  return result.stdout
}
