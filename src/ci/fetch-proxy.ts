import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type ServerResponse,
  request as send,
} from 'node:http'
import { connect } from 'node:net'
import { type Duplex, pipeline } from 'node:stream'

export interface FetchProxyOptions {
  /** Path of the socket that it listens at; its folder must be closed to others. */
  readonly socket: string
  /**
   * The address to connect to for a host name; asked once for each connection, so that a name cannot change its address
   * between check and use. Throws when the host may not be reached.
   */
  readonly addressOf: (host: string) => Promise<string>
  /** Ports of hosts that may be reached. */
  readonly ports: readonly number[]
  /** Bytes in both directions together; what passes them is cut. */
  readonly bytes: number
}

export interface FetchProxy {
  /** Hosts that were reached, in order of the first time. */
  hosts(): readonly string[]
  /** What was refused or did not answer, one sentence a host. */
  refusals(): readonly string[]
  close(): Promise<void>
}

/** A registry that says nothing for so long has failed; the client's own retry is quicker than ours. */
const IDLE_MS = 120_000

/**
 * The one way out of a sandbox that fetches dependencies: an HTTP proxy, for CONNECT and for plain requests, to the given
 * ports of hosts that `addressOf` allows. It sees no secret: it adds nothing to what the sandbox sends.
 */
export async function startFetchProxy(options: FetchProxyOptions): Promise<FetchProxy> {
  const reached = new Set<string>()
  const refused = new Map<string, string>()
  const sockets = new Set<Duplex>()
  let left = options.bytes

  const open = async (host: string, port: number): Promise<string> => {
    try {
      if (!options.ports.includes(port))
        throw new Error(`port ${port} is not one of ${options.ports.join(', ')}`)
      if (left <= 0) throw new Error(`more than ${options.bytes} bytes were fetched`)
      const address = await options.addressOf(host)
      reached.add(host)
      return address
    } catch (error) {
      refused.set(host, `${host}: ${error instanceof Error ? error.message : String(error)}`)
      throw error
    }
  }
  const count = (stream: Duplex): void => {
    sockets.add(stream)
    stream.on('close', () => sockets.delete(stream))
    stream.on('data', (chunk: Buffer) => {
      left -= chunk.length
      if (left < 0) for (const one of sockets) one.destroy()
    })
  }
  const tunnel = async (request: IncomingMessage, client: Duplex, head: Buffer): Promise<void> => {
    client.on('error', () => client.destroy())
    const target = readAuthority(request.url ?? '')
    try {
      if (!target) throw new Error('expected host:port')
      const address = await open(target.host, target.port)
      const upstream = connect({ host: address, port: target.port })
      let isOpen = false
      upstream.once('connect', () => {
        isOpen = true
        count(client)
        count(upstream)
        client.write('HTTP/1.1 200 Connection established\r\n\r\n')
        if (head.length > 0) upstream.write(head)
        client.pipe(upstream)
        upstream.pipe(client)
      })
      upstream.setTimeout(IDLE_MS, () => upstream.destroy(new Error('no answer')))
      client.once('close', () => upstream.destroy())
      upstream.once('close', () => {
        if (isOpen) client.destroy()
      })
      upstream.once('error', (error) => {
        refused.set(target.host, `${target.host}: ${error.message}`)
        if (!isOpen)
          client.end(`HTTP/1.1 502 Bad Gateway\r\ncontent-type: text/plain\r\n\r\n${error.message}\n`)
      })
    } catch (error) {
      client.end(`HTTP/1.1 403 Forbidden\r\ncontent-type: text/plain\r\n\r\n${sentence(error)}\n`)
    }
  }
  const forward = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    try {
      const url = new URL(request.url ?? '')
      if (url.protocol !== 'http:') throw new Error('expected an http URL')
      const port = url.port === '' ? 80 : Number(url.port)
      const address = await open(url.hostname, port)
      const upstream = send(
        {
          host: address,
          port,
          method: request.method,
          path: `${url.pathname}${url.search}`,
          headers: { ...withoutProxyHeaders(request.headers), host: url.host },
        },
        (answer) => {
          response.writeHead(answer.statusCode ?? 502, answer.headers)
          // An answer that is cut is cut for the client too.
          pipeline(answer, response, () => undefined)
        },
      )
      upstream.setTimeout(IDLE_MS, () => upstream.destroy(new Error('no answer')))
      upstream.on('socket', (socket) => count(socket))
      upstream.on('error', (error) => {
        refused.set(url.hostname, `${url.hostname}: ${error.message}`)
        response.headersSent ? response.destroy() : response.writeHead(502).end(`${error.message}\n`)
      })
      response.on('close', () => upstream.destroy())
      request.pipe(upstream)
    } catch (error) {
      response.writeHead(403, { 'content-type': 'text/plain' }).end(`${sentence(error)}\n`)
    }
  }

  const server = createServer((request, response) => void forward(request, response))
  server.on('connect', (request, client, head) => void tunnel(request, client, head))
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(options.socket, () => resolve())
  })
  return {
    hosts: () => [...reached],
    refusals: () => [...refused.values()],
    close: () =>
      new Promise((resolve) => {
        for (const socket of sockets) socket.destroy()
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }
}

/** What is said to the proxy is not for the host behind it. */
const withoutProxyHeaders = (headers: IncomingHttpHeaders): IncomingHttpHeaders =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => !name.startsWith('proxy-')))

const sentence = (error: unknown): string => (error instanceof Error ? error.message : String(error))

/** `host:port` of a CONNECT request, the host without the brackets of an IPv6 address. */
function readAuthority(text: string): { readonly host: string; readonly port: number } | undefined {
  const found = /^(?:\[([0-9a-fA-F:.]+)\]|([^:[\]/\s]+)):(\d{1,5})$/.exec(text)
  const host = found?.[1] ?? found?.[2]
  return found && host !== undefined ? { host, port: Number(found[3]) } : undefined
}
