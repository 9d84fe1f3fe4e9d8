import { execFileSync } from 'node:child_process'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
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

function writeFiles(folder: string, files: Readonly<Record<string, string | Buffer>>): void {
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), content)
  }
}

/** A git repository with these files in its only commit, and the same as a view. */
export function templateOf(files: Readonly<Record<string, string | Buffer>>): Template {
  const folder = temporaryFolder('arena-template')
  gitIn(folder.path, 'init', '--quiet', '--initial-branch=main')
  writeFiles(folder.path, files)
  gitIn(folder.path, 'add', '--all', '--force')
  gitIn(folder.path, 'commit', '--quiet', '--allow-empty', '-m', 'Base')
  return { path: folder.path, base: viewOf(files), [Symbol.dispose]: folder[Symbol.dispose] }
}

/** What `git diff` says from a template's commit to other files, in full. Only the commit stays as it is. */
export function diffFrom(
  template: Template,
  after: Readonly<Record<string, string | Buffer>>,
  ...options: readonly string[]
): Buffer {
  for (const path of template.base.list()) rmSync(join(template.path, path))
  writeFiles(template.path, after)
  gitIn(template.path, 'add', '--all', '--force')
  return execFileSync('git', ['diff', '--cached', '--binary', '--full-index', ...options, 'HEAD'], {
    cwd: template.path,
    env: { ...process.env, ...GIT_IDENTITY },
    maxBuffer: 1 << 26,
  })
}

/** What `git diff` says between two trees, in full. */
export function diffBetween(
  before: Readonly<Record<string, string | Buffer>>,
  after: Readonly<Record<string, string | Buffer>>,
  ...options: readonly string[]
): Buffer {
  using template = templateOf(before)
  return diffFrom(template, after, ...options)
}
