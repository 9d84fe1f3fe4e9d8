import { spawn } from 'node:child_process'
import type { Readable } from 'node:stream'
import { z } from 'zod'
import { RunnerUnavailableError } from '../../errors.ts'
import { PROXY_PORT } from './port.ts'

/** Listens inside and hands every connection to the socket outside, byte by byte: it decides nothing. */
const FORWARDER = `
const net = require('node:net')
const [socket, port] = process.argv.slice(1)
const server = net.createServer((client) => {
  const upstream = net.connect(socket)
  const end = () => { client.destroy(); upstream.destroy() }
  client.on('error', end).on('close', end)
  upstream.on('error', end).on('close', end)
  client.pipe(upstream)
  upstream.pipe(client)
})
server.listen(Number(port), '127.0.0.1', () => process.stdout.write('ready\\n'))
process.stdin.on('end', () => process.exit(0)).resume()
`

export interface NetworkRoom {
  /** Path of the network namespace. */
  readonly namespace: string
  stop(): Promise<void>
}

export interface NetworkRoomRequest {
  /** Socket of the fetch proxy on the host. */
  readonly socket: string
  /**
   * A process whose network namespace is joined (`net`), or, of an ordinary user, one in the user namespace that the new
   * network namespace shall belong to (`user`); null makes one as root.
   */
  readonly of: { readonly namespace: 'net' | 'user'; readonly pid: number } | null
}

const Status = z.object({ 'child-pid': z.number() })

/**
 * A network namespace with nothing but loopback and, on it, the way to the fetch proxy: a new one, or a container's. Bubblewrap makes it, since it sets
 * loopback up where no other tool is sure to be; it lives until stop(), or until this process dies. Throws
 * RunnerUnavailableError.
 */
export async function openNetworkRoom(request: NetworkRoomRequest): Promise<NetworkRoom> {
  const node = [process.execPath, '-e', FORWARDER, request.socket, String(PROXY_PORT)]
  const command = [...entryTo(request.of), ...node]
  const [file = '', ...args] = command
  const child = spawn(file, args, {
    stdio: ['pipe', 'pipe', 'pipe', 'pipe'],
    env: { PATH: '/usr/sbin:/usr/bin:/sbin:/bin' },
  })
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()))
  const [status, said] = [textOf(child.stdio[3]), textOf(child.stderr)]
  const ready = textOf(child.stdout)
  const problem = await new Promise<string | null>((resolve) => {
    child.stdout?.once('data', () => resolve(null))
    child.once('error', (error) => resolve(error.message))
    child.once('close', () => resolve(said().trim().split('\n').at(-1) || 'the forwarder ended'))
  })
  const stop = async (): Promise<void> => {
    child.kill('SIGKILL')
    await ended
  }
  const pid = request.of?.namespace === 'net' ? child.pid : pidIn(status())
  if (problem !== null || pid === undefined || !ready().startsWith('ready')) {
    await stop()
    throw new RunnerUnavailableError(
      `the network of the warm phase could not be made: ${problem ?? 'no process'}`,
      {
        remedy: "see 'arena doctor'",
      },
    )
  }
  return { namespace: `/proc/${pid}/ns/net`, stop }
}

function entryTo(of: NetworkRoomRequest['of']): readonly string[] {
  if (of?.namespace === 'net') return ['nsenter', '--target', String(of.pid), '--net', '--']
  const user = of ? ['nsenter', '--target', String(of.pid), '--user', '--preserve-credentials', '--'] : []
  const make = [
    'bwrap',
    '--dev-bind',
    '/',
    '/',
    '--unshare-net',
    '--die-with-parent',
    '--json-status-fd',
    '3',
    '--',
  ]
  return [...user, ...make]
}

function pidIn(status: string): number | undefined {
  const [line = ''] = status.split('\n')
  if (line.trim() === '') return undefined
  return Status.safeParse(JSON.parse(line)).data?.['child-pid']
}

/** What a stream has said so far. */
function textOf(stream: unknown): () => string {
  const chunks: Buffer[] = []
  if (isReadable(stream)) stream.on('data', (chunk: Buffer) => void chunks.push(chunk))
  return () => Buffer.concat(chunks).toString('utf8')
}

const isReadable = (stream: unknown): stream is Readable =>
  typeof stream === 'object' && stream !== null && 'read' in stream
