import { mkdir, mkdtemp, rename, rm, stat } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { EnvironmentError, InputError } from '../errors.ts'
import type { LoadedTask } from '../schema/task.ts'
import { git, runGit } from './git.ts'

/** The last part of owner/name: the folder's name on GitHub's runners. */
export const repoNameOf = (loaded: LoadedTask): string =>
  loaded.task.repository.name.split('/')[1] ?? 'repository'

const exists = async (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    () => false,
  )

/** Makes a repository that holds the task's commits, for reading only. Returns its path. */
async function openSource(loaded: LoadedTask, scratch: string): Promise<string> {
  const place = join(loaded.folder, 'task.json')
  const { bundle, path } = loaded.task.repository
  const source = path ? resolve(loaded.folder, path) : join(scratch, 'source.git')
  if (!path && bundle) {
    const cloned = await runGit({
      cwd: scratch,
      args: ['clone', '--quiet', '--bare', '--no-tags', join(loaded.folder, bundle), source],
    })
    if (cloned.exitCode !== 0)
      throw new InputError(
        `repository.bundle: not a usable git bundle (${cloned.stderr.trim().split('\n').at(-1)})`,
        { place },
      )
  }
  const known = await runGit({
    cwd: source,
    args: ['cat-file', '-e', `${loaded.task.baseCommit}^{tree}`],
  }).catch((cause: unknown) => {
    throw new InputError(`repository.path: ${source} cannot be read`, { place, cause })
  })
  if (known.exitCode !== 0)
    throw new InputError(`baseCommit: ${loaded.task.baseCommit} is not in the repository`, {
      place,
      remedy: path ? 'fetch it, or correct the field' : 'make the bundle again, or correct the field',
    })
  return source
}

/**
 * Makes the honest checkout: a repository whose only objects are the base tree and one root commit with fixed author and
 * the base commit's date. Nothing of the past or the future can be found in it: objects are named one by one and packed
 * anew, since clones, shallow fetches and shared object stores all were seen to leak later commits.
 */
async function makeTemplate(source: string, baseCommit: string, template: string): Promise<void> {
  await mkdir(template, { recursive: true })
  await git(template, ['init', '--quiet', '--initial-branch=main'])
  const tree = (await git(source, ['rev-parse', `${baseCommit}^{tree}`])).toString('utf8').trim()
  const date = (await git(source, ['show', '-s', '--format=%ct', baseCommit])).toString('utf8').trim()
  const objects = await git(source, ['rev-list', '--objects', '--no-object-names', tree])
  const pack = await git(source, ['pack-objects', '--stdout', '-q'], { input: objects })
  await git(template, ['index-pack', '--stdin', '--strict'], { input: pack })
  const person = { NAME: 'CI Arena', EMAIL: 'arena@example.invalid', DATE: `${date} +0000` }
  const identity = Object.fromEntries(
    ['AUTHOR', 'COMMITTER'].flatMap((role) =>
      Object.entries(person).map(([key, value]) => [`GIT_${role}_${key}`, value]),
    ),
  )
  const commit = await git(template, ['commit-tree', tree, '-m', 'Base'], { env: identity })
  await git(template, [
    '-c',
    'core.logAllRefUpdates=false',
    'update-ref',
    'refs/heads/main',
    commit.toString('utf8').trim(),
  ])
  await git(template, ['-c', 'core.logAllRefUpdates=false', 'reset', '--quiet', '--hard'])
  await rm(join(template, '.git', 'ORIG_HEAD'), { force: true })
  await rm(join(template, '.git', 'hooks'), { recursive: true, force: true })
}

export interface TemplateRequest {
  readonly loaded: LoadedTask
  /** Folder of all templates; this task's is made in it once and found again by digest. */
  readonly folder: string
  /** Gives a finished layer to the sandbox's user. */
  readonly ownLayer: (layer: string) => Promise<void>
}

/**
 * The layer folder with the task's template, made at the first call. A half-made one of a killed process is never used:
 * it gets its name when it is complete. Throws InputError when the task's repository or base commit is not there.
 */
export async function openTemplate(request: TemplateRequest): Promise<{ layer: string; template: string }> {
  const { loaded, folder } = request
  const layer = join(folder, loaded.digest.slice(0, 32))
  const inside = join('home', 'work', repoNameOf(loaded), repoNameOf(loaded))
  if (await exists(join(layer, inside))) return { layer, template: join(layer, inside) }
  await mkdir(folder, { recursive: true })
  const scratch = await mkdtemp(join(folder, 'making-'))
  try {
    const source = await openSource(loaded, scratch)
    const made = join(scratch, 'layer')
    await mkdir(join(made, 'tmp'), { recursive: true })
    await makeTemplate(source, loaded.task.baseCommit, join(made, inside))
    await request.ownLayer(made)
    await rename(made, layer).catch(async (cause: unknown) => {
      // Another process was faster with the same content.
      if (!(await exists(join(layer, inside)))) throw cause
    })
  } catch (cause) {
    if (cause instanceof Error && 'code' in cause && cause.code === 'ENOSPC')
      throw new EnvironmentError('the disk is full', {
        place: folder,
        remedy: 'free space or use --data on another disk',
        cause,
      })
    throw cause
  } finally {
    await rm(scratch, { recursive: true, force: true })
  }
  return { layer, template: join(layer, inside) }
}
