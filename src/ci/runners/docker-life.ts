import type Docker from 'dockerode'
import { RunnerUnavailableError } from '../../errors.ts'
import { isRoot } from '../layers.ts'
import { type GroupView, groupsOf } from './cgroup.ts'
import { asking } from './docker-client.ts'
import { startTimeOf } from './owner.ts'

/** A running container, seen from this machine. */
export interface ContainerLife {
  readonly isAlive: () => boolean
  /** Ends every process of the container but its first, which is ours. */
  readonly killRest: () => Promise<void>
  readonly memoryKills: () => number
  readonly usage: GroupView['usage']
}

interface Run {
  readonly pid: number
  readonly started: string
  readonly group: GroupView
}

/**
 * Root ends processes from outside. An ordinary user has the daemon start the container anew, which keeps all files: a kill
 * from inside needs a process, which a fork bomb would not leave.
 */
export async function watchContainer(container: Docker.Container): Promise<ContainerLife> {
  let run = await currentRun(container)
  let before = { kills: 0, cpuMs: 0, peakMemoryMiB: 0 }
  let restarting: Promise<void> | undefined
  const isAlive = (): boolean => startTimeOf(run.pid) === run.started

  const restart = async (): Promise<void> => {
    before = totals(before, run.group)
    await asking('the container could not be started again', () => container.restart({ t: 0 }))
    run = await currentRun(container)
  }
  return {
    isAlive: () => restarting !== undefined || isAlive(),
    async killRest() {
      if (restarting) return restarting
      if (!isAlive() || run.group.members().length === 0) return
      if (isRoot()) return run.group.killAll()
      restarting = restart().finally(() => {
        restarting = undefined
      })
      return restarting
    },
    memoryKills: () => before.kills + run.group.memoryKills(),
    usage: () => {
      const now = run.group.usage()
      return {
        cpuMs: now.cpuMs === null ? null : before.cpuMs + now.cpuMs,
        peakMemoryMiB: now.peakMemoryMiB === null ? null : Math.max(before.peakMemoryMiB, now.peakMemoryMiB),
      }
    },
  }
}

async function currentRun(container: Docker.Container): Promise<Run> {
  const { State } = await asking('the container cannot be looked at', () => container.inspect())
  const started = startTimeOf(State.Pid)
  if (!State.Running || started === undefined)
    throw new RunnerUnavailableError('docker: the container does not run on this machine', {
      remedy: 'use a daemon on this machine',
    })
  return { pid: State.Pid, started, group: groupsOf(State.Pid) }
}

interface Totals {
  readonly kills: number
  readonly cpuMs: number
  readonly peakMemoryMiB: number
}

function totals(before: Totals, group: GroupView): Totals {
  const { cpuMs, peakMemoryMiB } = group.usage()
  return {
    kills: before.kills + group.memoryKills(),
    cpuMs: before.cpuMs + (cpuMs ?? 0),
    peakMemoryMiB: Math.max(before.peakMemoryMiB, peakMemoryMiB ?? 0),
  }
}
