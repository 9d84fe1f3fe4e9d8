import { join } from 'node:path'
import { InputError, RunnerUnavailableError } from '../../errors.ts'
import type { EnforcedLimit } from '../../schema/ci-run.ts'
import { copyLayer } from '../layers.ts'
import type { BubblewrapFacts } from './bubblewrap-probe.ts'
import { runStepProcess } from './bubblewrap-step.ts'
import type { ControlGroup } from './cgroup.ts'
import { exitStatusOf } from './exit-status.ts'
import type { Holder } from './holder.ts'
import { oneAtATime } from './one-at-a-time.ts'
import { createCappedOutput } from './output.ts'
import {
  type ExecRequest,
  type ExecResult,
  type Limits,
  networkLimit,
  type Sandbox,
  type SandboxSpec,
} from './port.ts'
import { CORE_BYTES, openFiles } from './process-limits.ts'
import { refused } from './refused.ts'
import { bubblewrapOptions, environmentArgs, insideArgv, refusal } from './step-command.ts'
import { writeTree } from './write-tree.ts'

export interface BubblewrapSandboxParts {
  readonly spec: SandboxSpec
  readonly holder: Holder
  /** Null for an ordinary user. */
  readonly group: ControlGroup | null
  readonly uid: number
  readonly asRoot: boolean
  readonly facts: BubblewrapFacts
  /** Null when nothing limits the top layer. */
  readonly diskMiB: number | null
  /** Path of the network namespace of a sandbox that may fetch; null has none but its own loopback. */
  readonly network: string | null
  readonly close: () => Promise<void>
}

/**
 * Joins the control groups, closes what this process has inherited from whoever started it, then becomes the command; all
 * by one process, so the command's end is this one's.
 */
const JOIN = `
while [ "$1" != -- ]; do echo $$ > "$1" || exit 125; shift; done
shift
for fd in /proc/self/fd/*; do fd=\${fd##*/}; [ "$fd" -le 4 ] || eval "exec $fd>&-"; done
exec "$@"
`

export function createBubblewrapSandbox(parts: BubblewrapSandboxParts): Sandbox {
  const { holder, spec, group } = parts
  let isOpen = true
  const turns = oneAtATime()
  const assertOpen = (): void => {
    if (!isOpen) throw new InputError(`sandbox ${spec.id} is closed`)
    if (!holder.isAlive())
      throw new RunnerUnavailableError(`the holder of sandbox ${spec.id} was ended from outside`)
  }
  return {
    limits: limitsOf(parts),
    exec: (request) =>
      turns(async () => {
        assertOpen()
        return execIn(parts, request)
      }),
    writeFiles: (changes) =>
      turns(async () => {
        assertOpen()
        const repo = join('home', 'work', spec.repoName, spec.repoName)
        await writeTree(holder.path('/area'), repo, changes, parts.asRoot ? parts.uid : null)
      }),
    snapshot: (folder) =>
      turns(async () => {
        assertOpen()
        await copyLayer(holder.path('/top/up'), folder)
      }),
    usage: async () => group?.usage() ?? { cpuMs: null, peakMemoryMiB: null },
    close: () =>
      turns(async () => {
        isOpen = false
        await parts.close()
      }),
  }
}

async function execIn(parts: BubblewrapSandboxParts, request: ExecRequest): Promise<ExecResult> {
  const problem = refusal(request)
  if (problem !== null) return refused(problem)
  request.signal?.throwIfAborted()
  const { group, holder } = parts
  const killsBefore = group?.memoryKills() ?? 0
  const started = performance.now()
  const collected = createCappedOutput(request.outputBytes)
  const end = await runStepProcess({
    command: commandOf(parts, request),
    args: environmentArgs(request.env),
    outputPipe: holder.path('/output'),
    timeoutMs: request.timeoutMs,
    signal: request.signal,
    onOutput: (chunk) => {
      collected.push(chunk)
      request.onOutput?.(chunk)
    },
    killRest: async () => group?.killAll(),
  }).catch((cause: unknown) => {
    throw new RunnerUnavailableError('the step could not be started or ended', {
      place: parts.spec.id,
      cause,
    })
  })
  request.signal?.throwIfAborted()
  const { output, droppedBytes } = collected.read()
  const outOfMemory = (group?.memoryKills() ?? 0) > killsBefore
  if (!end.started && !end.timedOut && !outOfMemory) {
    const words = output.toString('utf8').trim().split('\n').at(-1) ?? ''
    throw new RunnerUnavailableError(
      `the sandbox could not start a step: ${words || `exit code ${end.code}`}`,
      {
        place: parts.spec.id,
      },
    )
  }
  const wasKilled = end.timedOut || end.code === null || !end.started
  return {
    ...(wasKilled ? { exitCode: null, signal: 'SIGKILL' } : exitStatusOf(end.code)),
    output,
    droppedBytes,
    timedOut: end.timedOut,
    outOfMemory,
    durationMs: performance.now() - started,
  }
}

function commandOf(parts: BubblewrapSandboxParts, request: ExecRequest): readonly string[] {
  const { holder, uid, asRoot, group, facts, spec, network } = parts
  const enter = [
    'nsenter',
    '--target',
    String(holder.pid),
    ...(asRoot ? ['--mount'] : ['--user', '--mount', '--preserve-credentials']),
    ...(network === null ? [] : [`--net=${network}`]),
  ]
  const drop = ['setpriv', `--reuid=${uid}`, `--regid=${uid}`, '--clear-groups']
  const bare = ['--inh-caps=-all', '--bounding-set=-all', '--no-new-privs']
  return [
    ...['/bin/bash', '-c', JOIN, 'join', ...(group?.procsFiles ?? []), '--'],
    ...[...enter, '--'],
    ...['prlimit', ...processLimits(asRoot ? null : spec.limits), '--'],
    ...(asRoot ? [...drop, ...bare, '--'] : []),
    ...['bwrap', ...bubblewrapOptions(uid, facts.canDisableUserns, network !== null)],
    ...['--json-status-fd', '3', '--args', '4', '--'],
    ...insideArgv(request),
  ]
}

/** `limits`: only where no control group holds them. */
function processLimits(limits: Limits | null): readonly string[] {
  const common = [`--core=${CORE_BYTES}`, `--nofile=${openFiles()}`]
  if (limits === null) return common
  return [...common, `--data=${limits.memoryMiB * 1024 * 1024}`, `--nproc=${limits.pids}`]
}

function limitsOf(parts: BubblewrapSandboxParts): readonly EnforcedLimit[] {
  const { limits } = parts.spec
  const byUser: readonly EnforcedLimit[] = [
    // Each process is held to it, all together are not.
    { limit: 'memory', value: `${limits.memoryMiB} MiB a process`, by: 'none' },
    { limit: 'pids', value: String(limits.pids), by: 'rlimit' },
    { limit: 'cpus', value: String(limits.cpus), by: 'none' },
  ]
  return [
    ...(parts.group?.limits ?? byUser),
    { limit: 'disk', value: `${limits.diskMiB} MiB`, by: parts.diskMiB === null ? 'none' : 'tmpfs' },
    { limit: 'network', value: networkLimit(parts.spec), by: 'namespace' },
    { limit: 'time', value: 'per step', by: 'runner' },
    { limit: 'output', value: 'per step', by: 'runner' },
  ]
}
