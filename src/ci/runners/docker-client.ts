import Docker from 'dockerode'
import { messageOf, RunnerUnavailableError } from '../../errors.ts'

/** Our mark on everything in the daemon; the value of a container's or volume's label is its tag. */
export const LABEL = 'ci-arena.sandbox'

export interface DockerAddress {
  /** Unix socket of the daemon; /var/run/docker.sock when nothing is given. */
  readonly socketPath?: string
  /** As in DOCKER_HOST: `unix:///path` or `tcp://host:port`. */
  readonly host?: string
}

export function connectDocker(address: DockerAddress): Docker {
  const socket = address.socketPath ?? /^unix:\/\/(.+)$/.exec(address.host ?? '')?.[1]
  if (socket !== undefined || address.host === undefined)
    return new Docker({ socketPath: socket ?? '/var/run/docker.sock' })
  const url = new URL(address.host.replace(/^tcp:/, 'http:'))
  return new Docker({
    protocol: url.protocol === 'https:' ? 'https' : 'http',
    host: url.hostname,
    port: Number(url.port || 2375),
  })
}

/** Runs a call to the daemon; whatever it answers but success is a broken world. */
export async function asking<T>(what: string, call: () => Promise<T>): Promise<T> {
  try {
    return await call()
  } catch (cause) {
    if (cause instanceof RunnerUnavailableError) throw cause
    throw new RunnerUnavailableError(`docker: ${what}: ${messageOf(cause)}`, { cause })
  }
}

/** For clean-up: what is gone already is fine. */
export async function askingGone(what: string, call: () => Promise<unknown>): Promise<void> {
  await asking(what, async () => {
    try {
      await call()
    } catch (error) {
      if (statusOf(error) !== 404) throw error
    }
  })
}

export const statusOf = (error: unknown): number | undefined =>
  error instanceof Error && 'statusCode' in error && typeof error.statusCode === 'number'
    ? error.statusCode
    : undefined
