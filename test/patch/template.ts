import { execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { RepoView } from '../../src/schema/tree.ts'
import { GIT_IDENTITY, gitIn, temporaryFolder } from '../helpers/repository.ts'

export interface Template {
  readonly path: string
  readonly base: RepoView
  [Symbol.dispose](): void
}

/** A view of files in memory. */
export function viewOf(files: Readonly<Record<string, string | Buffer>>): RepoView {
  const paths = Object.keys(files).sort()
  return {
    list: () => paths,
    read: (path) => {
      const content = files[path]
      return content === undefined ? undefined : Buffer.from(content)
    },
  }
}

/** A git repository with these files in its only commit, and the same as a view. */
export function templateOf(files: Readonly<Record<string, string | Buffer>>): Template {
  const folder = temporaryFolder('arena-template')
  gitIn(folder.path, 'init', '--quiet', '--initial-branch=main')
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder.path, path)), { recursive: true })
    writeFileSync(join(folder.path, path), content)
  }
  gitIn(folder.path, 'add', '--all', '--force')
  gitIn(folder.path, 'commit', '--quiet', '--allow-empty', '-m', 'Base')
  return { path: folder.path, base: viewOf(files), [Symbol.dispose]: folder[Symbol.dispose] }
}

/** Bytes that git prints, in a folder. */
export const gitBytes = (folder: string, ...args: string[]): Buffer =>
  execFileSync('git', args, { cwd: folder, env: { ...process.env, ...GIT_IDENTITY }, maxBuffer: 1 << 26 })
