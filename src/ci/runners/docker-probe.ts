import type Docker from 'dockerode'
import { messageOf } from '../../errors.ts'
import type { Runner, RunnerProbe } from './port.ts'
import { trySandbox } from './try-sandbox.ts'

/** Asks the daemon, then opens a small sandbox and runs one command in it. */
export async function probeDocker(
  docker: Docker,
  runner: Runner,
  workFolder: string,
  id: string,
): Promise<RunnerProbe> {
  let version: string
  try {
    version = (await docker.version()).Version
  } catch (error) {
    return {
      ok: false,
      detail: `no Docker daemon answers: ${messageOf(error)}`,
      remedy: 'apt-get install docker.io and start it, or set DOCKER_HOST',
      limits: [],
    }
  }
  const tried = await trySandbox(runner, workFolder, id)
  if (tried.ok) return { ...tried, detail: `Docker ${version}: ${tried.detail}` }
  return { ...tried, detail: `Docker ${version}: ${tried.detail}`, remedy: 'use a daemon on this machine' }
}
