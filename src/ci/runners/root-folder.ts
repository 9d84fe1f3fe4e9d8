import { lstatSync, readlinkSync, statSync } from 'node:fs'
import { mkdir, mkdtemp, rename, stat, symlink, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { EnvironmentError } from '../../errors.ts'
import { digestOfValue } from '../../schema/canonical.ts'
import { removeTree } from '../remove-tree.ts'
import type { Toolchains } from '../toolchains.ts'
import { HOME_INSIDE, IO_INSIDE, TOOLS_INSIDE } from './port.ts'
import { runTool } from './run-tool.ts'

/** The user inside every sandbox. Only its number is the host's. */
export const USER_INSIDE = 'runner'
export const HOST_INSIDE = 'runner'

const FOLDERS = [
  '/proc',
  '/sys',
  '/dev',
  '/tmp',
  '/etc',
  '/usr',
  '/var/tmp',
  '/run',
  HOME_INSIDE,
  IO_INSIDE,
  TOOLS_INSIDE,
]
/** Links where the distribution has merged them into /usr; else they are folders and bound. */
const SYSTEM_FOLDERS = ['bin', 'sbin', 'lib', 'lib32', 'lib64', 'libx32']

interface RootPlan {
  readonly folders: readonly string[]
  readonly links: readonly (readonly [string, string])[]
  readonly files: readonly (readonly [string, string])[]
}

/** Folders of the host that are no links into /usr and that programs need all the same. */
export function unmergedFolders(): readonly string[] {
  return SYSTEM_FOLDERS.map((name) => `/${name}`).filter(
    (path) => lstatSync(path, { throwIfNoEntry: false })?.isDirectory() === true,
  )
}

function planRoot(toolchains: Toolchains, uid: number): RootPlan {
  const isFolder = (path: string): boolean =>
    statSync(path, { throwIfNoEntry: false })?.isDirectory() === true
  const binds = toolchains.binds
  const links = SYSTEM_FOLDERS.map((name) => `/${name}`)
    .filter((path) => lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true)
    .map((path): [string, string] => [path, readlinkSync(path)])
  return {
    folders: [
      ...FOLDERS,
      ...unmergedFolders(),
      ...binds.filter(({ host }) => isFolder(host)).map(({ inside }) => inside),
    ],
    links: [
      ...links,
      ['/etc/mtab', '/proc/self/mounts'],
      ['/etc/os-release', '../usr/lib/os-release'],
      ...(toolchains.links ?? []).map(({ inside, target }): [string, string] => [inside, target]),
    ],
    files: [
      [
        '/etc/passwd',
        `root:x:0:0:root:/root:/bin/sh\n${USER_INSIDE}:x:${uid}:${uid}::${HOME_INSIDE}:/bin/bash\n`,
      ],
      ['/etc/group', `root:x:0:\n${USER_INSIDE}:x:${uid}:\n`],
      ['/etc/hosts', `127.0.0.1 localhost ${HOST_INSIDE}\n::1 localhost\n`],
      ['/etc/hostname', `${HOST_INSIDE}\n`],
      ['/etc/nsswitch.conf', 'passwd: files\ngroup: files\nhosts: files\n'],
      ['/etc/resolv.conf', ''],
      ...binds.filter(({ host }) => !isFolder(host)).map(({ inside }): [string, string] => [inside, '']),
    ],
  }
}

const made = new Map<string, Promise<string>>()

/**
 * The folder that is `/` in every sandbox with these toolchains: a few files of /etc and the places where the rest is
 * bound. Made once in `workFolder`, a few kilobytes, never written again.
 */
export function prepareRoot(workFolder: string, toolchains: Toolchains, uid: number): Promise<string> {
  const plan = planRoot(toolchains, uid)
  const folder = join(workFolder, `root-${digestOfValue(plan).slice(0, 16)}`)
  const known = made.get(folder) ?? makeRoot(folder, plan)
  made.set(folder, known)
  known.catch(() => made.delete(folder))
  return known.then(async () => {
    if (await stat(folder).catch(() => undefined)) return folder
    made.delete(folder)
    return prepareRoot(workFolder, toolchains, uid)
  })
}

async function makeRoot(folder: string, plan: RootPlan): Promise<string> {
  if (await stat(folder).catch(() => undefined)) return folder
  await mkdir(dirname(folder), { recursive: true })
  const scratch = await mkdtemp(`${folder}-making-`)
  const makeFolder = async (path: string): Promise<void> => {
    await mkdir(join(scratch, path), { recursive: true })
  }
  for (const path of plan.folders) await makeFolder(path)
  for (const [path, target] of plan.links) {
    await makeFolder(dirname(path))
    await symlink(target, join(scratch, path))
  }
  for (const [path, content] of plan.files) {
    await makeFolder(dirname(path))
    await writeFile(join(scratch, path), content, { mode: 0o644 })
  }
  // Whatever the mask of this process: the sandbox's user is another one and reads all of it.
  const { exitCode, output } = await runTool('chmod', ['-R', 'u+rwX,go=rX', '--', scratch])
  if (exitCode !== 0) throw new EnvironmentError(`chmod failed: ${output}`, { place: scratch })
  // Another process may have been faster with the same content.
  await rename(scratch, folder).catch(() => removeTree(scratch))
  return folder
}
