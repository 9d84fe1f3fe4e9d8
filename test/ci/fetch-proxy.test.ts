import { once } from 'node:events'
import { createServer, request as httpRequest, type Server } from 'node:http'
import { type AddressInfo, createServer as createTcpServer } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type FetchProxy, startFetchProxy } from '../../src/ci/fetch-proxy.ts'
import { temporaryFolder } from '../helpers/repository.ts'

const HOST = 'packages.invalid'

const registry = createServer((request, response) => {
  const length = Number(/^\/bytes\/(\d+)$/.exec(request.url ?? '')?.[1] ?? Number.NaN)
  if (Number.isNaN(length)) response.end(JSON.stringify({ url: request.url, headers: request.headers }))
  else response.end(Buffer.alloc(length))
})
const portOf = (server: Server | ReturnType<typeof createTcpServer>): number =>
  (server.address() as AddressInfo).port

let port = 0
beforeAll(async () => {
  registry.listen(0, '127.0.0.1')
  await once(registry, 'listening')
  port = portOf(registry)
})
afterAll(() => {
  registry.closeAllConnections()
  registry.close()
})

/** Everything under a name that ends in `.invalid` is this machine; any other name may not be reached. */
const addressOf = async (host: string): Promise<string> => {
  if (!host.endsWith('.invalid')) throw new Error('may not be reached')
  return '127.0.0.1'
}

async function withProxy(
  body: (proxy: FetchProxy, socket: string) => Promise<void>,
  options: { readonly bytes?: number; readonly ports?: readonly number[] } = {},
): Promise<void> {
  using folder = temporaryFolder('fetch-proxy')
  const socket = join(folder.path, 'fetch')
  const ports = options.ports ?? [port]
  const proxy = await startFetchProxy({ socket, addressOf, ports, bytes: options.bytes ?? 2 ** 20 })
  try {
    await body(proxy, socket)
  } finally {
    await proxy.close()
  }
}

interface Answer {
  readonly status: number
  readonly body: string
  readonly isWhole: boolean
}

/** One plain request through the proxy; `path` is what stands in the request line. */
async function ask(
  socketPath: string,
  path: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<Answer> {
  const request = httpRequest({ socketPath, path, headers }).end()
  const [response] = await once(request, 'response')
  const chunks: Buffer[] = []
  let isWhole = true
  try {
    for await (const chunk of response) chunks.push(chunk)
  } catch {
    isWhole = false
  }
  return { status: response.statusCode, body: Buffer.concat(chunks).toString('utf8'), isWhole }
}

/** A tunnel through the proxy, or what the proxy says instead. */
async function tunnel(socketPath: string, authority: string, path: string): Promise<Answer> {
  const request = httpRequest({ socketPath, method: 'CONNECT', path: authority }).end()
  const [response, stream, head] = await once(request, 'connect')
  const chunks: Buffer[] = [head]
  if (response.statusCode === 200) stream.write(`GET ${path} HTTP/1.0\r\nhost: ${HOST}\r\n\r\n`)
  for await (const chunk of stream) chunks.push(chunk)
  return { status: response.statusCode, body: Buffer.concat(chunks).toString('utf8'), isWhole: true }
}

describe('the proxy of the warm phase', () => {
  test('tunnels to a host that may be reached, and writes it down', () =>
    withProxy(async (proxy, socket) => {
      const answer = await tunnel(socket, `${HOST}:${port}`, '/simple/')
      expect(answer.status).toBe(200)
      expect(answer.body).toContain('"/simple/"')
      expect([proxy.hosts(), proxy.refusals()]).toEqual([[HOST], []])
    }))

  test('passes plain requests on, without what is said to the proxy alone', () =>
    withProxy(async (proxy, socket) => {
      const answer = await ask(socket, `http://${HOST}:${port}/simple/?a=1`, {
        'proxy-authorization': 'Basic c2VjcmV0',
        'x-kept': 'yes',
      })
      const seen = JSON.parse(answer.body)
      expect(seen.url).toBe('/simple/?a=1')
      expect(seen.headers['x-kept']).toBe('yes')
      expect(seen.headers.host).toBe(`${HOST}:${port}`)
      expect(seen.headers['proxy-authorization']).toBeUndefined()
      expect(proxy.hosts()).toEqual([HOST])
    }))

  test('refuses a host that may not be reached, with the reason, either way', () =>
    withProxy(async (proxy, socket) => {
      expect(await tunnel(socket, `inside.example:${port}`, '/')).toMatchObject({ status: 403 })
      const answer = await ask(socket, `http://inside.example:${port}/`)
      expect([answer.status, answer.body]).toEqual([403, 'may not be reached\n'])
      expect(proxy.hosts()).toEqual([])
      expect(proxy.refusals()).toEqual(['inside.example: may not be reached'])
    }))

  test('refuses other ports', () =>
    withProxy(
      async (proxy, socket) => {
        expect((await ask(socket, `http://${HOST}:${port}/`)).status).toBe(403)
        expect((await tunnel(socket, `${HOST}:${port}`, '/')).status).toBe(403)
        expect(proxy.refusals()).toEqual([`${HOST}: port ${port} is not one of 80, 443`])
      },
      { ports: [80, 443] },
    ))

  test.each(['nothing', 'host', '[::1:80', 'user@host:80', `${HOST}:123456`])(
    'refuses a tunnel to %s',
    (authority) =>
      withProxy(async (proxy, socket) => {
        expect((await tunnel(socket, authority, '/')).status).toBe(403)
        expect(proxy.hosts()).toEqual([])
      }),
  )

  test.each(['/no/host', 'ftp://packages.invalid/'])('refuses a request for %s', (path) =>
    withProxy(async (proxy, socket) => {
      expect((await ask(socket, path)).status).toBe(403)
      expect(proxy.hosts()).toEqual([])
    }),
  )

  test('cuts what passes its bytes, and lets nothing through afterwards', () =>
    withProxy(
      async (_proxy, socket) => {
        const cut = await ask(socket, `http://${HOST}:${port}/bytes/3000000`)
        expect(cut.isWhole).toBe(false)
        expect(cut.body.length).toBeLessThan(3_000_000)
        expect((await ask(socket, `http://${HOST}:${port}/bytes/1`)).status).toBe(403)
      },
      { bytes: 100_000 },
    ))

  test('says that a host does not answer', async () => {
    const closed = createTcpServer().listen(0, '127.0.0.1')
    await once(closed, 'listening')
    const nobody = portOf(closed)
    await new Promise((resolve) => closed.close(resolve))
    await withProxy(
      async (proxy, socket) => {
        expect((await ask(socket, `http://${HOST}:${nobody}/`)).status).toBe(502)
        expect((await tunnel(socket, `other.invalid:${nobody}`, '/')).status).toBe(502)
        expect(proxy.refusals()).toEqual([
          expect.stringMatching(/^packages\.invalid: .*ECONNREFUSED/),
          expect.stringMatching(/^other\.invalid: .*ECONNREFUSED/),
        ])
      },
      { ports: [nobody] },
    )
  })

  test('ends what is open when it is closed', () =>
    withProxy(async (proxy, socket) => {
      const request = httpRequest({ socketPath: socket, method: 'CONNECT', path: `${HOST}:${port}` }).end()
      const [, stream] = await once(request, 'connect')
      const ended = once(stream, 'close')
      stream.resume()
      await proxy.close()
      await ended
    }))
})
