import { dot } from './cholesky.ts'
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
  /** V = H⁻¹ of the overall strengths, competitors × competitors by rows. */
  readonly covariance: Float64Array
  /**
   * e_i'V S_g with S_g = Σ_{k in g} w x e: what one task's scores move each strength by. One row a task, one column a
   * competitor.
   */
  readonly influences: Float64Array
}

export interface ContrastError {
  /** √(c'Vc). */
  readonly model: number
  /** √(c' CR1 c), CR1 = G/(G−1) V (Σ_g S_g S_g') V; null with fewer than two tasks. */
  readonly clustered: number | null
  /** The larger of the two: what is shown. */
  readonly used: number
}

const vectorOf = (fit: StrengthFit, contrast: Contrast): Float64Array =>
  Float64Array.from(fit.competitors, (name) => contrast.get(name) ?? 0)

/** c'V S_g of every task g, in the order of tasks. */
export function influenceOf(fit: StrengthFit, contrast: Contrast): Float64Array {
  const c = vectorOf(fit, contrast)
  const n = c.length
  return Float64Array.from(fit.tasks, (_, t) => dot(fit.influences.subarray(t * n, (t + 1) * n), c))
}

/** CR1 from the influence of each cluster: G/(G−1) Σ_g (c'V S_g)². */
export function clusteredVariance(influence: Float64Array): number | null {
  const clusters = influence.length
  if (clusters < 2) return null
  return (clusters / (clusters - 1)) * sum(influence.map((value) => value * value))
}

/** c'Vc. */
export function modelVariance(fit: StrengthFit, contrast: Contrast): number {
  const c = vectorOf(fit, contrast)
  const n = c.length
  let total = 0
  for (let i = 0; i < n; i++) total += (c[i] ?? 0) * dot(fit.covariance.subarray(i * n, (i + 1) * n), c)
  return Math.max(0, total)
}

export function contrastError(fit: StrengthFit, contrast: Contrast): ContrastError {
  const model = Math.sqrt(modelVariance(fit, contrast))
  const variance = clusteredVariance(influenceOf(fit, contrast))
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

/** One competitor against another. */
export const betweenTwo = (a: string, b: string): Contrast =>
  new Map([
    [a, 1],
    [b, -1],
  ])

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
