import type { FastifyInstance, FastifyReply } from 'fastify'
import type { AssetLinks, Frame } from '../../leaderboard/site/document.tsx'
import { renderEmptyPage } from '../../leaderboard/site/message-pages.tsx'
import { renderMethodPage } from '../../leaderboard/site/method-page.tsx'
import { renderRoundPage } from '../../leaderboard/site/round-page.tsx'
import { renderRoundsPage } from '../../leaderboard/site/rounds-page.tsx'
import { renderStandingsPage } from '../../leaderboard/site/standings-page.tsx'
import { findRound } from './find-round.ts'
import { parseRequest, RoundParams, RoundsQuery, SeasonParams } from './params.ts'
import { PublicError } from './public-error.ts'
import type { ArenaQueries } from './queries.ts'

interface PageParts {
  readonly queries: ArenaQueries
  readonly links: AssetLinks
}

const asPage = (reply: FastifyReply): FastifyReply => reply.type('text/html; charset=utf-8')

export function addPageRoutes(app: FastifyInstance, { queries, links }: PageParts): void {
  const frame = async (): Promise<Frame> => ({ links, seasons: await queries.seasons() })

  const standingsPage = async (seasonId: string | undefined): Promise<string | undefined> => {
    const standings = await queries.standings(seasonId)
    if (!standings) return undefined
    return renderStandingsPage({ standings, rounds: await queries.rounds(standings.season) }, await frame())
  }

  app.get('/', async (_request, reply) => {
    asPage(reply)
    return (await standingsPage(undefined)) ?? renderEmptyPage(await frame())
  })

  app.get('/seasons/:id', async (request, reply) => {
    const { id } = parseRequest(SeasonParams, request.params)
    const page = await standingsPage(id)
    if (page === undefined) throw new PublicError(404, 'No season has this id.')
    asPage(reply)
    return page
  })

  app.get('/seasons/:id/rounds', async (request, reply) => {
    const { id } = parseRequest(SeasonParams, request.params)
    const wanted = parseRequest(RoundsQuery, request.query)
    const standings = await queries.standings(id)
    if (!standings) throw new PublicError(404, 'No season has this id.')
    asPage(reply)
    return renderRoundsPage({ standings, rounds: await queries.rounds(id), wanted }, await frame())
  })

  app.get('/rounds/:id', async (request, reply) => {
    const { id } = parseRequest(RoundParams, request.params)
    const found = await findRound(queries, id)
    if ('wholeId' in found) return reply.redirect(`/rounds/${found.wholeId}`)
    asPage(reply)
    return renderRoundPage(found.view, await frame())
  })

  app.get('/method', async (_request, reply) => {
    asPage(reply)
    return renderMethodPage(await frame())
  })
}
