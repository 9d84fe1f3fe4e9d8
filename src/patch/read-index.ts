import { EnvironmentError } from '../errors.ts'
import type { FileChange } from '../schema/tree.ts'
import type { PatchGitResult } from './git.ts'

type Git = (args: readonly string[], input?: Buffer) => Promise<PatchGitResult>

async function succeed(git: Git, args: readonly string[], input?: Buffer): Promise<Buffer> {
  const result = await git(args, input)
  if (result.exitCode !== 0)
    throw new EnvironmentError(`git ${args[0]} failed: ${result.stderr.trim().split('\n')[0] ?? ''}`)
  return result.stdout
}

const MODES = ['100644', '100755', '120000'] as const
const toMode = (mode: string): (typeof MODES)[number] => {
  const known = MODES.find((candidate) => candidate === mode)
  if (known === undefined) throw new EnvironmentError(`the index holds a file of mode ${mode}`)
  return known
}

/** Contents of blobs, in their order, from `cat-file --batch`. */
async function readBlobs(git: Git, blobs: readonly string[]): Promise<Buffer[]> {
  if (blobs.length === 0) return []
  const output = await succeed(git, ['cat-file', '--batch'], Buffer.from(`${blobs.join('\n')}\n`))
  let at = 0
  return blobs.map((blob) => {
    const lineEnd = output.indexOf(0x0a, at)
    const size = Number(output.subarray(at, lineEnd).toString('latin1').split(' ')[2])
    if (!Number.isInteger(size)) throw new EnvironmentError(`git cat-file gave no blob ${blob}`)
    const content = output.subarray(lineEnd + 1, lineEnd + 1 + size)
    at = lineEnd + size + 2
    return content
  })
}

/** What the index holds other than HEAD, as whole files. */
export async function readIndexChanges(git: Git): Promise<FileChange[]> {
  const raw = await succeed(git, [
    'diff-index',
    '--cached',
    '--raw',
    '-z',
    '--no-renames',
    '--no-abbrev',
    'HEAD',
  ])
  const fields = raw.toString('utf8').split('\0')
  const entries: { path: string; mode: string; blob: string; gone: boolean }[] = []
  for (let at = 0; at + 1 < fields.length; at += 2) {
    const [, mode = '', , blob = '', status = ''] = (fields[at] ?? '').split(' ')
    entries.push({ path: fields[at + 1] ?? '', mode, blob, gone: status === 'D' })
  }
  const written = entries.filter((entry) => !entry.gone)
  const contents = await readBlobs(
    git,
    written.map((entry) => entry.blob),
  )
  const deletions = entries
    .filter((entry) => entry.gone)
    .map((entry): FileChange => ({ change: 'delete', path: entry.path }))
  const writes = written.map(
    (entry, index): FileChange => ({
      change: 'write',
      path: entry.path,
      mode: toMode(entry.mode),
      contentBase64: (contents[index] ?? Buffer.alloc(0)).toString('base64'),
    }),
  )
  return [...deletions, ...writes]
}
