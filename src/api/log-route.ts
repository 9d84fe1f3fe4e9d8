import type { FastifyInstance } from 'fastify'
import { RAW_POLICY } from './headers.ts'
import { LogParams, parseRequest } from './params.ts'
import { PublicError } from './public-error.ts'
import type { ArenaQueries } from './queries.ts'

/** Raw logs and answers: plain text to every browser, whatever their bytes look like. */
export function addLogRoute(app: FastifyInstance, queries: ArenaQueries): void {
  app.get('/logs/:digest', async (request, reply) => {
    const { digest } = parseRequest(LogParams, request.params)
    const bytes = await queries.log(digest)
    if (!bytes) throw new PublicError(404, 'This log is not kept, or was cleaned up.')
    reply.headers({
      'cache-control': 'public, max-age=31536000, immutable',
      'content-disposition': `inline; filename="log-${digest.slice(0, 12)}.txt"`,
      'content-security-policy': RAW_POLICY,
    })
    reply.type('text/plain; charset=utf-8')
    // Decoded with replacement, so that what is served is the UTF-8 that the header promises.
    return bytes.toString('utf8')
  })
}
