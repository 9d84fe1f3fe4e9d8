/** Cases of a fuzz test: a few in a test run, 10,000 (or a `share` of them) by bench/fuzz.sh. The seed is fixed unless one is given. */
export const fuzzing = (
  few: number,
  share = 1,
): { readonly numRuns: number; readonly seed: number; readonly timeoutMs: number } => ({
  numRuns: process.env.ARENA_FUZZ_RUNS ? Math.ceil(Number(process.env.ARENA_FUZZ_RUNS) * share) : few,
  seed: Number(process.env.ARENA_FUZZ_SEED ?? 20_260_101),
  timeoutMs: process.env.ARENA_FUZZ_RUNS ? 6 * 3_600_000 : 120_000,
})
