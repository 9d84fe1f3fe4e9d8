import { resolve } from 'node:path'
import { InputError } from '../errors.ts'
import { CONTROLS, type SeasonFile } from '../match/read-season.ts'
import { digestOfValue } from '../schema/canonical.ts'
import { answeringOf, Competitor, EndpointSpec } from '../schema/competitor.ts'
import { Season } from '../schema/match.ts'
import { parseInput } from '../schema/parse.ts'

export interface BattleSide {
  /** `URL#MODEL`: everything up to /v1, then the model's name. */
  readonly address: string
  /** Name of the environment variable with the key. */
  readonly keyEnv?: string | undefined
}

export interface BattleRequest {
  readonly taskPath: string
  readonly submitter: BattleSide
  readonly reviewer: BattleSide
  readonly temperature: number
  readonly attempts: number
  readonly contextTokens: number
  readonly maxOutputTokens: number
  /** For one answer, its retries counted. */
  readonly timeoutMs: number
  readonly repeat: number
}

const slug = (text: string): string =>
  text
    .toLowerCase()
    .replace(/[^a-z0-9._-]+/g, '-')
    .replace(/^[^a-z0-9]+/, '')
    .slice(0, 60) || 'model'

function readSide(side: BattleSide, flag: string, request: BattleRequest): EndpointSpec {
  const hash = side.address.lastIndexOf('#')
  if (hash <= 0 || hash === side.address.length - 1)
    throw new InputError(`--${flag} ${side.address}: expected URL#MODEL`, {
      remedy: 'for example http://127.0.0.1:8000/v1#my-model',
    })
  return parseInput(
    EndpointSpec,
    {
      baseUrl: side.address.slice(0, hash).replace(/\/+$/, ''),
      model: side.address.slice(hash + 1),
      ...(side.keyEnv ? { keyEnv: side.keyEnv } : {}),
      temperature: request.temperature,
      maxOutputTokens: request.maxOutputTokens,
      contextTokens: request.contextTokens + request.maxOutputTokens,
      requestTimeoutMs: request.timeoutMs,
    },
    `--${flag}`,
  )
}

/**
 * One task and two endpoints as a season of one battle. Its name is made of what is played: the same command again finds
 * what was played, and another `repeat` plays it anew. Throws InputError that names the flag.
 */
export function battleSeason(request: BattleRequest): SeasonFile {
  const sides = [
    readSide(request.submitter, 'submitter', request),
    readSide(request.reviewer, 'reviewer', request),
  ]
  const names = sides.map((side) => slug(side.model))
  const [first, second] = names
  // A model may play against itself, or have a control's name: the sides still need names of their own.
  const isTaken = first === second || names.some((name) => CONTROLS.some(({ id }) => id === name))
  const ids = isTaken ? [`${first}-a`, `${second}-b`] : names
  const competitors = sides.map((endpoint, index) =>
    Competitor.parse({
      id: ids[index],
      label: endpoint.model.slice(0, 80),
      team: ids[index],
      player: { kind: 'endpoint', endpoint },
    }),
  )
  const taskPath = resolve(request.taskPath)
  const settings = new Map(
    competitors.map((competitor) => [competitor.id, digestOfValue(answeringOf(competitor))]),
  )
  const name = digestOfValue({ taskPath, settings: Object.fromEntries(settings), repeat: request.repeat })
  const season = Season.parse({
    id: `battle-${name.slice(0, 12)}`,
    title: `${competitors[0]?.label} and ${competitors[1]?.label}`,
    tasks: [taskPath],
    competitors: competitors.map((competitor) => `endpoint:${competitor.id}`),
    controls: false,
    attempts: request.attempts,
    retrieval:
      request.contextTokens === 0
        ? { variant: 'none' }
        : { variant: 'ours', budgetTokens: request.contextTokens },
  })
  return { season, taskPaths: [taskPath], competitors, settings, repeat: request.repeat }
}
