import type { FastifyInstance } from 'fastify'
import { findRound } from './find-round.ts'
import { parseRequest, RoundParams, SeasonParams, StandingsQuery } from './params.ts'
import { PublicError } from './public-error.ts'
import type { ArenaQueries } from './queries.ts'

/** The same data as the pages', as JSON. Answers are objects, so that they can grow. */
export function addApiRoutes(app: FastifyInstance, queries: ArenaQueries): void {
  app.get('/api/v1/standings', async (request) => {
    const { season } = parseRequest(StandingsQuery, request.query)
    const standings = await queries.standings(season)
    if (standings) return standings
    throw new PublicError(404, season ? 'No season has this id.' : 'No season was played yet.')
  })

  app.get('/api/v1/seasons/:id/rounds', async (request) => {
    const { id } = parseRequest(SeasonParams, request.params)
    const seasons = await queries.seasons()
    if (!seasons.some((season) => season.id === id)) throw new PublicError(404, 'No season has this id.')
    return { season: id, rounds: await queries.rounds(id) }
  })

  app.get('/api/v1/rounds/:id', async (request, reply) => {
    const { id } = parseRequest(RoundParams, request.params)
    const found = await findRound(queries, id)
    if ('view' in found) return found.view
    return reply.redirect(`/api/v1/rounds/${found.wholeId}`)
  })
}
