import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface Scripted {
  readonly addresses: { readonly chat: string; readonly rerank: string; readonly embed: string }
  close(): Promise<void>
}

const words = (text: string): ReadonlySet<string> => new Set(text.toLowerCase().match(/[a-z]{3,}/g) ?? [])

const shared = (a: string, b: string): number => [...words(a)].filter((word) => words(b).has(word)).length

/** A vector of which words stand in a text, by the remainder of a sum of their letters. */
function vectorOf(text: string): readonly number[] {
  const vector = new Array<number>(64).fill(0)
  for (const word of words(text)) {
    const place = [...word].reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) % 64, 7)
    vector[place] = (vector[place] ?? 0) + 1
  }
  return vector
}

interface Body {
  readonly messages?: readonly { readonly content: string }[]
  readonly logprobs?: boolean
  readonly query?: string
  readonly documents?: readonly string[]
  readonly input?: readonly string[]
}

function answerChat({ messages = [], logprobs }: Body, response: ServerResponse): void {
  const text = messages.map(({ content }) => content).join('\n')
  const send = (value: unknown): boolean => response.write(`data: ${JSON.stringify(value)}\n\n`)
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  if (logprobs) {
    const yes = text.includes('+    return a + b') ? 0.9 : 0.2
    const top = [
      { token: 'Yes', logprob: Math.log(yes) },
      { token: 'No', logprob: Math.log(1 - yes) },
    ]
    const content = [{ ...top[0], top_logprobs: top }]
    send({ choices: [{ index: 0, delta: { content: 'Yes' }, logprobs: { content }, finish_reason: 'stop' }] })
  } else {
    for (let piece = 0; piece < 16; piece++)
      send({ choices: [{ index: 0, delta: { content: ' by rote' }, finish_reason: null }] })
    send({ choices: [{ index: 0, delta: {}, finish_reason: 'length' }] })
  }
  send({ choices: [], usage: { prompt_tokens: Math.ceil(text.length / 4), completion_tokens: 32 } })
  response.end('data: [DONE]\n\n')
}

function answerJson({ query = '', documents = [], input = [] }: Body, path: string): unknown {
  return path.endsWith('/rerank')
    ? {
        results: documents.map((document, index) => ({ index, relevance_score: shared(query, document) })),
      }
    : { data: input.map((text, index) => ({ index, embedding: vectorOf(text) })) }
}

/** One server on loopback for all three, which answers by rote. */
export async function startScripted(): Promise<Scripted> {
  const server = createServer(async (request, response) => {
    const parts: Buffer[] = []
    for await (const part of request) parts.push(part as Buffer)
    const body = JSON.parse(Buffer.concat(parts).toString('utf8')) as Body
    const path = request.url ?? ''
    if (path.endsWith('/chat/completions')) return answerChat(body, response)
    response.writeHead(200, { 'content-type': 'application/json' })
    response.end(JSON.stringify(answerJson(body, path)))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const address = `http://127.0.0.1:${port}/v1#by-rote`
  return {
    addresses: { chat: address, rerank: address, embed: address },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
