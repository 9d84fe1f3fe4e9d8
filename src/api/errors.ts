import { STATUS_CODES } from 'node:http'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { AssetLinks } from '../../leaderboard/site/document.tsx'
import { renderMessagePage } from '../../leaderboard/site/message-pages.tsx'
import { EnvironmentError } from '../errors.ts'
import { PublicError } from './public-error.ts'

/** A fault that a visitor met, for the operator. */
export interface LogLine {
  readonly level: 'error'
  readonly requestId: string
  readonly method: string
  readonly url: string
  readonly error: unknown
}

interface ErrorParts {
  readonly links: AssetLinks
  readonly log: (line: LogLine) => void
}

interface Fault {
  readonly status: number
  readonly detail: string
}

/** What a visitor may know: our own words about the request, never where or how the service is broken. */
function faultOf(error: unknown): Fault {
  if (error instanceof PublicError) return { status: error.statusCode, detail: error.message }
  if (error instanceof EnvironmentError)
    return { status: 503, detail: 'The arena cannot reach what it has stored. Please try again later.' }
  const status = error instanceof Error && 'statusCode' in error ? Number(error.statusCode) : 500
  return status >= 400 && status < 500
    ? { status, detail: 'The request was not understood.' }
    : { status: 500, detail: 'Something broke while this answer was made. It was noted.' }
}

const isForProgram = (request: FastifyRequest): boolean => /^\/(api|healthz)(\/|\?|$)/.test(request.url)

/** Answers with problem+json (RFC 9457) where a program asks, else with a page. */
export function addErrorPages(app: FastifyInstance, { links, log }: ErrorParts): void {
  const answer = (request: FastifyRequest, reply: FastifyReply, { status, detail }: Fault) => {
    reply.code(status).header('cache-control', 'no-store')
    if (isForProgram(request))
      return reply.type('application/problem+json').send(
        JSON.stringify({
          type: 'about:blank',
          title: STATUS_CODES[status],
          status,
          detail,
          instance: request.id,
        }),
      )
    const reference = status >= 500 ? request.id : null
    return reply
      .type('text/html; charset=utf-8')
      .send(renderMessagePage({ status, detail, reference }, { links, seasons: [] }))
  }
  app.setNotFoundHandler((request, reply) =>
    answer(request, reply, { status: 404, detail: 'There is nothing at this address.' }),
  )
  app.setErrorHandler((error, request, reply) => {
    const fault = faultOf(error)
    if (fault.status >= 500)
      log({ level: 'error', requestId: request.id, method: request.method, url: request.url, error })
    return answer(request, reply, fault)
  })
}
