import { join } from 'node:path'
import type { EnforcedLimit } from '../schema/ci-run.ts'
import { type IoFolder, makeIoFolder } from './io-folder.ts'
import type { CiOptions } from './options.ts'
import { removeTree } from './remove-tree.ts'
import type { Sandbox } from './runners/port.ts'
import type { Semaphore } from './semaphore.ts'

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
}

export type WithSession = <T>(request: SessionRequest, body: (session: Session) => Promise<T>) => Promise<T>

/** Opens a sandbox in its turn, and removes it and its shared folder whatever the body does. */
export function createSessions(options: CiOptions, semaphore: Semaphore): (turn: number) => WithSession {
  return (turn) => (request, body) =>
    semaphore.run(turn, async () => {
      const id = options.newId()
      const host = join(options.workFolder, 'io', id)
      try {
        const io = await makeIoFolder(host)
        const sandbox = await options.runner.open({
          id,
          layers: request.layers,
          repoName: request.repoName,
          toolchains: options.toolchains,
          tools: options.toolsFolder,
          io: host,
          limits: options.limits,
        })
        try {
          return await body({ sandbox, io, limits: sandbox.limits, newName: options.newId })
        } finally {
          await sandbox.close()
        }
      } finally {
        await removeTree(host)
      }
    })
}
