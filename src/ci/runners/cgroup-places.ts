import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

export type Controller = 'memory' | 'pids' | 'cpu' | 'cpuacct'

/** Where a controller's groups are made: the top folder of its hierarchy, as this machine or container shows it. */
export interface ControllerPlace {
  readonly version: 1 | 2
  readonly root: string
}

/** Finds each controller in the text of /proc/self/mountinfo: in a hierarchy of version 1, or else in the unified one. */
export function findControllers(mountinfo: string): ReadonlyMap<Controller, ControllerPlace> {
  const found = new Map<Controller, ControllerPlace>()
  let unified: string | undefined
  for (const line of mountinfo.split('\n')) {
    const [mount = '', filesystem = ''] = line.split(' - ')
    const root = mount.split(' ')[4]?.replaceAll('\\040', ' ')
    const [type, , options = ''] = filesystem.split(' ')
    if (root === undefined) continue
    if (type === 'cgroup2') unified ??= root
    if (type !== 'cgroup') continue
    for (const name of ['memory', 'pids', 'cpu', 'cpuacct'] as const)
      if (options.split(',').includes(name) && !found.has(name)) found.set(name, { version: 1, root })
  }
  const offered = unified ? readWords(join(unified, 'cgroup.controllers')) : []
  for (const name of ['memory', 'pids', 'cpu'] as const)
    if (unified && offered.includes(name) && !found.has(name)) found.set(name, { version: 2, root: unified })
  return found
}

/** The top folders in which groups of ours may stand. */
export const rootsOf = (places: ReadonlyMap<Controller, ControllerPlace>): readonly string[] => [
  ...new Set([...places.values()].map(({ root }) => root)),
]

export function readWords(file: string): readonly string[] {
  return existsSync(file)
    ? readFileSync(file, 'utf8')
        .split(/\s+/)
        .filter((word) => word !== '')
    : []
}
