import { basename } from 'node:path'
import { runGit } from '../task/git.ts'

/** owner/name by the clone's origin; `local/` and the folder's name where it has none. */
export async function nameOfRepository(repo: string): Promise<string> {
  const remote = await runGit({ cwd: repo, args: ['config', '--get', 'remote.origin.url'] })
  const match = /([\w.-]+)[/:]([\w.-]+?)(?:\.git)?\/?$/.exec(remote.stdout.toString('utf8').trim())
  return match ? `${match[1]}/${match[2]}` : `local/${basename(repo).replace(/[^\w.-]/g, '-')}`
}
