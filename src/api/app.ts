import fastify, { type FastifyInstance } from 'fastify'
import { addApiRoutes } from './api-routes.ts'
import { addAssetRoutes, linkAssets } from './assets.ts'
import { addErrorPages, type LogLine } from './errors.ts'
import { addEtags } from './etag.ts'
import { addSecurityHeaders } from './headers.ts'
import { addLogRoute } from './log-route.ts'
import { addPageRoutes } from './page-routes.ts'
import type { ArenaQueries } from './queries.ts'

export interface AppParts {
  readonly queries: ArenaQueries
  /** Gets what visitors are not shown: the faults behind 5xx answers. */
  readonly log?: (line: LogLine) => void
}

/** Everything that the public sees: pages, their JSON, logs and assets. Reads only. The caller closes it. */
export function buildApp({ queries, log = () => {} }: AppParts): FastifyInstance {
  const app = fastify({
    // Nothing here takes a body.
    bodyLimit: 1024,
    forceCloseConnections: true,
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: 200 },
  })
  const links = linkAssets()
  addSecurityHeaders(app)
  addEtags(app)
  addErrorPages(app, { links, log })
  addAssetRoutes(app, links)
  addPageRoutes(app, { queries, links })
  addLogRoute(app, queries)
  addApiRoutes(app, queries)
  app.get('/healthz', async (_request, reply) => {
    reply.header('cache-control', 'no-store')
    return { status: 'ok' }
  })
  return app
}
