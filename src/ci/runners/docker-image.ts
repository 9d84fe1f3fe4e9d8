import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { basename } from 'node:path'
import type Docker from 'dockerode'
import { asking, statusOf } from './docker-client.ts'

/**
 * The name of an image that holds the sandbox's root folder and nothing else: no program, a few kilobytes. Made from the
 * folder once per daemon, without any registry. `folder`: see prepareRoot; its name says its content.
 */
export function ensureImage(docker: Docker, folder: string): Promise<string> {
  const tag = basename(folder).replace(/^root-/, '')
  const name = `ci-arena-root:${tag}`
  return asking(`the image ${name} could not be made`, async () => {
    const isThere = await docker
      .getImage(name)
      .inspect()
      .then(
        () => true,
        (error: unknown) => {
          if (statusOf(error) === 404) return false
          throw error
        },
      )
    if (!isThere) await importFolder(docker, folder, tag)
    return name
  })
}

async function importFolder(docker: Docker, folder: string, tag: string): Promise<void> {
  const tar = spawn(
    'tar',
    ['--create', '--sort=name', '--mtime=@0', '--owner=0', '--group=0', '--numeric-owner', '-C', folder, '.'],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  )
  const exited = once(tar, 'exit')
  const answer = await docker.importImage(tar.stdout, { repo: 'ci-arena-root', tag })
  answer.resume()
  await once(answer, 'end')
  const [code] = await exited
  if (code !== 0) throw new Error(`tar ended with ${code}`)
}
