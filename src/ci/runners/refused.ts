import type { ExecResult } from './port.ts'

/** A command that no kernel would start: it failed, and the sandbox is well. */
export const refused = (problem: string): ExecResult => ({
  exitCode: 126,
  signal: null,
  output: Buffer.from(`${problem}\n`, 'utf8'),
  droppedBytes: 0,
  timedOut: false,
  outOfMemory: false,
  durationMs: 0,
})
