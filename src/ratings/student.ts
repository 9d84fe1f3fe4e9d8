import { logGamma } from './numbers.ts'

/** Continued fraction of the incomplete beta function (DLMF 8.17.22), by the method of Lentz. */
function betaFraction(x: number, a: number, b: number): number {
  const tiny = 1e-300
  let c = 1
  let d = 1 / (1 - ((a + b) * x) / (a + 1) || tiny)
  let value = d
  for (let m = 1; m <= 500; m++) {
    const even = (m * (b - m) * x) / ((a + 2 * m - 1) * (a + 2 * m))
    d = 1 / (1 + even * d || tiny)
    c = 1 + even / c || tiny
    value *= d * c
    const odd = (-(a + m) * (a + b + m) * x) / ((a + 2 * m) * (a + 2 * m + 1))
    d = 1 / (1 + odd * d || tiny)
    c = 1 + odd / c || tiny
    const factor = d * c
    value *= factor
    if (Math.abs(factor - 1) < 1e-16) break
  }
  return value
}

/** The regularised incomplete beta function I_x(a, b). */
function incompleteBeta(x: number, a: number, b: number): number {
  if (x <= 0) return 0
  if (x >= 1) return 1
  const front = Math.exp(logGamma(a + b) - logGamma(a) - logGamma(b) + a * Math.log(x) + b * Math.log1p(-x))
  return x < (a + 1) / (a + b + 2)
    ? (front * betaFraction(x, a, b)) / a
    : 1 - (front * betaFraction(1 - x, b, a)) / b
}

/** P(T > t) for t ≥ 0 with `degrees` of freedom. */
const upperTail = (t: number, degrees: number): number =>
  0.5 * incompleteBeta(degrees / (degrees + t * t), degrees / 2, 0.5)

/**
 * The quantile of Student's t: p in (0.5, 1), degrees ≥ 1. By bisection, to about 12 digits: it is asked a few times a
 * table, never in a loop.
 */
export function studentQuantile(p: number, degrees: number): number {
  const tail = 1 - p
  let high = 1
  while (upperTail(high, degrees) > tail) high *= 2
  let low = 0
  for (let step = 0; step < 200 && high - low > 1e-13 * high; step++) {
    const middle = (low + high) / 2
    if (upperTail(middle, degrees) > tail) low = middle
    else high = middle
  }
  return (low + high) / 2
}
