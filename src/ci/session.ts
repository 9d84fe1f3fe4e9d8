import { join } from 'node:path'
import type { EnforcedLimit } from '../schema/ci-run.ts'
import { type IoFolder, makeIoFolder } from './io-folder.ts'
import type { CiOptions } from './options.ts'
import { removeTree } from './remove-tree.ts'
import type { Sandbox } from './runners/port.ts'
import type { Semaphore } from './semaphore.ts'
import type { Toolchains } from './toolchains.ts'

/** An open sandbox with the folder that it shares with us. */
export interface Session {
  readonly sandbox: Sandbox
  readonly io: IoFolder
  readonly limits: readonly EnforcedLimit[]
  /** A name that is new in this session and that code written before it opened cannot know. */
  readonly newName: () => string
}

export interface SessionRequest {
  readonly layers: readonly string[]
  readonly repoName: string
  /** Of the warm phase only. */
  readonly fetch?: { readonly socket: string; readonly binds: Toolchains['binds'] }
}

/** What all sandboxes so far have taken. */
export interface SandboxUsage {
  readonly sandboxes: number
  /** Commands run in them: steps, builds, cases, and the commit of the tree. */
  readonly commands: number
  /** CPU time in milliseconds of all that ran inside; null when a sandbox could not tell. */
  readonly cpuMs: number | null
}

export interface Sessions {
  /** Opens a sandbox in its turn, and removes it and its shared folder whatever the body does. */
  inTurn(turn: number): WithSession
  usage(): SandboxUsage
}

export type WithSession = <T>(request: SessionRequest, body: (session: Session) => Promise<T>) => Promise<T>

/** One for all runs of a CI, so that its slots and its sums hold for all of them. */
export function createSessions(options: CiOptions, semaphore: Semaphore): Sessions {
  let spent: SandboxUsage = { sandboxes: 0, commands: 0, cpuMs: 0 }
  const open = async (id: string, io: string, request: SessionRequest): Promise<Sandbox> => {
    const { toolchains, limits } = options
    const { layers, repoName, fetch } = request
    const sandbox = await options.runner.open({
      id,
      layers,
      repoName,
      toolchains: fetch ? { ...toolchains, binds: [...toolchains.binds, ...fetch.binds] } : toolchains,
      tools: options.toolsFolder,
      io,
      limits,
      ...(fetch ? { fetchSocket: fetch.socket } : {}),
    })
    spent = { ...spent, sandboxes: spent.sandboxes + 1 }
    return {
      ...sandbox,
      exec: (command) => {
        spent = { ...spent, commands: spent.commands + 1 }
        return sandbox.exec(command)
      },
      close: async () => {
        // A sandbox that broke cannot tell, and must be closed all the same.
        const { cpuMs } = await sandbox.usage().catch(() => ({ cpuMs: null }))
        spent = { ...spent, cpuMs: cpuMs === null || spent.cpuMs === null ? null : spent.cpuMs + cpuMs }
        await sandbox.close()
      },
    }
  }
  return {
    inTurn: (turn) => (request, body) =>
      semaphore.run(turn, async () => {
        const id = options.newId()
        const host = join(options.workFolder, 'io', id)
        try {
          const io = await makeIoFolder(host)
          const sandbox = await open(id, host, request)
          try {
            return await body({ sandbox, io, limits: sandbox.limits, newName: options.newId })
          } finally {
            await sandbox.close()
          }
        } finally {
          await removeTree(host)
        }
      }),
    usage: () => spent,
  }
}
