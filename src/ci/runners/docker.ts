import { randomUUID } from 'node:crypto'
import { mkdir, realpath } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import type Docker from 'dockerode'
import { EnvironmentError } from '../../errors.ts'
import type { EnforcedLimit } from '../../schema/ci-run.ts'
import { isRoot, ownLayer, sandboxUid } from '../layers.ts'
import { type Area, mountArea, volumeArea } from './docker-area.ts'
import { asking, askingGone, connectDocker, type DockerAddress, LABEL, statusOf } from './docker-client.ts'
import { containerOptions } from './docker-container.ts'
import { ensureImage } from './docker-image.ts'
import { watchContainer } from './docker-life.ts'
import { probeDocker } from './docker-probe.ts'
import { createDockerSandbox } from './docker-sandbox.ts'
import { removeWorkFolders } from './docker-work.ts'
import { mountIo, removeSandboxFolder, sweepFolders } from './host-mounts.ts'
import { type NetworkRoom, openNetworkRoom } from './network-room.ts'
import { isLeftover, tagOf } from './owner.ts'
import { networkLimit, type Runner, type Sandbox, type SandboxSpec } from './port.ts'
import { prepareRoot } from './root-folder.ts'
import { createUndo, giveUp, makeSandboxFolder, type Undo } from './undo.ts'

export interface DockerOptions extends DockerAddress {
  /** Folder for what sandboxes need on disk while they are open; made when it is missing. The daemon must see it too. */
  readonly workFolder: string
}

/**
 * Sandboxes as containers of the daemon on this machine, made of its own toolchains: an image without any program, no
 * registry. The same paths, user and limits as bubblewrap's. Containers that are not ours are never touched.
 */
export function createDockerRunner(options: DockerOptions): Runner {
  const docker = connectDocker(options)
  const parent = resolve(options.workFolder)
  const folderOf = async (): Promise<string> => {
    await mkdir(parent, { recursive: true })
    return realpath(parent)
  }
  const runner: Runner = {
    name: 'docker',
    open: async (spec) => openSandbox(docker, await folderOf(), spec),
    probe: async () => probeDocker(docker, runner, await folderOf(), `probe-${randomUUID()}`),
    sweep: async () => sweep(docker, await folderOf()),
  }
  return runner
}

async function openSandbox(docker: Docker, workFolder: string, spec: SandboxSpec): Promise<Sandbox> {
  const tag = tagOf(spec.id)
  const folder = join(workFolder, tag)
  const uid = sandboxUid()
  const undo = createUndo()
  try {
    const root = await prepareRoot(workFolder, spec.toolchains, uid)
    const image = await ensureImage(docker, root)
    for (const layer of spec.layers) await ownLayer(layer)
    await makeSandboxFolder(folder, spec.id)
    undo.add(() => removeSandboxFolder(folder))
    if (isRoot()) await mountIo(folder, spec.io)
    else undo.add(() => removeWorkFolders(docker, workFolder, folder, tag))
    const area = isRoot() ? await mountArea(folder, spec, uid) : await volumeArea(docker, folder, tag, spec)
    undo.add(area.remove)
    const container = await startContainer(docker, spec, tag, image, area, undo)
    if (spec.fetchSocket !== undefined) undo.add((await networkOf(spec.fetchSocket, container)).stop)
    const life = await watchContainer(container)
    const limits = limitsOf(spec, await asking('the daemon does not answer', () => docker.info()))
    return createDockerSandbox({ spec, container, life, uid, area, limits, close: undo.run })
  } catch (error) {
    throw await giveUp(undo, folder, error)
  }
}

async function startContainer(
  docker: Docker,
  spec: SandboxSpec,
  tag: string,
  image: string,
  area: Area,
  undo: Undo,
): Promise<Docker.Container> {
  const container = await asking('the container could not be made', () =>
    docker.createContainer(containerOptions(spec, tag, image, area)),
  )
  undo.add(() => removeContainer(container))
  await asking('the container could not be started', () => container.start())
  return container
}

/** The forwarder joins the container's network namespace from outside, which only root may. */
async function networkOf(socket: string, container: Docker.Container): Promise<NetworkRoom> {
  if (!isRoot())
    throw new EnvironmentError('the warm phase of a container needs root', {
      remedy: 'run it as root, or with --sandbox bubblewrap',
    })
  const { State } = await asking('the daemon does not answer', () => container.inspect())
  return openNetworkRoom({ socket, of: { namespace: 'net', pid: State.Pid } })
}

const removeContainer = (container: Docker.Container): Promise<void> =>
  askingGone('the container could not be removed', async () => {
    try {
      await container.remove({ force: true })
    } catch (error) {
      // Somebody removes it already: wait for that.
      if (statusOf(error) !== 409) throw error
      await container.wait({ condition: 'removed' })
    }
  })

interface DaemonInfo {
  readonly MemoryLimit?: boolean
  readonly SwapLimit?: boolean
  readonly PidsLimit?: boolean
  readonly CpuCfsQuota?: boolean
}

function limitsOf(spec: SandboxSpec, info: DaemonInfo): readonly EnforcedLimit[] {
  const { memoryMiB, pids, cpus, diskMiB } = spec.limits
  const by = (holds: boolean | undefined): EnforcedLimit['by'] => (holds === false ? 'none' : 'docker')
  return [
    { limit: 'memory', value: `${memoryMiB} MiB`, by: by(info.MemoryLimit) },
    { limit: 'pids', value: String(pids), by: by(info.PidsLimit) },
    { limit: 'cpus', value: String(cpus), by: by(info.CpuCfsQuota) },
    { limit: 'disk', value: `${diskMiB} MiB`, by: isRoot() ? 'tmpfs' : 'none' },
    { limit: 'network', value: networkLimit(spec), by: 'docker' },
    { limit: 'time', value: 'per step', by: 'runner' },
    { limit: 'output', value: 'per step', by: 'runner' },
  ]
}

async function sweep(docker: Docker, workFolder: string): Promise<number> {
  const filters = { label: [LABEL] }
  const containers = await asking('the daemon does not answer', () =>
    docker.listContainers({ all: true, filters }),
  )
  const swept = new Set<string>()
  for (const { Id, Labels } of containers) {
    const tag = Labels[LABEL] ?? ''
    if (!isLeftover(tag)) continue
    await removeContainer(docker.getContainer(Id))
    swept.add(tag)
  }
  const { Volumes } = await asking('the daemon does not answer', () => docker.listVolumes({ filters }))
  for (const { Name, Labels } of Volumes ?? []) {
    const tag = Labels?.[LABEL] ?? ''
    if (!isLeftover(tag)) continue
    await askingGone('a volume could not be removed', () => docker.getVolume(Name).remove())
    swept.add(tag)
  }
  const clean = (folder: string, tag: string): Promise<void> =>
    isRoot() ? Promise.resolve() : removeWorkFolders(docker, workFolder, folder, tag)
  for (const tag of await sweepFolders(workFolder, clean)) swept.add(tag)
  return swept.size
}
