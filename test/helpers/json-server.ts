import { type Behaviour, type OpenAiServer, startOpenAiServer } from './openai-server.ts'

/** Answers with JSON made of what was sent. */
export const answeringJson =
  (answer: (body: Record<string, unknown>) => unknown): Behaviour =>
  (response, { body }) => {
    response.writeHead(200, { 'content-type': 'application/json' })
    response.end(JSON.stringify(answer(body as Record<string, unknown>)))
  }

/** Runs `work` against a server on a loopback port of its own, which is gone afterwards. */
export async function withServer<T>(
  behaviours: readonly Behaviour[],
  work: (server: OpenAiServer) => Promise<T>,
): Promise<T> {
  const server = await startOpenAiServer(...behaviours)
  try {
    return await work(server)
  } finally {
    await server.close()
  }
}

/** What a client on this machine needs; its waiting takes no time. */
export const LOOPBACK_PORTS = {
  key: undefined,
  addresses: { allowLoopback: true, allow: [] },
  now: () => performance.now(),
  random: () => 0.5,
  wait: async () => {},
}
