import { spawn } from 'node:child_process'
import { EnvironmentError } from '../errors.ts'

export interface PatchGitRequest {
  /** The repository that is read. */
  readonly gitDir: string
  /** A folder of the caller's, which holds the index and the new objects; without it nothing can be written. */
  readonly scratch?: string
  readonly args: readonly string[]
  readonly input?: Buffer
}

export interface PatchGitResult {
  readonly exitCode: number
  readonly stdout: Buffer
  readonly stderr: string
}

/** Milliseconds that one command may take: a diff that needs more is hostile. */
const TIMEOUT_MS = 60_000

const writingTo = (scratch: string, gitDir: string): Record<string, string> => ({
  GIT_WORK_TREE: scratch,
  GIT_INDEX_FILE: `${scratch}/index`,
  GIT_OBJECT_DIRECTORY: `${scratch}/objects`,
  GIT_ALTERNATE_OBJECT_DIRECTORIES: `${gitDir}/objects`,
})

/**
 * Runs git over a repository that is never written: index and new objects go to `scratch`. Nobody's configuration, hooks
 * or prompts are used, and one allocation is bounded, since a binary delta may ask for gigabytes.
 * A failing command is a value; a missing git is an EnvironmentError.
 */
export function runPatchGit(request: PatchGitRequest): Promise<PatchGitResult> {
  const { gitDir, scratch } = request
  return new Promise((resolve, reject) => {
    const child = spawn(
      'git',
      ['-c', 'core.hooksPath=/dev/null', '-c', 'core.fsmonitor=false', ...request.args],
      {
        cwd: scratch ?? gitDir,
        timeout: TIMEOUT_MS,
        killSignal: 'SIGKILL',
        env: {
          PATH: '/usr/local/bin:/usr/bin:/bin',
          HOME: '/nonexistent',
          LC_ALL: 'C',
          GIT_CONFIG_NOSYSTEM: '1',
          GIT_CONFIG_GLOBAL: '/dev/null',
          GIT_ATTR_NOSYSTEM: '1',
          GIT_TERMINAL_PROMPT: '0',
          GIT_ALLOC_LIMIT: '256m',
          GIT_DIR: gitDir,
          ...(scratch === undefined ? {} : writingTo(scratch, gitDir)),
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
    child.stdin.end(request.input ?? Buffer.alloc(0))
  })
}
