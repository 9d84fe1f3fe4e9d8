import { randomUUID } from 'node:crypto'
import { mkdir, realpath } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { isRoot, ownLayer, sandboxUid } from '../layers.ts'
import { bubblewrapFacts, probeBubblewrap } from './bubblewrap-probe.ts'
import { createBubblewrapSandbox } from './bubblewrap-sandbox.ts'
import { type ControlGroup, createControlGroup, sweepControlGroups } from './cgroup.ts'
import { type Holder, startHolder } from './holder.ts'
import { mountIo, removeSandboxFolder, sweepFolders } from './host-mounts.ts'
import { type NetworkRoom, openNetworkRoom } from './network-room.ts'
import { tagOf } from './owner.ts'
import type { Runner, Sandbox, SandboxSpec } from './port.ts'
import { prepareRoot } from './root-folder.ts'
import { createUndo, giveUp, makeSandboxFolder } from './undo.ts'

export interface BubblewrapOptions {
  /** Folder for what sandboxes need on disk while they are open; made when it is missing. */
  readonly workFolder: string
}

/**
 * Sandboxes by bubblewrap. As root they hold every limit and run as an unprivileged user of the host; as an ordinary user
 * they run as that user in a user namespace, and what then holds no limit says so in `limits`.
 */
export function createBubblewrapRunner(options: BubblewrapOptions): Runner {
  const workFolder = resolve(options.workFolder)
  const runner: Runner = {
    name: 'bubblewrap',
    open: (spec) => openSandbox(workFolder, spec),
    probe: () => probeBubblewrap(runner, workFolder, `probe-${randomUUID()}`),
    sweep: () => sweep(workFolder),
  }
  return runner
}

async function openSandbox(parent: string, spec: SandboxSpec): Promise<Sandbox> {
  const tag = tagOf(spec.id)
  await mkdir(parent, { recursive: true })
  // The mount table knows real paths only.
  const workFolder = await realpath(parent)
  const folder = join(workFolder, tag)
  const facts = await bubblewrapFacts()
  const uid = sandboxUid()
  const asRoot = isRoot()
  const undo = createUndo()
  try {
    const root = await prepareRoot(workFolder, spec.toolchains, uid)
    for (const layer of spec.layers) await ownLayer(layer)
    await makeSandboxFolder(folder, spec.id)
    undo.add(() => removeSandboxFolder(folder))
    await mkdir(join(folder, 'stage'))
    await mkdir(join(folder, 'top'))
    let group: ControlGroup | null = null
    if (asRoot) {
      await mountIo(folder, spec.io)
      group = createControlGroup(tag, spec.limits)
      undo.add(group.remove)
    }
    const diskMiB = asRoot || facts.tmpfsTakesUserXattrs ? spec.limits.diskMiB : null
    const holder: Holder = await startHolder({ folder, root, spec, diskMiB, asRoot, uid })
    undo.add(holder.stop)
    const network = await networkOf(spec, holder, asRoot)
    if (network) undo.add(network.stop)
    const namespace = network?.namespace ?? null
    const parts = { spec, holder, group, uid, asRoot, facts, diskMiB, network: namespace }
    return createBubblewrapSandbox({ ...parts, close: undo.run })
  } catch (error) {
    throw await giveUp(undo, folder, error)
  }
}

const networkOf = async (
  { fetchSocket }: SandboxSpec,
  holder: Holder,
  asRoot: boolean,
): Promise<NetworkRoom | undefined> =>
  fetchSocket === undefined
    ? undefined
    : openNetworkRoom({ socket: fetchSocket, of: asRoot ? null : { namespace: 'user', pid: holder.pid } })

async function sweep(workFolder: string): Promise<number> {
  const groups = isRoot() ? await sweepControlGroups() : []
  const folders = await sweepFolders(await realpath(workFolder).catch(() => workFolder))
  return new Set([...groups, ...folders]).size
}
