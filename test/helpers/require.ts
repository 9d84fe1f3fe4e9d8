/**
 * Whether a group of tests must be skipped because a tool is not at hand. Where everything is required
 * (ARENA_REQUIRE_ALL=1, as in CI) a missing tool is a failure instead.
 */
export function needs(what: string, atHand: boolean): boolean {
  if (atHand) return false
  if (process.env.ARENA_REQUIRE_ALL === '1') throw new Error(`${what} is required here and not at hand`)
  console.warn(`skipped: ${what} is not at hand`)
  return true
}
