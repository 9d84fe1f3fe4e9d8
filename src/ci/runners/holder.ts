import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { RunnerUnavailableError } from '../../errors.ts'
import { OVERLAY_SCRIPT, overlayOptions, topOptions } from './overlay-script.ts'
import type { SandboxSpec } from './port.ts'
import { unmergedFolders } from './root-folder.ts'

/**
 * The holder is a process of ours that keeps a private mount namespace: nothing of the host is in it but what is bound. It
 * reads its standard input, which we never write: when we die, however, the kernel closes it, the holder ends, and the
 * namespace with all its mounts is gone.
 *
 * In its root: /output (the named pipe that a step writes to), /in (what becomes the sandbox's /), /area (the overlay: home/
 * and tmp/), /io, and the host's /usr, /proc and /dev, which start bubblewrap.
 */
const SCRIPT = `
set -eu
folder=$1 table=$2 disk=$3 overlay=$4 owner=$5
shift 5
stage=$folder/stage
mount -t tmpfs -o mode=755,size=1m,nr_inodes=2048 arena "$stage"
cd "$stage"
mkdir usr proc dev tmp in io old
mkdir -m 700 top
mkfifo -m 666 output
if [ "$disk" = none ]; then mount --bind "$folder/top" top; else mount -t tmpfs -o "$disk" arena top; fi
bind=bind
${OVERLAY_SCRIPT}
for name in bin sbin lib lib32 lib64 libx32; do
  if [ -L "/$name" ]; then links="\${links-} /$name"; fi
done
if [ -n "\${links-}" ]; then cp -P $links .; fi
for path in "$@"; do folders="\${folders-} .$path"; done
mkdir -p usr proc dev \${folders-}
printf '%s' "$table" > table
mount --all --no-canonicalize --fstab table
rm table
pivot_root . old
cd /
umount -l old
echo ready
read -r _ || true
`

export interface Holder {
  readonly pid: number
  /** What the holder's namespace shows at a path, as this process can reach it. */
  readonly path: (inside: string) => string
  readonly isAlive: () => boolean
  stop(): Promise<void>
}

export interface HolderRequest {
  /** Host folder of this sandbox, with `stage/` and `top/`. */
  readonly folder: string
  readonly root: string
  readonly spec: SandboxSpec
  /** MiB of the top layer's own file system; null keeps it in `top/`, without a limit. */
  readonly diskMiB: number | null
  /** Root's own mounts; an ordinary user makes them in a user namespace. */
  readonly asRoot: boolean
  readonly uid: number
}

/** Starts the holder and returns when every mount is there. Throws RunnerUnavailableError with the failing tool's words. */
export async function startHolder(request: HolderRequest): Promise<Holder> {
  const { spec } = request
  const unshare = request.asRoot ? [] : ['--user', '--map-root-user']
  const child = spawn(
    'unshare',
    [
      ...unshare,
      '--mount',
      '--propagation',
      'private',
      'sh',
      '-c',
      SCRIPT,
      'holder',
      request.folder,
      mountTable(request),
      request.diskMiB === null ? 'none' : topOptions(request.diskMiB),
      overlayOptions(request.asRoot),
      request.asRoot ? String(request.uid) : '-',
      ...spec.layers,
      '--',
      ...unmergedFolders(),
    ],
    { stdio: ['pipe', 'pipe', 'pipe'], env: { PATH: '/usr/sbin:/usr/bin:/sbin:/bin', LC_ALL: 'C' } },
  )
  const holder = holderOf(child)
  const problem = await readiness(child)
  if (problem === null) return holder
  await holder.stop()
  throw new RunnerUnavailableError(`the sandbox's mounts could not be made: ${problem}`, {
    place: request.folder,
    remedy: "see 'arena doctor'",
  })
}

/** All binds as one table, in order: one program makes them, since each start of `mount` costs more than what it does. */
function mountTable({ folder, root, spec }: HolderRequest): string {
  const stage = join(folder, 'stage')
  const bind = (host: string, inside: string, how: 'bind' | 'rbind'): string =>
    `${tableWord(host)} ${tableWord(join(stage, inside))} none ${how} 0 0\n`
  return [
    bind(spec.io, 'io', 'bind'),
    bind(root, 'in', 'bind'),
    bind(spec.tools, 'in/arena/tools', 'rbind'),
    ...spec.toolchains.binds.map(({ host, inside }) => bind(host, join('in', inside), 'rbind')),
    ...['/usr', '/proc', '/dev', ...unmergedFolders()].map((path) => bind(path, path, 'rbind')),
  ].join('')
}

/** Mount tables are split at white space, and write it as octal numbers. */
const tableWord = (path: string): string =>
  path.replace(/[ \t\n\\#]/g, (letter) => `\\${letter.charCodeAt(0).toString(8).padStart(3, '0')}`)

function holderOf(child: ChildProcess): Holder {
  const pid = child.pid ?? 0
  return {
    pid,
    path: (inside) => join(`/proc/${pid}/root`, inside),
    isAlive: () => child.exitCode === null && child.signalCode === null,
    async stop() {
      if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return
      const exited = once(child, 'exit')
      child.kill('SIGKILL')
      await exited
    },
  }
}

/** Null when ready, else why not. */
function readiness(child: ChildProcess): Promise<string | null> {
  return new Promise((resolve) => {
    const errors: string[] = []
    child.stderr?.on('data', (chunk: Buffer) => errors.push(chunk.toString('utf8')))
    child.on('error', (error) => resolve(error.message))
    child.on('close', () => resolve(errors.join('').trim().split('\n').at(-1) || 'the holder ended'))
    // The holder's death, which we cause, must not reach us as a broken pipe.
    child.stdin?.on('error', () => undefined)
    if (child.stdout) createInterface({ input: child.stdout }).once('line', () => resolve(null))
  })
}
