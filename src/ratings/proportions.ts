import { logGamma, sum, Z_95 } from './numbers.ts'

/** Wilson's score interval, 95 %; [0, 1] when nothing was tried. Wilson 1927. */
export function wilson(successes: number, trials: number): readonly [low: number, high: number] {
  if (trials === 0) return [0, 1]
  const share = successes / trials
  const scale = 1 + Z_95 ** 2 / trials
  const middle = (share + Z_95 ** 2 / (2 * trials)) / scale
  const half = (Z_95 / scale) * Math.sqrt((share * (1 - share)) / trials + Z_95 ** 2 / (4 * trials ** 2))
  return [Math.max(0, middle - half), Math.min(1, middle + half)]
}

/** Unbiased pass@k = 1 − C(n−c, k)/C(n, k): at least one of k attempts succeeds, by n attempts of which c did. k ≤ n. */
export function passAtK(n: number, c: number, k: number): number {
  if (n - c < k) return 1
  let allFail = 1
  for (let i = n - c + 1; i <= n; i++) allFail *= 1 - k / i
  return 1 - allFail
}

/** Unbiased pass^k = C(c, k)/C(n, k): all of k attempts succeed. */
export function passHatK(n: number, c: number, k: number): number {
  if (c < k) return 0
  let allPass = 1
  for (let i = 0; i < k; i++) allPass *= (c - i) / (n - i)
  return allPass
}

/** Attempts at one task, and how many of them succeeded. */
export interface Attempts {
  readonly tried: number
  readonly succeeded: number
}

/**
 * Best@k and pass^k over tasks: the mean of the unbiased estimates of the tasks with at least k attempts; null when there
 * are none.
 */
export function overAttempts(
  tasks: readonly Attempts[],
  k: number,
): { readonly bestAtK: number; readonly passHatK: number; readonly tasks: number } | null {
  const enough = tasks.filter(({ tried }) => tried >= k)
  if (enough.length === 0) return null
  const mean = (estimate: (n: number, c: number, k: number) => number): number =>
    sum(enough.map(({ tried, succeeded }) => estimate(tried, succeeded, k))) / enough.length
  return { bestAtK: mean(passAtK), passHatK: mean(passHatK), tasks: enough.length }
}

/**
 * E = 2^(w+l) Γ(w+½) Γ(l+½) / (π Γ(w+l+1)): the evidence against "either side wins a decisive battle with ½", a
 * Beta(½,½) mixture. It may be looked at at any time: stop and claim at E ≥ 20.
 */
export function eValue(wins: number, losses: number): number {
  const games = wins + losses
  return Math.exp(
    games * Math.LN2 +
      logGamma(wins + 0.5) +
      logGamma(losses + 0.5) -
      Math.log(Math.PI) -
      logGamma(games + 1),
  )
}
