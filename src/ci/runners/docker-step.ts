import type { Duplex } from 'node:stream'
import { setTimeout as delay } from 'node:timers/promises'
import type Docker from 'dockerode'
import { RunnerUnavailableError } from '../../errors.ts'
import { asking } from './docker-client.ts'
import { createDemultiplexer } from './docker-stream.ts'
import type { ExecRequest } from './port.ts'
import { insideArgv } from './step-command.ts'

/**
 * The step's parent inside, which says nothing itself: errors go where the output goes, so that both keep their order, and
 * when the step ends, all that it has left running ends, so that the output ends too. A step can kill it, which ends the
 * step; what is left then is found from outside.
 */
const PARENT = 'exec 2>/dev/null; "$@" 2>&1; code=$?; kill -9 -1; exit "$code"'
const LOOK_MS = 200
const PATIENCE_MS = 10_000

const onlyEnvironment = (env: Readonly<Record<string, string>>): readonly string[] => [
  '/usr/bin/env',
  '-i',
  '--',
  ...Object.entries(env).map(([name, value]) => `${name}=${value}`),
]

export interface DockerStep {
  readonly container: Docker.Container
  readonly user: string
  readonly request: ExecRequest
  readonly onOutput: (chunk: Buffer) => void
  /** Ends every process of the sandbox but the container's first. */
  readonly killRest: () => Promise<void>
}

export interface DockerStepEnd {
  /** As the daemon has it. */
  readonly code: number
  readonly timedOut: boolean
}

/** Runs one exec to its end, and whatever it leaves. */
export async function runDockerStep(step: DockerStep): Promise<DockerStepEnd> {
  const { request } = step
  const exec = await asking('a step could not be made', () =>
    step.container.exec({
      // The daemon would add HOME and HOSTNAME.
      Cmd: [...onlyEnvironment(request.env), '/bin/sh', '-c', PARENT, 'sh', ...insideArgv(request)],
      User: step.user,
      WorkingDir: '/',
      AttachStdout: true,
      AttachStderr: true,
    }),
  )
  const stream = await asking('a step could not be started', () => exec.start({ hijack: true, stdin: false }))
  const ended = endOf(stream, step.onOutput)
  const state = { timedOut: false }
  const watch = new AbortController()
  const kill = (): void => void step.killRest().catch((error: unknown) => stream.destroy(asError(error)))
  const timer = setTimeout(() => {
    state.timedOut = true
    kill()
  }, request.timeoutMs)
  request.signal?.addEventListener('abort', kill, { once: true })
  if (request.signal?.aborted) kill()
  try {
    // A process that holds the output open after its parent was killed is seen by asking.
    await Promise.race([ended, lookAfter(exec, step, stream, watch.signal)])
    await asking('a step was lost', () => ended)
    await step.killRest()
    // What we have ended ourselves has no code of its own.
    const isKilled = state.timedOut || request.signal?.aborted === true
    return { code: isKilled ? 137 : await exitCodeOf(exec), timedOut: state.timedOut }
  } finally {
    watch.abort()
    clearTimeout(timer)
    request.signal?.removeEventListener('abort', kill)
  }
}

/** The daemon closes the output a moment before it knows the code. */
async function exitCodeOf(exec: Docker.Exec): Promise<number> {
  const deadline = performance.now() + PATIENCE_MS
  for (let pause = 1; ; pause = Math.min(pause * 2, 100)) {
    const { ExitCode, Running } = await asking('a step cannot be looked at', () => exec.inspect())
    if (!Running && ExitCode !== null) return ExitCode
    if (performance.now() > deadline) throw new RunnerUnavailableError('docker: a step does not end')
    await delay(pause)
  }
}

function endOf(stream: Duplex, onOutput: (chunk: Buffer) => void): Promise<void> {
  const demultiplex = createDemultiplexer(onOutput)
  return new Promise((resolve, reject) => {
    stream.on('data', demultiplex)
    stream.once('end', resolve)
    stream.once('close', resolve)
    stream.once('error', reject)
  })
}

async function lookAfter(
  exec: Docker.Exec,
  step: DockerStep,
  stream: Duplex,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    await delay(LOOK_MS)
    if (signal.aborted) return
    const about = await exec.inspect().catch((error: unknown) => {
      stream.destroy(asError(error))
      return undefined
    })
    if (about?.Running !== false) continue
    await step.killRest()
    return
  }
}

const asError = (error: unknown): Error => (error instanceof Error ? error : new Error(String(error)))
