import { execFileSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { ExecResult, Limits, Runner, Sandbox, SandboxSpec } from '../../../src/ci/runners/port.ts'
import { HOME_INSIDE, repoInLayer, repoInside } from '../../../src/ci/runners/port.ts'
import { findToolchains } from '../../../src/ci/toolchains.ts'

export const REPO = repoInside('demo')
export const LIMITS: Limits = { memoryMiB: 256, pids: 64, cpus: 1, diskMiB: 64 }

/** The distribution's own tools: enough for what the tests run. */
const toolchains = await findToolchains({ path: '/usr/bin:/bin', home: '/nonexistent' })

export interface Opened {
  readonly sandbox: Sandbox
  readonly spec: SandboxSpec
  /** Runs a script by bash in the repository. */
  sh(script: string, more?: ShellOptions): Promise<ExecResult & { readonly text: string }>
}

export interface ShellOptions {
  readonly env?: Readonly<Record<string, string>>
  readonly cwd?: string
  readonly timeoutMs?: number
  readonly outputBytes?: number
  readonly signal?: AbortSignal
  readonly onOutput?: (chunk: Buffer) => void
}

export interface Bench {
  readonly runner: Runner
  readonly folder: string
  readonly workFolder: string
  /** A layer with a committed repository of these files. */
  layer(files: Readonly<Record<string, string>>): string
  open(layers: readonly string[], limits?: Partial<Limits>, id?: string): Promise<Opened>
  /** Closes what is open, and checks that nothing is left on the machine. */
  close(): Promise<void>
}

/** A folder of its own with a runner in it. */
export function createBench(makeRunner: (workFolder: string) => Runner): Bench {
  // With what a table of mounts, a shell and a pattern would each misread.
  const folder = mkdtempSync(join(tmpdir(), 'arena runner #1\\040*-'))
  const workFolder = join(folder, 'work')
  const runner = makeRunner(workFolder)
  const opened: Sandbox[] = []
  return {
    runner,
    folder,
    workFolder,
    layer: (files) => makeLayer(join(folder, `layer-${randomUUID()}`), files),
    async open(layers, limits = {}, id = randomUUID()) {
      const [io, tools] = [join(folder, `io-${id}`), join(folder, 'tools')]
      for (const path of [io, tools]) mkdirSync(path, { recursive: true })
      const spec: SandboxSpec = {
        id,
        layers,
        repoName: 'demo',
        toolchains,
        tools,
        io,
        limits: { ...LIMITS, ...limits },
      }
      const sandbox = await runner.open(spec)
      opened.push(sandbox)
      return { sandbox, spec, sh: (script, more) => runScript(sandbox, script, more) }
    },
    async close() {
      for (const sandbox of opened) await sandbox.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

async function runScript(
  sandbox: Sandbox,
  script: string,
  more: ShellOptions = {},
): Promise<ExecResult & { readonly text: string }> {
  const { env, ...rest } = more
  const result = await sandbox.exec({
    argv: ['/bin/bash', '--noprofile', '--norc', '-c', script],
    env: { PATH: '/opt/python/bin:/usr/bin:/bin', HOME: HOME_INSIDE, LC_ALL: 'C', ...env },
    cwd: REPO,
    timeoutMs: 30_000,
    outputBytes: 64 * 1024,
    ...rest,
  })
  return { ...result, text: result.output.toString('utf8').trim() }
}

function makeLayer(layer: string, files: Readonly<Record<string, string>>): string {
  const repo = join(layer, repoInLayer('demo'))
  mkdirSync(join(layer, 'tmp'), { recursive: true })
  mkdirSync(repo, { recursive: true })
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(repo, path)), { recursive: true })
    writeFileSync(join(repo, path), text)
  }
  const git = (...args: string[]): void => {
    execFileSync('git', ['-c', 'user.name=Example', '-c', 'user.email=example@example.invalid', ...args], {
      cwd: repo,
      env: { PATH: process.env.PATH, GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_NOSYSTEM: '1' },
      stdio: 'ignore',
    })
  }
  git('init', '--quiet', '--initial-branch=main')
  git('add', '--all')
  git('commit', '--quiet', '--allow-empty', '--message=base')
  return layer
}

/** What of a sandbox can be seen on the machine: folders, mounts, control groups. */
export function tracesOf(bench: Bench, id: string): readonly string[] {
  const folders = readdirSync(bench.workFolder).filter((name) => name.endsWith(id))
  const mounts = readFileSync('/proc/self/mountinfo', 'utf8')
    .split('\n')
    .filter((line) => line.includes(id))
  const groups = readFileSync('/proc/self/mountinfo', 'utf8')
    .split('\n')
    .filter((line) => line.includes(' - cgroup'))
    .flatMap((line) => readdirSync(line.split(' ')[4] ?? '/nonexistent').filter((name) => name.endsWith(id)))
  return [...folders, ...mounts, ...groups]
}
