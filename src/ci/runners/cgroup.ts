import { mkdirSync, readdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { EnforcedLimit } from '../../schema/ci-run.ts'
import {
  type Controller,
  type ControllerPlace,
  findControllers,
  readWords,
  rootsOf,
} from './cgroup-places.ts'
import { isLeftover } from './owner.ts'
import type { Limits } from './port.ts'

/** What the kernel tells of a group. */
export interface GroupView {
  /** Ids of the processes in it. */
  members(): readonly number[]
  /** How many processes the kernel has killed for memory so far. */
  memoryKills(): number
  usage(): { readonly cpuMs: number | null; readonly peakMemoryMiB: number | null }
  /** Kills all members and returns when none is left. Throws when the kernel does not let them die. */
  killAll(): Promise<void>
}

/** The kernel's hold on everything in one sandbox. */
export interface ControlGroup extends GroupView {
  /** A process that writes its id into each of these is in the group, with all that it starts. */
  readonly procsFiles: readonly string[]
  readonly limits: readonly EnforcedLimit[]
  remove(): Promise<void>
}

const PERIOD_US = 100_000
const PATIENCE_MS = 10_000

/** Makes the group, with every limit that this machine's hierarchies can enforce. Only root may; the others report `none`. */
export function createControlGroup(tag: string, limits: Limits): ControlGroup {
  const places = findControllers(readFileSync('/proc/self/mountinfo', 'utf8'))
  const folders = new Map<string, string>()
  for (const [controller, place] of places) {
    if (place.version === 2) delegate(place.root, controller)
    const folder = join(place.root, tag)
    if (isMade(folder)) folders.set(place.root, folder)
  }
  const folderOf = (controller: Controller): string | undefined =>
    folders.get(places.get(controller)?.root ?? '')
  const by = (controller: Controller, value: string, files: readonly Setting[]): EnforcedLimit => {
    const limit = controller === 'cpu' || controller === 'cpuacct' ? 'cpus' : controller
    const place = places.get(controller)
    const folder = folderOf(controller)
    const set = place && folder && files.every((file) => setIn(folder, place, file))
    return { limit, value, by: set ? `cgroup-v${place.version}` : 'none' }
  }
  const all = [...folders.values()]
  return {
    procsFiles: all.map((folder) => join(folder, 'cgroup.procs')),
    limits: [
      by('memory', `${limits.memoryMiB} MiB`, memorySettings(limits.memoryMiB * 1024 * 1024)),
      by('pids', String(limits.pids), [{ v1: 'pids.max', v2: 'pids.max', value: limits.pids }]),
      by('cpu', String(limits.cpus), cpuSettings(limits.cpus)),
    ],
    ...viewOf(all, folderOf, places, null),
    remove: () => removeGroups(all),
  }
}

/** The groups of a process of somebody else's making, such as a container's first one; it is no member and never killed. */
export function groupsOf(pid: number): GroupView {
  const places = findControllers(readFileSync('/proc/self/mountinfo', 'utf8'))
  const lines = readFileSync(`/proc/${pid}/cgroup`, 'utf8').trim().split('\n')
  const folderOf = (controller: Controller): string | undefined => {
    const place = places.get(controller)
    const line = lines.find((text) => {
      const names = text.split(':')[1] ?? ''
      return place?.version === 2 ? names === '' : names.split(',').includes(controller)
    })
    return place && line ? join(place.root, line.split(':').slice(2).join(':')) : undefined
  }
  const folder = folderOf('pids') ?? folderOf('memory')
  return viewOf(folder ? [folder] : [], folderOf, places, pid)
}

function viewOf(
  folders: readonly string[],
  folderOf: (controller: Controller) => string | undefined,
  places: ReadonlyMap<Controller, ControllerPlace>,
  keep: number | null,
): GroupView {
  return {
    members: () => membersOf(folders, keep),
    memoryKills: () => memoryKillsIn(folderOf('memory'), places.get('memory')),
    usage: () => ({
      cpuMs: cpuMsIn(folderOf('cpuacct') ?? folderOf('cpu')),
      peakMemoryMiB: peakMiBIn(folderOf('memory')),
    }),
    killAll: () => killMembers(folders, keep),
  }
}

/** False where the hierarchy is not ours to write, as in many containers. */
function isMade(folder: string): boolean {
  try {
    mkdirSync(folder, { recursive: true })
    return true
  } catch {
    return false
  }
}

interface Setting {
  readonly v1: string | null
  readonly v2: string | null
  readonly value: string | number
  /** A file that a kernel may lack without the limit being lost. */
  readonly optional?: boolean
}

/** Memory and swap together. Without swap accounting (no memsw file) version 1 is told not to swap the group. */
const memorySettings = (bytes: number): readonly Setting[] => [
  { v1: 'memory.limit_in_bytes', v2: 'memory.max', value: bytes },
  { v1: 'memory.memsw.limit_in_bytes', v2: null, value: bytes, optional: true },
  { v1: 'memory.swappiness', v2: null, value: 0, optional: true },
  { v1: null, v2: 'memory.swap.max', value: 0, optional: true },
]

const cpuSettings = (cpus: number): readonly Setting[] => {
  const quota = Math.round(cpus * PERIOD_US)
  return [
    { v1: 'cpu.cfs_period_us', v2: null, value: PERIOD_US },
    { v1: 'cpu.cfs_quota_us', v2: 'cpu.max', value: quota },
  ]
}

function setIn(folder: string, place: ControllerPlace, setting: Setting): boolean {
  const file = place.version === 1 ? setting.v1 : setting.v2
  if (file === null) return true
  try {
    const text = file === 'cpu.max' ? `${setting.value} ${PERIOD_US}` : String(setting.value)
    writeFileSync(join(folder, file), text, { flag: 'r+' })
    return true
  } catch {
    return setting.optional === true
  }
}

/** Version 2 gives a controller to child groups only where the parent says so. */
function delegate(root: string, controller: Controller): void {
  const file = join(root, 'cgroup.subtree_control')
  if (readWords(file).includes(controller)) return
  try {
    writeFileSync(file, `+${controller}`, { flag: 'r+' })
  } catch {
    // In a container whose own processes sit in the top group the kernel refuses; the limit is then reported as `none`.
  }
}

const readNumber = (folder: string, file: string, key?: string): number | null => {
  const words = readWords(join(folder, file))
  const value = Number(key === undefined ? words[0] : words[words.indexOf(key) + 1])
  return Number.isFinite(value) && (key === undefined || words.includes(key)) ? value : null
}

function memoryKillsIn(folder: string | undefined, place: ControllerPlace | undefined): number {
  if (!folder || !place) return 0
  return readNumber(folder, place.version === 1 ? 'memory.oom_control' : 'memory.events', 'oom_kill') ?? 0
}

function cpuMsIn(folder: string | undefined): number | null {
  if (!folder) return null
  const nanoseconds = readNumber(folder, 'cpuacct.usage')
  if (nanoseconds !== null) return nanoseconds / 1e6
  const microseconds = readNumber(folder, 'cpu.stat', 'usage_usec')
  return microseconds === null ? null : microseconds / 1e3
}

function peakMiBIn(folder: string | undefined): number | null {
  if (!folder) return null
  const bytes = readNumber(folder, 'memory.max_usage_in_bytes') ?? readNumber(folder, 'memory.peak')
  return bytes === null ? null : bytes / (1024 * 1024)
}

function membersOf(folders: readonly string[], keep: number | null): readonly number[] {
  const all = folders.flatMap((folder) => readWords(join(folder, 'cgroup.procs')).map(Number))
  return [...new Set(all)].filter((pid) => pid !== keep)
}

async function killMembers(folders: readonly string[], keep: number | null): Promise<void> {
  const deadline = performance.now() + PATIENCE_MS
  for (let pause = 0; ; pause = Math.min(pause + 1, 20)) {
    const members = membersOf(folders, keep)
    if (members.length === 0) return
    if (performance.now() > deadline) throw new Error(`process ${members[0]} does not die`)
    // 0 stands for a process of another process namespace, which has no name here.
    for (const pid of members) if (pid > 0) killQuietly(pid)
    await delay(pause)
  }
}

/** The process may have ended since it was listed. */
export function killQuietly(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error
  }
}

async function removeGroups(folders: readonly string[]): Promise<void> {
  await killMembers(folders, null)
  const deadline = performance.now() + PATIENCE_MS
  for (const folder of folders) {
    for (let pause = 1; !removed(folder, performance.now() > deadline); pause = Math.min(pause * 2, 50)) {
      await delay(pause)
    }
  }
}

/** A group is busy for a moment after its last member has died. */
function removed(folder: string, isLast: boolean): boolean {
  try {
    rmdirSync(folder)
    return true
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined
    if (code === 'ENOENT') return true
    if (code !== 'EBUSY' || isLast) throw error
    return false
  }
}

/** Removes the groups of processes that no longer live, and returns their tags. */
export async function sweepControlGroups(): Promise<readonly string[]> {
  const places = findControllers(readFileSync('/proc/self/mountinfo', 'utf8'))
  const swept = new Set<string>()
  for (const root of rootsOf(places)) {
    for (const name of readdirSync(root).filter(isLeftover)) {
      await removeGroups([join(root, name)])
      swept.add(name)
    }
  }
  return [...swept]
}
