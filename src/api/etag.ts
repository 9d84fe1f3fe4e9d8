import type { FastifyInstance } from 'fastify'
import { digestOf } from '../schema/canonical.ts'

const isNamed = (wanted: string, etag: string): boolean =>
  wanted.trim() === '*' || wanted.split(',').some((one) => one.trim().replace(/^W\//, '') === etag)

/** Names every good answer by its content, and answers 304 where the visitor has it already. */
export function addEtags(app: FastifyInstance): void {
  app.addHook('onSend', async (request, reply, payload) => {
    if (reply.statusCode !== 200 || (typeof payload !== 'string' && !Buffer.isBuffer(payload))) return payload
    const etag = `"${digestOf(payload).slice(0, 32)}"`
    reply.header('etag', etag)
    if (!reply.hasHeader('cache-control')) reply.header('cache-control', 'no-cache')
    const wanted = request.headers['if-none-match']
    if (wanted === undefined || !isNamed(wanted, etag)) return payload
    reply.code(304).removeHeader('content-type').removeHeader('content-length')
    return null
  })
}
