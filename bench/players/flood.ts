import { createEndpointModel } from '../../src/models/endpoint-model.ts'
import { EndpointSpec } from '../../src/schema/competitor.ts'
import { faults, startOpenAiServer } from '../../test/helpers/openai-server.ts'

/** Answers of `bytes` each, `count` at once: what comes of them, and the most memory that the process had. */
export async function flood(count: number, bytes: number): Promise<Record<string, string | number>> {
  const server = await startOpenAiServer(faults.endless(bytes))
  const model = createEndpointModel(
    EndpointSpec.parse({
      baseUrl: server.baseUrl,
      model: 'm',
      concurrency: count,
      maxOutputTokens: 1_000_000,
    }),
    {
      key: undefined,
      addresses: { allowLoopback: true, allow: [] },
      now: () => performance.now(),
      random: Math.random,
    },
  )
  const before = process.memoryUsage.rss()
  let most = before
  const watch = setInterval(() => {
    most = Math.max(most, process.memoryUsage.rss())
  }, 20)
  const replies = await Promise.all(
    Array.from({ length: count }, () =>
      model.ask({ messages: [{ role: 'user', content: 'x' }], attempt: 1, taskId: 't', kind: 'patch' }),
    ),
  )
  clearInterval(watch)
  const mib = (value: number): number => Math.round(value / 2 ** 20)
  const errors = new Map<string, number>()
  for (const { error } of replies) {
    const name = error?.split(':')[0] ?? 'none'
    errors.set(name, (errors.get(name) ?? 0) + 1)
  }
  await model.close()
  await server.close()
  return {
    answers: count,
    'MiB each': mib(bytes),
    'MiB kept': mib(replies.reduce((sum, { raw }) => sum + (raw?.length ?? 0), 0)),
    faults: [...errors].map(([name, times]) => `${times} ${name}`).join(', '),
    'MiB of memory before': mib(before),
    'MiB of memory at most': mib(most),
  }
}
