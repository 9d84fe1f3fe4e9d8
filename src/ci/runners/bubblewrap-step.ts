import { type ChildProcess, spawn } from 'node:child_process'
import { closeSync, constants, openSync } from 'node:fs'
import { Socket } from 'node:net'
import type { Writable } from 'node:stream'
import { setTimeout as delay } from 'node:timers/promises'
import { killQuietly } from './cgroup.ts'
import { startTimeOf } from './owner.ts'

export interface StepProcess {
  readonly command: readonly string[]
  /** NUL-separated options that bubblewrap reads from file descriptor 4. */
  readonly args: string
  /** A named pipe that this step alone uses. */
  readonly outputPipe: string
  readonly timeoutMs: number
  readonly signal: AbortSignal | undefined
  readonly onOutput: (chunk: Buffer) => void
  /** Kills what is left of the step; called when its main process has ended, and again at a timeout. */
  readonly killRest: () => Promise<void>
}

export interface StepEnd {
  /** Of bubblewrap, which passes on what the kernel told it. */
  readonly code: number | null
  readonly timedOut: boolean
  /** Whether bubblewrap got as far as starting the command: else the code is its own. */
  readonly started: boolean
}

/**
 * Runs one bubblewrap process to its end. Output goes through a named pipe, since Node's own are sockets, which a program
 * cannot open again as /dev/stderr. Returns when every process of the sandbox is gone and all output is read.
 */
export async function runStepProcess(step: StepProcess): Promise<StepEnd> {
  const reader = openSync(step.outputPipe, constants.O_RDONLY | constants.O_NONBLOCK)
  const writer = openSync(step.outputPipe, constants.O_WRONLY)
  const output = new Socket({ fd: reader, readable: true, writable: false })
  const drained = new Promise<void>((resolve) => output.once('close', resolve))
  output.on('data', step.onOutput)
  output.on('error', () => output.destroy())
  try {
    const [file = '', ...args] = step.command
    const child = spawn(file, args, {
      env: { PATH: '/usr/sbin:/usr/bin:/sbin:/bin' },
      stdio: ['ignore', writer, writer, 'pipe', 'pipe'],
    })
    return await waitFor(child, step)
  } finally {
    closeSync(writer)
    await drained
  }
}

async function waitFor(child: ChildProcess, step: StepProcess): Promise<StepEnd> {
  const status = readStatus(child)
  sendArgs(child, step.args)
  let timedOut = false
  const kill = (): void => {
    child.kill('SIGKILL')
    const init = status.init()
    if (init) killInit(init)
  }
  const timer = setTimeout(() => {
    timedOut = true
    kill()
  }, step.timeoutMs)
  step.signal?.addEventListener('abort', kill, { once: true })
  if (step.signal?.aborted) kill()
  try {
    const code = await new Promise<number | null>((resolve, reject) => {
      child.once('error', reject)
      child.once('exit', resolve)
    })
    const started = await status.started()
    const init = status.init()
    if (init) await waitUntilGone(init)
    await step.killRest()
    return { code, timedOut, started }
  } finally {
    clearTimeout(timer)
    step.signal?.removeEventListener('abort', kill)
  }
}

interface Init {
  readonly pid: number
  readonly startTime: string
}

/**
 * The first process of the sandbox's process namespace is dead only when all others are: the kernel sees to that. It ends
 * with bubblewrap, or now.
 */
async function waitUntilGone(init: Init): Promise<void> {
  for (let pause = 0; startTimeOf(init.pid) === init.startTime; pause = Math.min(pause + 1, 20)) {
    killInit(init)
    await delay(pause)
  }
}

function killInit(init: Init): void {
  if (startTimeOf(init.pid) === init.startTime) killQuietly(init.pid)
}

/** Reads bubblewrap's own account of the sandbox, which nothing inside can write. */
function readStatus(child: ChildProcess): {
  init: () => Init | undefined
  started: () => Promise<boolean>
} {
  const pipe = child.stdio[3]
  let text = ''
  let init: Init | undefined
  const ended = new Promise<void>((resolve) => {
    if (!pipe) return resolve()
    pipe.on('data', (chunk: Buffer) => {
      text += chunk.toString('utf8')
      const pid = Number(/"child-pid"\s*:\s*(\d+)/.exec(text)?.[1])
      const startTime = pid > 0 ? startTimeOf(pid) : undefined
      if (startTime !== undefined) init ??= { pid, startTime }
    })
    pipe.once('close', resolve)
    pipe.once('error', () => resolve())
  })
  return {
    init: () => init,
    started: async () => {
      await ended
      return text.includes('"exit-code"')
    },
  }
}

function sendArgs(child: ChildProcess, args: string): void {
  const pipe = child.stdio[4] as Writable | null | undefined
  // A process that ended before it read them tells so by its exit.
  pipe?.on('error', () => undefined)
  pipe?.end(args)
}
