import type { FastifyInstance } from 'fastify'
import { ICON, STYLESHEET } from '../../leaderboard/site/assets.ts'
import type { AssetLinks } from '../../leaderboard/site/document.tsx'
import { digestOf } from '../schema/canonical.ts'

const nameOf = (stem: string, text: string, extension: string): string =>
  `/assets/${stem}-${digestOf(text).slice(0, 16)}.${extension}`

/** Addresses that change with their content, so that browsers may keep them for good. */
export function linkAssets(): AssetLinks {
  return { stylesheet: nameOf('arena', STYLESHEET, 'css'), icon: nameOf('icon', ICON, 'svg') }
}

export function addAssetRoutes(app: FastifyInstance, links: AssetLinks): void {
  const serve = (url: string, type: string, text: string) =>
    app.get(url, async (_request, reply) => {
      reply.header('cache-control', 'public, max-age=31536000, immutable').type(type)
      return text
    })
  serve(links.stylesheet, 'text/css; charset=utf-8', STYLESHEET)
  serve(links.icon, 'image/svg+xml', ICON)
}
