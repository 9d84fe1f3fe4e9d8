import type { RatingState } from '../schema/rating.ts'

/** Below these a rating is not shown, or not ranked. */
export const LIMITS = { battles: 10, tasks: 30, opponents: 5, se: 75 } as const

export interface RatingBasis {
  readonly battles: number
  readonly tasks: number
  readonly opponents: number
  /** In rating points. */
  readonly se: number
  /** Whether the competitor met the anchors, directly or through others. */
  readonly connected: boolean
}

/** `record`: nothing but counts. `provisional`: a rating without a rank. `rated`: ranked. */
export function ratingState(basis: RatingBasis): Exclude<RatingState, 'retired'> {
  if (basis.battles < LIMITS.battles || !basis.connected) return 'record'
  const firm = basis.tasks >= LIMITS.tasks && basis.opponents >= LIMITS.opponents && basis.se <= LIMITS.se
  return firm ? 'rated' : 'provisional'
}
