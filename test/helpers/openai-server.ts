import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface ServerRequest {
  readonly path: string
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly body: unknown
}

/** Answers one request; what it throws ends the connection. */
export type Behaviour = (response: ServerResponse, request: ServerRequest) => void | Promise<void>

export interface OpenAiServer {
  /** Up to and including /v1. */
  readonly baseUrl: string
  readonly requests: readonly ServerRequest[]
  close(): Promise<void>
}

async function readBody(request: IncomingMessage): Promise<unknown> {
  const parts: Buffer[] = []
  for await (const part of request) parts.push(part as Buffer)
  return JSON.parse(Buffer.concat(parts).toString('utf8'))
}

/** A server on a loopback port of its own. The n-th request gets the n-th behaviour, later ones the last. */
export async function startOpenAiServer(...behaviours: readonly Behaviour[]): Promise<OpenAiServer> {
  const requests: ServerRequest[] = []
  const server = createServer((incoming, response) => {
    const serve = async (): Promise<void> => {
      const request = { path: incoming.url ?? '', headers: incoming.headers, body: await readBody(incoming) }
      const behaviour = behaviours[Math.min(requests.length, behaviours.length - 1)]
      requests.push(request)
      await behaviour?.(response, request)
    }
    serve().catch(() => response.destroy())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    baseUrl: `http://127.0.0.1:${port}/v1`,
    requests,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

const event = (value: unknown): string => `data: ${JSON.stringify(value)}\n\n`

export const delta = (part: Record<string, unknown>, finish: string | null = null): string =>
  event({ choices: [{ index: 0, delta: part, finish_reason: finish }] })

export const DONE = 'data: [DONE]\n\n'

export function startEvents(response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' })
  response.flushHeaders()
}

/** A well-behaved answer, in as many pieces as it has words. */
export const answering =
  (text: string, more: { readonly reasoning?: string; readonly finish?: string } = {}): Behaviour =>
  (response) => {
    startEvents(response)
    if (more.reasoning) response.write(delta({ reasoning_content: more.reasoning }))
    for (const piece of text.match(/\s*\S+|\s+$/g) ?? []) response.write(delta({ content: piece }))
    response.write(delta({}, more.finish ?? 'stop'))
    const usage = { prompt_tokens: 11, completion_tokens: 7 }
    response.write(event({ choices: [], usage }))
    response.end(DONE)
  }

/** An error answer. */
export const refusing =
  (
    status: number,
    headers: Readonly<Record<string, string>> = {},
    body = '{"error":{"message":"no"}}',
  ): Behaviour =>
  (response) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers })
    response.end(body)
  }

/** Faults: what servers under load, proxies and hostile people send. */
export const faults = {
  /** Headers, and then nothing. */
  silent: ((response) => startEvents(response)) satisfies Behaviour,
  /** Not even headers. */
  mute: (() => {}) satisfies Behaviour,
  /** Some text, and then nothing. */
  stalling: ((response) => {
    startEvents(response)
    response.write(delta({ content: 'half' }))
  }) satisfies Behaviour,
  /** Some text, and then the connection is gone. */
  cut: ((response) => {
    startEvents(response)
    response.write(delta({ content: 'half' }), () => response.destroy())
  }) satisfies Behaviour,
  /** Some text, and then a clean end without saying that it is one. */
  ended: ((response) => {
    startEvents(response)
    response.end(delta({ content: 'half' }))
  }) satisfies Behaviour,
  /** The connection is gone before anything came. */
  dropped: ((response) => {
    response.destroy()
  }) satisfies Behaviour,
  invalidJson: ((response) => {
    startEvents(response)
    response.end('data: {"choices": [}\n\n')
  }) satisfies Behaviour,
  html: ((response) => {
    response.writeHead(200, { 'content-type': 'text/html' })
    response.end('<html>please log in</html>')
  }) satisfies Behaviour,
  redirect: ((response) => {
    response.writeHead(302, { location: 'http://169.254.169.254/latest/meta-data/' })
    response.end()
  }) satisfies Behaviour,
  /** `bytes` of one piece of text after the other. */
  endless:
    (bytes: number): Behaviour =>
    async (response) => {
      startEvents(response)
      const piece = delta({ content: 'x'.repeat(64 * 1024) })
      const gone = new Promise<void>((resolve) => response.once('close', resolve))
      for (let sent = 0; sent < bytes && !response.destroyed; sent += piece.length)
        if (!response.write(piece))
          await Promise.race([gone, new Promise<void>((resolve) => response.once('drain', resolve))])
      response.end()
    },
  /** A whole answer, its bytes one by one: every character of more than one byte is cut. */
  bytewise:
    (text: string): Behaviour =>
    async (response) => {
      startEvents(response)
      const body = Buffer.from(`${delta({ content: text })}${delta({}, 'stop')}${DONE}`)
      for (const byte of body)
        await new Promise<void>((resolve) => response.write(Buffer.from([byte]), () => resolve()))
      response.end()
    },
  /** An error in the middle of a stream. */
  failing: ((response) => {
    startEvents(response)
    response.write(delta({ content: 'half' }))
    response.end(event({ error: { message: 'out of memory' } }))
  }) satisfies Behaviour,
}
