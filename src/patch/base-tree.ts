import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { EnvironmentError } from '../errors.ts'
import { runPatchGit } from './git.ts'

export interface BaseEntry {
  readonly mode: string
  readonly blob: string
}

/** Path (bytes as latin1) → mode and blob id, of a commit. */
export type BaseTree = ReadonlyMap<string, BaseEntry>

/** Lists HEAD of a repository. */
export async function readBaseTree(gitDir: string): Promise<BaseTree> {
  const listed = await runPatchGit({ gitDir, args: ['ls-tree', '-r', '-z', '--full-tree', 'HEAD'] })
  if (listed.exitCode !== 0)
    throw new EnvironmentError(`the base tree cannot be read: ${listed.stderr.trim().split('\n')[0]}`, {
      place: gitDir,
      remedy: 'remove the task template; it is made again',
    })
  const tree = new Map<string, BaseEntry>()
  for (const entry of listed.stdout.toString('latin1').split('\0')) {
    const match = /^(\d+) \w+ ([0-9a-f]+)\t(.+)$/s.exec(entry)
    if (match?.[1] && match[2] && match[3]) tree.set(match[3], { mode: match[1], blob: match[2] })
  }
  return tree
}

/** The folder of a repository's objects: `.git` in a working tree, else the folder itself. */
export function gitDirOf(template: string): string {
  const inside = join(template, '.git')
  return existsSync(inside) ? inside : template
}

/** Lists HEAD of a repository; nothing is written. */
export const readBaseTreeOf = (template: string): Promise<BaseTree> => readBaseTree(gitDirOf(template))
