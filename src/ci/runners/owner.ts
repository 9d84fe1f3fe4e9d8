import { createHash } from 'node:crypto'
import { readFileSync, readlinkSync } from 'node:fs'
import { hostname } from 'node:os'
import { InputError } from '../../errors.ts'

/**
 * Everything that a sandbox makes outside itself (folders, control groups, mounts, containers, volumes) carries a tag: which
 * process of which boot of which machine owns it, and the sandbox's id. So leftovers are found by name alone.
 */
const TAG = /^arena-([0-9a-f]{6})-([0-9a-f]{8})-(\d+)-(\d+)-(\d+)-([A-Za-z0-9-]+)$/

const ID = /^[A-Za-z0-9][A-Za-z0-9-]{0,99}$/

interface Machine {
  readonly host: string
  readonly boot: string
  readonly pidNamespace: string
}

function thisMachine(): Machine {
  return {
    host: createHash('sha256').update(hostname()).digest('hex').slice(0, 6),
    boot: readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').slice(0, 8),
    pidNamespace: /\d+/.exec(readlinkSync('/proc/self/ns/pid'))?.[0] ?? '0',
  }
}

/** When a process started, in clock ticks since boot: tells it from a later one with the same id. Undefined when it is gone. */
export function startTimeOf(pid: number | 'self'): string | undefined {
  let stat: string
  try {
    stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
  } catch {
    return undefined
  }
  // The second field is a name in brackets that may hold spaces and brackets; state is field 3, the start time field 22.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return fields[0] === 'Z' || fields[0] === 'X' ? undefined : fields[19]
}

/** The tag of a sandbox of this process. Throws InputError for an id that cannot be part of a name. */
export function tagOf(id: string): string {
  if (!ID.test(id)) throw new InputError(`sandbox id '${id}': expected up to 100 letters, digits and dashes`)
  const { host, boot, pidNamespace } = thisMachine()
  return `arena-${host}-${boot}-${pidNamespace}-${process.pid}-${startTimeOf('self') ?? 0}-${id}`
}

/**
 * Whether a name is a tag whose owner certainly lives no more. Of another machine or process namespace nothing is certain,
 * so their sandboxes are left alone.
 */
export function isLeftover(name: string): boolean {
  const match = TAG.exec(name)
  if (!match) return false
  const [, host, boot, pidNamespace, pid, start] = match
  const here = thisMachine()
  if (host !== here.host) return false
  if (boot !== here.boot) return true
  if (pidNamespace !== here.pidNamespace) return false
  return startTimeOf(Number(pid)) !== start
}
