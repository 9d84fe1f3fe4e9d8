/** Milliseconds that a server may ask us to wait; more is a refusal. */
export const LONGEST_WAIT_MS = 60_000
const FIRST_WAIT_MS = 500

/** A Retry-After header (seconds or a date) in milliseconds from `now`; undefined when it says nothing that can be read. */
export function parseRetryAfter(header: string | undefined, now: number): number | undefined {
  if (header === undefined || header.trim() === '') return undefined
  const seconds = Number(header)
  if (Number.isFinite(seconds)) return Math.max(0, seconds * 1000)
  const date = Date.parse(header)
  return Number.isNaN(date) ? undefined : Math.max(0, date - now)
}

/**
 * How long to wait before try number `tried + 1`: what the server asks for, else a random time up to a bound that doubles
 * (full jitter). `random`: 0 up to 1.
 */
export function retryDelayMs(tried: number, retryAfterMs: number | undefined, random: number): number {
  const bound = Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** (tried - 1))
  const jitter = random * bound
  // A little more than asked for, or all who were told the same come back together.
  return retryAfterMs === undefined ? jitter : Math.min(LONGEST_WAIT_MS, retryAfterMs) + jitter / 4
}
