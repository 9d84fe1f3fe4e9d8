/** 1/(1+e^−x), without overflow on either side. */
export function logistic(x: number): number {
  if (x >= 0) return 1 / (1 + Math.exp(-x))
  const e = Math.exp(x)
  return e / (1 + e)
}

/** log(1+e^x), without overflow. */
export const softplus = (x: number): number =>
  x > 0 ? x + Math.log1p(Math.exp(-x)) : Math.log1p(Math.exp(x))

export const sum = (values: Iterable<number>): number => {
  let total = 0
  for (const value of values) total += value
  return total
}

/** Hyndman and Fan's type 7 (the default of R and numpy); `sorted` ascending and not empty, p in [0, 1]. */
export function quantile(sorted: ArrayLike<number>, p: number): number {
  const at = (sorted.length - 1) * p
  const below = Math.floor(at)
  const low = sorted[below] ?? Number.NaN
  const high = sorted[below + 1]
  return high === undefined ? low : low + (at - below) * (high - low)
}

/** log Γ(x) for x > 0: Stirling's series after shifting the argument above 30; error below 1e-14. */
export function logGamma(x: number): number {
  let shift = 0
  let z = x
  while (z < 30) {
    shift -= Math.log(z)
    z++
  }
  const series = 1 / (12 * z) - 1 / (360 * z ** 3) + 1 / (1260 * z ** 5)
  return shift + (z - 0.5) * Math.log(z) - z + 0.5 * Math.log(2 * Math.PI) + series
}

/** The 97.5 % quantile of the normal distribution. */
export const Z_95 = 1.959963984540054
