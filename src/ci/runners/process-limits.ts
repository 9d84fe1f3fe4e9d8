import { readFileSync } from 'node:fs'

/** A core file limit of exactly one byte is the kernel's word for "no dump, and no dump handler of the host either". */
export const CORE_BYTES = 1

/** Open files of one process inside: as on GitHub's runners, or as many as this process may have. */
export function openFiles(): number {
  const line = /^Max open files\s+\S+\s+(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8'))
  return Math.min(65_536, Number(line?.[1] ?? 65_536))
}
