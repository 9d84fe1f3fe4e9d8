import { join } from 'node:path'
import type Docker from 'dockerode'
import { InputError, RunnerUnavailableError } from '../../errors.ts'
import type { EnforcedLimit } from '../../schema/ci-run.ts'
import { copyLayer, isRoot } from '../layers.ts'
import { type GroupView, groupsOf } from './cgroup.ts'
import type { Area } from './docker-area.ts'
import { createContainerKiller } from './docker-kill.ts'
import { type DockerStepEnd, runDockerStep } from './docker-step.ts'
import { writeByScript } from './docker-write.ts'
import { exitStatusOf } from './exit-status.ts'
import { oneAtATime } from './one-at-a-time.ts'
import { createCappedOutput } from './output.ts'
import { startTimeOf } from './owner.ts'
import type { ExecRequest, ExecResult, Sandbox, SandboxSpec } from './port.ts'
import { refused } from './refused.ts'
import { refusal } from './step-command.ts'
import { writeTree } from './write-tree.ts'

export interface DockerSandboxParts {
  readonly spec: SandboxSpec
  readonly container: Docker.Container
  /** Id on this machine of the container's first process. */
  readonly pid: number
  readonly uid: number
  readonly area: Area
  readonly limits: readonly EnforcedLimit[]
  readonly close: () => Promise<void>
}

interface Live extends DockerSandboxParts {
  readonly group: GroupView
  readonly user: string
  readonly isAlive: () => boolean
  readonly killRest: () => Promise<void>
}

export function createDockerSandbox(parts: DockerSandboxParts): Sandbox {
  const { spec, uid } = parts
  const started = startTimeOf(parts.pid)
  const group = groupsOf(parts.pid)
  const user = `${uid}:${uid}`
  const isAlive = (): boolean => startTimeOf(parts.pid) === started
  const killRest = createContainerKiller(parts.container, group, user, isAlive)
  const live: Live = { ...parts, group, user, isAlive, killRest }
  let isOpen = true
  const turns = oneAtATime()
  const inTurn = <T>(work: () => Promise<T>): Promise<T> =>
    turns(async () => {
      if (!isOpen) throw new InputError(`sandbox ${spec.id} is closed`)
      assertAlive(live)
      return work()
    })
  return {
    limits: parts.limits,
    exec: (request) => inTurn(() => execIn(live, request)),
    writeFiles: (changes) =>
      inTurn(async () => {
        const repo = join('work', spec.repoName, spec.repoName)
        if (parts.area.merged === null)
          return writeByScript(spec, changes, (request) => execIn(live, request))
        return writeTree(parts.area.merged, join('home', repo), changes, isRoot() ? uid : null)
      }),
    snapshot: (folder) => inTurn(() => copyLayer(parts.area.top, folder)),
    usage: async () => group.usage(),
    close: () =>
      turns(async () => {
        isOpen = false
        await parts.close()
      }),
  }
}

function assertAlive({ isAlive, spec }: Live): void {
  if (!isAlive())
    throw new RunnerUnavailableError(`docker: the container of sandbox ${spec.id} was ended from outside`)
}

async function execIn(live: Live, request: ExecRequest): Promise<ExecResult> {
  const problem = refusal(request)
  if (problem !== null) return refused(problem)
  request.signal?.throwIfAborted()
  const killsBefore = live.group.memoryKills()
  const started = performance.now()
  const collected = createCappedOutput(request.outputBytes)
  const end = await runDockerStep({
    container: live.container,
    user: live.user,
    request,
    onOutput: (chunk) => {
      collected.push(chunk)
      request.onOutput?.(chunk)
    },
    killRest: live.killRest,
  })
  request.signal?.throwIfAborted()
  assertAlive(live)
  return {
    ...statusOf(end),
    ...collected.read(),
    timedOut: end.timedOut,
    outOfMemory: live.group.memoryKills() > killsBefore,
    durationMs: performance.now() - started,
  }
}

const statusOf = (end: DockerStepEnd): Pick<ExecResult, 'exitCode' | 'signal'> =>
  end.timedOut ? { exitCode: null, signal: 'SIGKILL' } : exitStatusOf(end.code)
