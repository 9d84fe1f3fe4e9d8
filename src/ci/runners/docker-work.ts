import { rmdir } from 'node:fs/promises'
import { join } from 'node:path'
import type Docker from 'dockerode'
import { RunnerUnavailableError } from '../../errors.ts'
import { asking, askingGone, LABEL } from './docker-client.ts'
import { ensureImage } from './docker-image.ts'
import { prepareRoot } from './root-folder.ts'
import { SYSTEM_ONLY } from './system-only.ts'

/**
 * Removes the overlays' work folders after volumeArea. The daemon's kernel leaves things of root in them, which only root can
 * remove: where there are any, a container that runs our own `rm` and nothing else does it.
 */
export async function removeWorkFolders(
  docker: Docker,
  workFolder: string,
  folder: string,
  tag: string,
): Promise<void> {
  const results = await Promise.all(
    ['home', 'tmp'].map((part) => isRemoved(join(folder, 'work', part, 'work'))),
  )
  if (results.every(Boolean)) return
  const image = await ensureImage(docker, await prepareRoot(workFolder, SYSTEM_ONLY, 0))
  const name = `${tag}-rm`
  const container = await asking('the cleaning container could not be made', () =>
    docker.createContainer({
      name,
      Image: image,
      Labels: { [LABEL]: tag },
      Cmd: ['/bin/rm', '-rf', '--one-file-system', '/run/home/work', '/run/tmp/work'],
      User: '0:0',
      HostConfig: {
        NetworkMode: 'none',
        ReadonlyRootfs: true,
        CapDrop: ['ALL'],
        CapAdd: ['DAC_OVERRIDE'],
        SecurityOpt: ['no-new-privileges'],
        Mounts: [
          ...SYSTEM_ONLY.binds.map(({ host, inside }) => ({
            Type: 'bind' as const,
            Source: host,
            Target: inside,
            ReadOnly: true,
          })),
          { Type: 'bind', Source: join(folder, 'work'), Target: '/run' },
        ],
      },
    }),
  )
  try {
    await asking('the cleaning container could not be started', () => container.start())
    const { StatusCode } = await asking('the cleaning container was lost', () => container.wait())
    if (StatusCode !== 0)
      throw new RunnerUnavailableError(`the overlay's work folder could not be removed: ${StatusCode}`, {
        place: folder,
      })
  } finally {
    await askingGone('the cleaning container could not be removed', () => container.remove({ force: true }))
  }
}

async function isRemoved(folder: string): Promise<boolean> {
  try {
    await rmdir(folder)
    return true
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'ENOENT'
  }
}
