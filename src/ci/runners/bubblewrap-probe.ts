import { existsSync, readFileSync } from 'node:fs'
import { mkdir, mkdtemp } from 'node:fs/promises'
import { release } from 'node:os'
import { join } from 'node:path'
import { messageOf } from '../../errors.ts'
import { removeTree } from '../remove-tree.ts'
import type { Toolchains } from '../toolchains.ts'
import type { Runner, RunnerProbe } from './port.ts'
import { unmergedFolders } from './root-folder.ts'
import { runTool } from './run-tool.ts'

export interface BubblewrapFacts {
  /** Null when bubblewrap is not installed. */
  readonly version: string | null
  readonly canDisableUserns: boolean
  /** Since Linux 6.6: an ordinary user's overlay can have its top layer on a sized tmpfs. */
  readonly tmpfsTakesUserXattrs: boolean
}

let facts: Promise<BubblewrapFacts> | undefined

/** What the installed bubblewrap and kernel can do; found once a process. */
export function bubblewrapFacts(): Promise<BubblewrapFacts> {
  facts ??= findFacts()
  return facts
}

async function findFacts(): Promise<BubblewrapFacts> {
  const version = await runTool('bwrap', ['--version'])
  const help = await runTool('bwrap', ['--help'])
  const [major = 0, minor = 0] = release().split('.').map(Number)
  return {
    version: version.exitCode === 0 ? (/\d+(\.\d+)+/.exec(version.output)?.[0] ?? '') : null,
    canDisableUserns: help.output.includes('--disable-userns'),
    tmpfsTakesUserXattrs: major > 6 || (major === 6 && minor >= 6),
  }
}

const SYSTEM_ONLY: Toolchains = {
  binds: ['/usr', ...unmergedFolders()].map((path) => ({ host: path, inside: path })),
  path: ['/usr/bin', '/bin'],
  env: {},
  tools: {},
  digest: 'probe',
}

/** Opens a small sandbox and runs one command in it: what cannot be done then has its reason and remedy. */
export async function probeBubblewrap(runner: Runner, workFolder: string, id: string): Promise<RunnerProbe> {
  const found = await bubblewrapFacts()
  if (found.version === null)
    return {
      ok: false,
      detail: 'bubblewrap is not installed',
      remedy: 'apt-get install bubblewrap',
      limits: [],
    }
  await mkdir(workFolder, { recursive: true })
  const scratch = await mkdtemp(join(workFolder, 'probe-'))
  try {
    const [io, tools] = [join(scratch, 'io'), join(scratch, 'tools')]
    await mkdir(io)
    await mkdir(tools)
    const limits = { memoryMiB: 256, pids: 64, cpus: 1, diskMiB: 16 }
    const sandbox = await runner.open({
      id,
      layers: [],
      repoName: 'probe',
      toolchains: SYSTEM_ONLY,
      tools,
      io,
      limits,
    })
    try {
      const end = await sandbox.exec({
        argv: ['/usr/bin/true'],
        env: {},
        cwd: '/',
        timeoutMs: 20_000,
        outputBytes: 4096,
      })
      const ok = end.exitCode === 0
      const by = sandbox.limits.map(({ limit, by }) => `${limit} by ${by}`).join(', ')
      const nested = found.canDisableUserns
        ? ''
        : '; nested user namespaces are not closed, which bubblewrap 0.8 can'
      return {
        ok,
        detail: ok
          ? `bubblewrap ${found.version}: ${by}${nested}`
          : `bubblewrap ${found.version}: the trial step failed`,
        remedy: null,
        limits: sandbox.limits,
      }
    } finally {
      await sandbox.close()
    }
  } catch (error) {
    return { ok: false, detail: messageOf(error), remedy: remedyNow(), limits: [] }
  } finally {
    await removeTree(scratch)
  }
}

/** Why user namespaces may be closed here, and what opens them. */
function remedyNow(): string | null {
  const read = (file: string): string => (existsSync(file) ? readFileSync(file, 'utf8').trim() : '')
  if (read('/proc/sys/kernel/apparmor_restrict_unprivileged_userns') === '1')
    return 'AppArmor forbids user namespaces here: sysctl -w kernel.apparmor_restrict_unprivileged_userns=0, or use Docker'
  if (read('/proc/sys/kernel/unprivileged_userns_clone') === '0')
    return 'user namespaces are switched off: sysctl -w kernel.unprivileged_userns_clone=1, or use Docker'
  if (read('/proc/sys/user/max_user_namespaces') === '0')
    return 'user namespaces are switched off: sysctl -w user.max_user_namespaces=15000, or use Docker'
  if (existsSync('/.dockerenv') || existsSync('/run/.containerenv'))
    return 'a container may not make namespaces: run on the host, or start the container with --privileged'
  return 'use Docker, or a machine whose kernel lets this user make namespaces'
}
