import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type Docker from 'dockerode'
import { EnvironmentError, RunnerUnavailableError } from '../../errors.ts'
import { asking, askingGone, LABEL } from './docker-client.ts'
import type { AreaSources } from './docker-container.ts'
import { OVERLAY_SCRIPT, overlayOptions, topOptions } from './overlay-script.ts'
import type { SandboxSpec } from './port.ts'
import { runTool } from './run-tool.ts'

/** The stacked layers of a container. */
export interface Area extends AreaSources {
  /** Host folder of what is written on top: with `home/` and `tmp/`. */
  readonly top: string
  /** Host folder that shows the stack; null where only the daemon sees it. */
  readonly merged: string | null
  remove(): Promise<void>
}

const SCRIPT = `
set -eu
folder=$1 disk=$2 overlay=$3 owner=$4
shift 4
cd "$folder"
mkdir -m 700 top
mount -t tmpfs -o "$disk" arena top
bind=bind,ro
${OVERLAY_SCRIPT}
`

/** As root, on the daemon's own machine: mounts below the sandbox's folder, which go with it. The top has its size. */
export async function mountArea(folder: string, spec: SandboxSpec, uid: number): Promise<Area> {
  const args = [
    folder,
    topOptions(spec.limits.diskMiB),
    overlayOptions(true),
    String(uid),
    ...spec.layers,
    '--',
  ]
  const { exitCode, output } = await runTool('sh', ['-c', SCRIPT, 'area', ...args])
  if (exitCode !== 0)
    throw new RunnerUnavailableError(`the sandbox's mounts could not be made: ${output.split('\n').at(-1)}`, {
      place: folder,
    })
  const merged = join(folder, 'area')
  return {
    home: join(merged, 'home'),
    tmp: join(merged, 'tmp'),
    top: join(folder, 'top', 'up'),
    merged,
    // The mounts go with the sandbox's folder.
    remove: async () => undefined,
  }
}

/** As an ordinary user who may speak to the daemon: it mounts the stack, as labelled volumes. Nothing limits the top. */
export async function volumeArea(
  docker: Docker,
  folder: string,
  tag: string,
  spec: SandboxSpec,
): Promise<Area> {
  const names: string[] = []
  const remove = async (): Promise<void> => {
    for (const name of names)
      await askingGone('a volume could not be removed', () => docker.getVolume(name).remove())
  }
  const make = async (part: 'home' | 'tmp'): Promise<string> => {
    const [upper, work, none] = ['top', 'work', 'none'].map((name) => join(folder, name, part))
    for (const path of [upper, work, none]) if (path) await mkdir(path, { recursive: true })
    const lowers = [...spec.layers.map((layer) => join(layer, part)), none].join(':')
    const o = `lowerdir=${lowers},upperdir=${upper},workdir=${work},userxattr`
    if (/[,:]/.test(folder + spec.layers.join('')) || o.length > 4000)
      throw new EnvironmentError('the daemon cannot mount this path', {
        place: folder,
        remedy: 'use a data folder with a short name without commas and colons',
      })
    const name = `${tag}-${part}`
    await asking('a volume could not be made', () =>
      docker.createVolume({
        Name: name,
        Driver: 'local',
        Labels: { [LABEL]: tag },
        DriverOpts: { type: 'overlay', device: 'overlay', o },
      }),
    )
    names.push(name)
    return name
  }
  try {
    return {
      home: await make('home'),
      tmp: await make('tmp'),
      top: join(folder, 'top'),
      merged: null,
      remove,
    }
  } catch (error) {
    await remove()
    throw error
  }
}
