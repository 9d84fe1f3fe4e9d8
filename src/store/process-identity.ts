import { readFileSync, readlinkSync } from 'node:fs'
import { z } from 'zod'
import { hasCode } from './disk-errors.ts'

/** One process of this machine, told apart from a later one with the same number. */
export const ProcessIdentity = z.object({
  pid: z.number().int().positive(),
  /** The kernel's start time of the process: a process id that was given out again is another process. */
  startTime: z.string().nullable(),
  /** The kernel's name of the space in which `pid` counts: another container has another one. */
  pidSpace: z.string().nullable(),
})
export type ProcessIdentity = z.infer<typeof ProcessIdentity>

/** `pid`: a living process of this container. */
export const identityOf = (pid: number): ProcessIdentity => ({
  pid,
  startTime: startTimeOf(pid) ?? null,
  pidSpace: pidSpace(),
})

/** When it cannot be told (a process in another container), it counts as alive. */
export function isAlive(identity: ProcessIdentity): boolean {
  const space = pidSpace()
  const [boot] = space?.split(' ') ?? []
  const [itsBoot] = identity.pidSpace?.split(' ') ?? []
  if (boot !== itsBoot) return false
  if (space !== identity.pidSpace) return true
  if (identity.startTime !== null) return startTimeOf(identity.pid) === identity.startTime
  try {
    process.kill(identity.pid, 0)
    return true
  } catch (error) {
    return hasCode(error, 'EPERM')
  }
}

/** Whether its number counts here: else nobody can say which process it is. */
export const isInThisSpace = ({ pidSpace: space }: ProcessIdentity): boolean => space === pidSpace()

/** Field 22 of /proc/PID/stat; the name before it may hold spaces and brackets. Undefined: no such process, or no /proc. */
function startTimeOf(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19]
  } catch {
    return undefined
  }
}

function pidSpace(): string | null {
  try {
    return `${readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()} ${readlinkSync('/proc/self/ns/pid')}`
  } catch {
    return null
  }
}
