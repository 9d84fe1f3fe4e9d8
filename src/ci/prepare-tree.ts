import type { FileChange } from '../schema/tree.ts'
import { insideIo, makeFile, makeFolder } from './io-folder.ts'
import { type ExecResult, HOME_INSIDE, repoInside } from './runners/port.ts'
import type { Session } from './session.ts'
import type { Toolchains } from './toolchains.ts'
import type { Tree } from './tree.ts'

const TIMEOUT_MS = 300_000
const OUTPUT_BYTES = 64 * 1024

/**
 * The root commit keeps its author, dates and message and takes the tree as it stands, so that git says the same in every
 * cell but for the tree: one clean root commit. By plumbing, which runs no hook and heeds no .gitignore.
 */
const COMMIT_SCRIPT = `
mkdir -p "$RUNNER_TEMP"
git() { command git -c safe.directory='*' -c core.logAllRefUpdates=false -c core.autocrlf=false -c core.fsmonitor=false "$@"; }
if [ -s "$ARENA_PATHS" ]; then
  git update-index -z --add --remove --replace --stdin < "$ARENA_PATHS"
  tree=$(git write-tree)
  commit=$(git cat-file commit HEAD | sed "1s/.*/tree $tree/" | git hash-object -t commit -w --stdin)
  git update-ref HEAD "$commit"
fi
git rev-parse HEAD
`

export type PreparedTree =
  | { readonly kind: 'ready'; readonly sha: string }
  | { readonly kind: 'failed'; readonly reason: string; readonly executed: ExecResult }

/** Writes a tree's changes into a fresh sandbox and commits them, before any step runs. */
export async function prepareTree(
  session: Session,
  tree: Tree,
  toolchains: Toolchains,
  path: string,
  runnerTemp: string,
): Promise<PreparedTree> {
  const changes = deletesFirst(tree.changes)
  if (changes.length > 0) await session.sandbox.writeFiles(changes)
  const folder = session.newName()
  await makeFolder(session.io, folder)
  const list = changes.map((change) => `${change.path}\0`).join('')
  await makeFile(session.io, `${folder}/paths`, list, 0o644)
  const executed = await session.sandbox.exec({
    argv: ['/usr/bin/env', 'bash', '--noprofile', '--norc', '-euo', 'pipefail', '-c', COMMIT_SCRIPT],
    env: {
      ...toolchains.env,
      HOME: HOME_INSIDE,
      PATH: path,
      RUNNER_TEMP: runnerTemp,
      ARENA_PATHS: insideIo(`${folder}/paths`),
    },
    cwd: repoInside(tree.task.repoName),
    timeoutMs: TIMEOUT_MS,
    outputBytes: OUTPUT_BYTES,
  })
  const text = executed.output.toString('utf8').trim()
  const sha = /(?:^|\n)([0-9a-f]{40,64})$/.exec(text)?.[1]
  if (executed.exitCode === 0 && sha !== undefined) return { kind: 'ready', sha }
  const last = text.split('\n').at(-1) ?? ''
  return { kind: 'failed', reason: `the changes could not be committed: ${last}`, executed }
}

/** A file may stand where a folder was, and the other way round. */
function deletesFirst(changes: readonly FileChange[]): readonly FileChange[] {
  return [
    ...changes.filter(({ change }) => change === 'delete'),
    ...changes.filter(({ change }) => change === 'write'),
  ]
}
