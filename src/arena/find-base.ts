import { stat } from 'node:fs/promises'
import { InputError } from '../errors.ts'
import { runGit } from '../task/git.ts'

/**
 * The commit's full id, and the repository's own folder when `repo` lies inside one. `flag`: the one that names the commit.
 * Throws InputError that names the flag at fault.
 */
export async function findBase(
  repo: string,
  flag: 'base' | 'commit',
  commit: string,
): Promise<{ root: string; baseCommit: string }> {
  const about = await stat(repo).catch(() => undefined)
  if (!about?.isDirectory()) throw new InputError('--repo: there is no such folder', { place: repo })
  const top = await runGit({ cwd: repo, args: ['rev-parse', '--show-toplevel'] })
  const bare = await runGit({ cwd: repo, args: ['rev-parse', '--is-bare-repository'] })
  if (bare.exitCode !== 0)
    throw new InputError('--repo: this is no git repository', { place: repo, remedy: 'give a local clone' })
  const found = await runGit({
    cwd: repo,
    args: ['rev-parse', '--verify', '--quiet', '--end-of-options', `${commit}^{commit}`],
  })
  if (found.exitCode !== 0)
    throw new InputError(`--${flag}: ${commit} is no commit of this repository`, {
      place: repo,
      remedy: `give --${flag} COMMIT`,
    })
  const root = top.exitCode === 0 ? top.stdout.toString('utf8').replace(/\n$/, '') : repo
  return { root, baseCommit: found.stdout.toString('utf8').trim() }
}
