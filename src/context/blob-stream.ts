import type { ChildProcessWithoutNullStreams } from 'node:child_process'
import { EnvironmentError } from '../errors.ts'
import type { OnBlob } from './corpus.ts'
import { startGit } from './spawn-git.ts'

interface Asked {
  readonly blobs: readonly string[]
  readonly maxBytes: number
  readonly onBlob: OnBlob
  readonly done: () => void
  readonly failed: (error: Error) => void
  next: number
}

const LINE_FEED = 10

/** One `git cat-file --batch` that stays open, so that a blob costs no process. Requests are answered one after the other. */
export interface BlobStream {
  read(blobs: readonly string[], maxBytes: number, onBlob: OnBlob): Promise<void>
  close(): Promise<void>
}

/**
 * Opens a stream of blobs over a repository; git is started when something is first asked for. A blob that is missing (in a
 * shallow or partial clone) fails its request with an EnvironmentError that names it.
 */
export function openBlobStream(repository: string): BlobStream {
  let child: ChildProcessWithoutNullStreams | undefined
  let ended: Promise<void> = Promise.resolve()
  const queue: Asked[] = []
  /** Bytes of the next header or content that came in an earlier chunk. */
  let pending: Buffer = Buffer.alloc(0)
  /** The content that is being gathered; undefined between contents. */
  let content: { size: number; filled: number; bytes: Buffer | undefined } | undefined

  const fail = (error: Error): void => {
    for (const asked of queue.splice(0)) asked.failed(error)
  }
  /** Hands the finished content to the request that asked for it. */
  const deliver = (bytes: Buffer | undefined): void => {
    const asked = queue[0]
    const blob = asked?.blobs[asked.next]
    if (!asked || blob === undefined) return
    asked.next++
    asked.onBlob(blob, bytes)
    if (asked.next === asked.blobs.length) {
      queue.shift()
      asked.done()
    }
  }
  /** Reads a header at `at`; returns the place after it, or −1 when it has not wholly come. */
  const readHeader = (chunk: Buffer, at: number): number => {
    const end = chunk.indexOf(LINE_FEED, at)
    if (end < 0) return -1
    const header = chunk.toString('latin1', at, end)
    const match = /^[0-9a-f]+ blob (\d+)$/.exec(header)
    if (!match)
      throw new EnvironmentError(`an object cannot be read: ${header.slice(0, 200)}`, {
        place: repository,
        remedy: 'use a full clone',
      })
    const size = Number(match[1])
    const wanted = size <= (queue[0]?.maxBytes ?? 0)
    content = { size, filled: 0, bytes: wanted ? Buffer.allocUnsafeSlow(size) : undefined }
    return end + 1
  }
  const onData = (data: Buffer): void => {
    const chunk = pending.length > 0 ? Buffer.concat([pending, data]) : data
    pending = Buffer.alloc(0)
    let at = 0
    while (at < chunk.length) {
      if (!content) {
        const after = readHeader(chunk, at)
        if (after < 0) {
          pending = Buffer.from(chunk.subarray(at))
          return
        }
        at = after
        continue
      }
      const taken = Math.min(content.size - content.filled, chunk.length - at)
      content.bytes?.set(chunk.subarray(at, at + taken), content.filled)
      content.filled += taken
      at += taken
      // The line feed after a content must have come too.
      if (content.filled < content.size || at === chunk.length) return
      at++
      const { bytes } = content
      content = undefined
      deliver(bytes)
    }
  }
  const start = (): ChildProcessWithoutNullStreams => {
    const started = startGit(repository, ['cat-file', '--batch'])
    let said = ''
    started.stdout.on('data', (data: Buffer) => {
      try {
        onData(data)
      } catch (error) {
        fail(error as Error)
        started.kill()
      }
    })
    started.stderr.on('data', (data: Buffer) => {
      said = `${said}${data.toString('utf8')}`.slice(0, 1000)
    })
    started.stdin.on('error', () => undefined)
    ended = new Promise((resolve) => {
      started.on('error', (cause) => {
        fail(new EnvironmentError('git could not be started', { remedy: 'install git 2.30 or newer', cause }))
        resolve()
      })
      started.on('close', () => {
        if (child === started) child = undefined
        fail(
          new EnvironmentError(`git cat-file ended: ${said.trim().split('\n')[0] ?? ''}`, {
            place: repository,
          }),
        )
        resolve()
      })
    })
    return started
  }

  return {
    read(blobs, maxBytes, onBlob) {
      if (blobs.length === 0) return Promise.resolve()
      return new Promise((done, failed) => {
        child ??= start()
        queue.push({ blobs, maxBytes, onBlob, done, failed, next: 0 })
        child.stdin.write(`${blobs.join('\n')}\n`)
      })
    },
    async close() {
      child?.stdin.end()
      await ended
    },
  }
}
