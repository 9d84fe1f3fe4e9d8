import { setTimeout as delay } from 'node:timers/promises'
import type Docker from 'dockerode'
import { RunnerUnavailableError } from '../../errors.ts'
import { isRoot } from '../layers.ts'
import type { GroupView } from './cgroup.ts'
import { asking } from './docker-client.ts'

const PATIENCE_MS = 10_000

/**
 * Ends all processes of a container but its first. Root does it from outside; an ordinary user asks the daemon to run `kill`
 * as the sandbox's user, which ends all of that user at once.
 */
export function createContainerKiller(
  container: Docker.Container,
  group: GroupView,
  user: string,
  isAlive: () => boolean,
): () => Promise<void> {
  if (isRoot()) return () => group.killAll()
  return async () => {
    const deadline = performance.now() + PATIENCE_MS
    while (isAlive() && group.members().length > 0) {
      if (performance.now() > deadline) throw new RunnerUnavailableError('docker: a process does not die')
      const exec = await asking('what a step left could not be ended', () =>
        container.exec({ Cmd: ['/bin/sh', '-c', 'kill -9 -1'], User: user, WorkingDir: '/' }),
      )
      await asking('what a step left could not be ended', () => exec.start({ Detach: true }))
      // The killing process itself is a member until it has ended.
      await delay(5)
    }
  }
}
