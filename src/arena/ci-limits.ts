import type { Timeouts } from '../ci/options.ts'
import type { Limits } from '../ci/runners/port.ts'

/** Limits of one sandbox: a leg, or one test file of it. */
export const LIMITS: Limits = { memoryMiB: 4096, pids: 512, cpus: 2, diskMiB: 2048 }
export const TIMEOUTS: Timeouts = { stepMs: 30 * 60_000, buildMs: 10 * 60_000, caseMs: 60_000 }
/** Bytes of output kept of one step, build or case. */
export const OUTPUT_BYTES = 1 << 20
/** A mutant may run for ever: what takes so long is not passed. Part of its cells' environment. */
export const MUTANT_TIMEOUTS: Timeouts = { stepMs: 5 * 60_000, buildMs: 5 * 60_000, caseMs: 20_000 }
