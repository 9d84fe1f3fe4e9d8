import { join } from 'node:path'
import type Docker from 'dockerode'
import { InputError, RunnerUnavailableError } from '../../errors.ts'
import type { EnforcedLimit } from '../../schema/ci-run.ts'
import { copyLayer, isRoot } from '../layers.ts'
import type { Area } from './docker-area.ts'
import type { ContainerLife } from './docker-life.ts'
import { type DockerStepEnd, runDockerStep } from './docker-step.ts'
import { writeByScript } from './docker-write.ts'
import { exitStatusOf } from './exit-status.ts'
import { oneAtATime } from './one-at-a-time.ts'
import { createCappedOutput } from './output.ts'
import type { ExecRequest, ExecResult, Sandbox, SandboxSpec } from './port.ts'
import { refused } from './refused.ts'
import { refusal } from './step-command.ts'
import { writeTree } from './write-tree.ts'

export interface DockerSandboxParts {
  readonly spec: SandboxSpec
  readonly container: Docker.Container
  readonly life: ContainerLife
  readonly uid: number
  readonly area: Area
  readonly limits: readonly EnforcedLimit[]
  readonly close: () => Promise<void>
}

export function createDockerSandbox(parts: DockerSandboxParts): Sandbox {
  const { spec, uid } = parts
  let isOpen = true
  const turns = oneAtATime()
  const inTurn = <T>(work: () => Promise<T>): Promise<T> =>
    turns(async () => {
      if (!isOpen) throw new InputError(`sandbox ${spec.id} is closed`)
      assertAlive(parts)
      return work()
    })
  return {
    limits: parts.limits,
    exec: (request) => inTurn(() => execIn(parts, request)),
    writeFiles: (changes) =>
      inTurn(async () => {
        const repo = join('work', spec.repoName, spec.repoName)
        if (parts.area.merged === null)
          return writeByScript(spec, changes, (request) => execIn(parts, request))
        return writeTree(parts.area.merged, join('home', repo), changes, isRoot() ? uid : null)
      }),
    snapshot: (folder) => inTurn(() => copyLayer(parts.area.top, folder)),
    usage: async () => parts.life.usage(),
    close: () =>
      turns(async () => {
        isOpen = false
        await parts.close()
      }),
  }
}

function assertAlive({ life, spec }: DockerSandboxParts): void {
  if (!life.isAlive())
    throw new RunnerUnavailableError(`docker: the container of sandbox ${spec.id} was ended from outside`)
}

async function execIn(parts: DockerSandboxParts, request: ExecRequest): Promise<ExecResult> {
  const problem = refusal(request)
  if (problem !== null) return refused(problem)
  request.signal?.throwIfAborted()
  const killsBefore = parts.life.memoryKills()
  const started = performance.now()
  const collected = createCappedOutput(request.outputBytes)
  const end = await runDockerStep({
    container: parts.container,
    user: `${parts.uid}:${parts.uid}`,
    request,
    onOutput: (chunk) => {
      collected.push(chunk)
      request.onOutput?.(chunk)
    },
    killRest: parts.life.killRest,
  })
  request.signal?.throwIfAborted()
  assertAlive(parts)
  return {
    ...statusOf(end),
    ...collected.read(),
    timedOut: end.timedOut,
    outOfMemory: parts.life.memoryKills() > killsBefore,
    durationMs: performance.now() - started,
  }
}

const statusOf = (end: DockerStepEnd): Pick<ExecResult, 'exitCode' | 'signal'> =>
  end.timedOut ? { exitCode: null, signal: 'SIGKILL' } : exitStatusOf(end.code)
