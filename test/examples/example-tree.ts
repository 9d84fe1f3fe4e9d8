import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseJson } from '../../src/schema/parse.ts'
import { Task } from '../../src/schema/task.ts'

export const examplesFolder = fileURLToPath(new URL('../../examples', import.meta.url))
export const tasksFolder = join(examplesFolder, 'tasks')
export const competitorsFolder = join(examplesFolder, 'competitors')

export const taskIds: readonly string[] = readdirSync(tasksFolder).sort()

export const readTask = (id: string): Task => {
  const place = join(tasksFolder, id, 'task.json')
  return Task.parse(parseJson(readFileSync(place, 'utf8'), place))
}

/** A working copy of an example's repository, with its whole history, that can be put back to base again and again. */
export interface ExampleTree {
  readonly folder: string
  git(...args: string[]): string
  /** The base commit's tree again; ignored build output is kept, so that the next build is quick. */
  reset(): void
  /** Applies a diff, or only its part in `include` (a git pathspec); false when it does not apply. */
  apply(diff: string, include?: string): boolean
  [Symbol.dispose](): void
}

export function openExample(id: string): ExampleTree {
  const task = readTask(id)
  const root = mkdtempSync(join(tmpdir(), 'arena-example-'))
  const folder = join(root, id)
  const environment = { ...process.env, GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_NOSYSTEM: '1' }
  const git = (...args: string[]): string =>
    execFileSync('git', args, { cwd: folder, env: environment, encoding: 'utf8', stdio: 'pipe' }).trim()
  execFileSync('git', ['clone', '--quiet', join(tasksFolder, id, task.repository.bundle ?? ''), folder], {
    env: environment,
    stdio: 'pipe',
  })
  const tree: ExampleTree = {
    folder,
    git,
    reset() {
      git('checkout', '--quiet', '--force', '--detach', task.baseCommit)
      git('clean', '--quiet', '-fd')
    },
    apply(diff, include) {
      const arguments_ = ['apply', ...(include ? [`--include=${include}`] : [])]
      return spawnSync('git', arguments_, { cwd: folder, env: environment, input: diff }).status === 0
    },
    [Symbol.dispose]: () => rmSync(root, { recursive: true, force: true }),
  }
  tree.reset()
  return tree
}
