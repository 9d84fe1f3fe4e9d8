/** Addresses of pages, in one place. */

export const roundPath = (id: string): string => `/rounds/${id}`
export const seasonPath = (id: string): string => `/seasons/${id}`
export const logPath = (digest: string): string => `/logs/${digest}`

export interface RoundFilter {
  readonly task?: string | undefined
  readonly submitter?: string | undefined
  readonly reviewer?: string | undefined
  readonly verdict?: string | undefined
  readonly page?: number | undefined
}

/** A season's rounds, those that match. Ids need no escaping beyond the encoder's. */
export function roundsPath(season: string, filter: RoundFilter = {}): string {
  const pairs = Object.entries(filter).flatMap(([name, value]) =>
    value === undefined ? [] : [`${name}=${encodeURIComponent(value)}`],
  )
  return `${seasonPath(season)}/rounds${pairs.length > 0 ? `?${pairs.join('&')}` : ''}`
}
