import { existsSync, readFileSync } from 'node:fs'
import { release } from 'node:os'
import type { Runner, RunnerProbe } from './port.ts'
import { runTool } from './run-tool.ts'
import { trySandbox } from './try-sandbox.ts'

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
  const tried = await trySandbox(runner, workFolder, id)
  const nested = found.canDisableUserns
    ? ''
    : '; nested user namespaces stay open (bubblewrap 0.8 closes them)'
  const detail = `bubblewrap ${found.version}: ${tried.detail}${tried.ok ? nested : ''}`
  return { ...tried, detail, remedy: tried.ok ? null : remedyNow() }
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
