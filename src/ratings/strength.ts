import { sum } from './numbers.ts'
import { studentQuantile } from './student.ts'

/** Weights of competitors' overall strengths: the difference of A and B is {A: 1, B: −1}. */
export type Contrast = ReadonlyMap<string, number>

/** What every model answers about overall strengths, in logits. */
export interface StrengthFit {
  /** By code units; so are tasks. */
  readonly competitors: readonly string[]
  /** The clusters: rounds of one task share a patch and a test set, and so their luck. */
  readonly tasks: readonly string[]
  readonly overall: ReadonlyMap<string, number>
  /** c'Vc with V = H⁻¹. */
  variance(contrast: Contrast): number
  /** c'V S_g of every task g, S_g = Σ_{k in g} w x e: what one task's scores move the contrast by. In the order of tasks. */
  influence(contrast: Contrast): Float64Array
}

export interface ContrastError {
  /** √(c'Vc). */
  readonly model: number
  /** √(c' CR1 c), CR1 = G/(G−1) V (Σ_g S_g S_g') V; null with fewer than two tasks. */
  readonly clustered: number | null
  /** The larger of the two: what is shown. */
  readonly used: number
}

/** CR1 from the influence of each cluster: G/(G−1) Σ_g (c'V S_g)². */
export function clusteredVariance(influence: Float64Array): number | null {
  const clusters = influence.length
  if (clusters < 2) return null
  return (clusters / (clusters - 1)) * sum(influence.map((value) => value * value))
}

export function contrastError(fit: StrengthFit, contrast: Contrast): ContrastError {
  const model = Math.sqrt(fit.variance(contrast))
  const variance = clusteredVariance(fit.influence(contrast))
  const clustered = variance === null ? null : Math.sqrt(variance)
  return { model, clustered, used: Math.max(model, clustered ?? 0) }
}

export const contrastValue = (fit: StrengthFit, contrast: Contrast): number =>
  sum([...contrast].map(([competitor, weight]) => weight * (fit.overall.get(competitor) ?? 0)))

/** A competitor against the mean of the anchors. */
export function againstAnchors(competitor: string, anchors: readonly string[]): Contrast {
  const contrast = new Map<string, number>([[competitor, 1]])
  for (const anchor of anchors) contrast.set(anchor, (contrast.get(anchor) ?? 0) - 1 / anchors.length)
  return contrast
}

/** Rating points of one logit: 400 points are odds of ten to one. */
export const POINTS_PER_LOGIT = 400 / Math.LN10
/** The rating of the anchors' mean. */
export const CENTRE = 1500

export interface ShownRating {
  readonly rating: number
  /** In rating points, of the difference to the anchors' mean. */
  readonly se: number
  /** 95 % by t with G−1 degrees of freedom; null with fewer than two tasks. */
  readonly low: number | null
  readonly high: number | null
}

/** R = 1500 + K (o − mean o of the anchors), K = 400/ln 10. `anchors` not empty. */
export function shownRating(fit: StrengthFit, competitor: string, anchors: readonly string[]): ShownRating {
  const contrast = againstAnchors(competitor, anchors)
  const rating = CENTRE + POINTS_PER_LOGIT * contrastValue(fit, contrast)
  const se = POINTS_PER_LOGIT * contrastError(fit, contrast).used
  const degrees = fit.tasks.length - 1
  if (degrees < 1) return { rating, se, low: null, high: null }
  const half = studentQuantile(0.975, degrees) * se
  return { rating, se, low: rating - half, high: rating + half }
}
