import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../..', import.meta.url))

export interface CommandResult {
  readonly exitCode: number | null
  readonly signal: string | null
  readonly stdout: string
  readonly stderr: string
}

export interface RunningCommand {
  readonly pid: number
  readonly result: Promise<CommandResult>
  /** Resolves with everything on standard error as soon as `pattern` stands in it; rejects when the command ends first. */
  waitFor(pattern: RegExp): Promise<string>
}

/** Bundles the command as users get it. */
export async function buildCommand(): Promise<void> {
  const { exitCode, stderr } = await start('node', ['scripts/build.mjs'], {}).result
  if (exitCode !== 0) throw new Error(`the build failed: ${stderr}`)
}

/**
 * Starts `arena` as a process of its own, with only the environment that is given and PATH and HOME. `folder`: where the
 * user is.
 */
export const startArena = (
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
  folder: string = root,
): RunningCommand => start('node', [join(root, 'dist', 'arena.mjs'), ...args], env, folder)

export const runArena = (
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
  folder: string = root,
): Promise<CommandResult> => startArena(args, env, folder).result

function start(
  command: string,
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  folder: string = root,
): RunningCommand {
  const { PATH = '', HOME = '' } = process.env
  const child = spawn(command, args, {
    cwd: folder,
    env: { PATH, HOME, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let stdout = ''
  let stderr = ''
  const watchers = new Set<() => void>()
  child.stdout.on('data', (chunk: Buffer) => {
    stdout += chunk.toString('utf8')
    for (const watch of watchers) watch()
  })
  child.stderr.on('data', (chunk: Buffer) => {
    stderr += chunk.toString('utf8')
    for (const watch of watchers) watch()
  })
  const result = new Promise<CommandResult>((resolve, reject) => {
    child.on('error', reject)
    child.on('close', (exitCode, signal) => resolve({ exitCode, signal, stdout, stderr }))
  })
  return {
    pid: child.pid ?? 0,
    result,
    waitFor: (pattern) =>
      new Promise((resolve, reject) => {
        const watch = (): void => {
          if (!pattern.test(stderr + stdout)) return
          watchers.delete(watch)
          resolve(stderr + stdout)
        }
        watchers.add(watch)
        watch()
        void result.then(() => reject(new Error(`ended before ${pattern}: ${stderr.slice(-2000)}`)))
      }),
  }
}
