import { readFileSync } from 'node:fs'
import { readdir, readlink, symlink } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { EnvironmentError, RunnerUnavailableError } from '../../errors.ts'
import { removeTree } from '../remove-tree.ts'
import { isLeftover } from './owner.ts'
import { runTool } from './run-tool.ts'

/** What a sandbox may write into the shared folder, in MiB and in files. */
export const IO_MIB = 96
const IO_FILES = 30_000

/** What our file systems are called in the mount table; the sandbox can read it, so it tells nothing. */
const SOURCE = 'arena'
/** In a sandbox's own folder: a link to the shared folder, by which a killed process's mount is found. */
const LINK = 'io'

/**
 * Puts a small file system over the shared folder, so that code in the sandbox cannot fill the host's disk through it; what
 * the caller has put there before is kept. Only root can; links in it lead nowhere where the kernel knows `nosymfollow`.
 * `folder`: the sandbox's own on the host.
 */
export async function mountIo(folder: string, io: string): Promise<void> {
  await symlink(resolve(io), join(folder, LINK))
  const options = `mode=777,size=${IO_MIB}m,nr_inodes=${IO_FILES},nosuid,nodev`
  if ((await readdir(io)).length > 0) return mountWithContent(io, options)
  const first = await mount([...tmpfs(`${options},nosymfollow`), SOURCE, io])
  if (first === null) return
  const second = await mount([...tmpfs(options), SOURCE, io])
  if (second !== null) throw cannot(io, second)
}

const tmpfs = (options: string): readonly string[] => ['-t', 'tmpfs', '-o', options]

async function mountWithContent(io: string, options: string): Promise<void> {
  // The folder stays open as the current one of cp while the mount covers it.
  const script = 'cd "$3" && mount -t tmpfs -o "$1" "$2" "$3" && cp -a . "$3"/'
  const { exitCode, output } = await runTool('sh', ['-c', script, 'sh', options, SOURCE, io])
  if (exitCode !== 0) throw cannot(io, output)
}

async function mount(args: readonly string[]): Promise<string | null> {
  const { exitCode, output } = await runTool('mount', args)
  return exitCode === 0 ? null : output
}

const cannot = (io: string, reason: string): RunnerUnavailableError =>
  new RunnerUnavailableError(`the shared folder could not be mounted: ${reason.split('\n').at(-1)}`, {
    place: io,
  })

/** Removes a sandbox's folder on the host, with what is mounted below it or over its shared folder. */
export async function removeSandboxFolder(folder: string): Promise<void> {
  const shared = await readlink(join(folder, LINK)).catch(() => undefined)
  const isOurs = ({ target, source }: Mount): boolean =>
    target.startsWith(`${folder}/`) || (source === SOURCE && target === shared)
  // What was mounted last goes first.
  for (const { target } of readMounts().filter(isOurs).reverse())
    await runTool('umount', ['-l', '--', target])
  const left = readMounts().find(isOurs)
  // Never remove what is still a window into another folder.
  if (left)
    throw new EnvironmentError('a mount could not be taken away', { place: left.target, remedy: 'umount it' })
  await removeTree(folder)
}

/** Removes the folders of processes that no longer live; returns their tags. `clean` comes before each. */
export async function sweepFolders(
  workFolder: string,
  clean: (folder: string, tag: string) => Promise<void> = async () => undefined,
): Promise<readonly string[]> {
  const names = (await readdir(workFolder).catch(() => [])).filter(isLeftover)
  for (const name of names) {
    await clean(join(workFolder, name), name)
    await removeSandboxFolder(join(workFolder, name))
  }
  return names
}

interface Mount {
  readonly target: string
  readonly source: string
}

function readMounts(): readonly Mount[] {
  return readFileSync('/proc/self/mountinfo', 'utf8')
    .split('\n')
    .map((line) => {
      const [mounted = '', filesystem = ''] = line.split(' - ')
      return { target: plainPath(mounted.split(' ')[4] ?? ''), source: filesystem.split(' ')[1] ?? '' }
    })
}

/** Mount tables write white space and backslashes as octal numbers. */
const plainPath = (path: string): string =>
  path.replace(/\\([0-7]{3})/g, (_, octal: string) => String.fromCharCode(Number.parseInt(octal, 8)))
