import { EnvironmentError } from '../errors.ts'
import { toAppliedChanges } from '../schema/applied.ts'
import type { FileChange, RepoView } from '../schema/tree.ts'
import { gitDirOf, readBaseTree } from './base-tree.ts'
import { checkChanges } from './check-changes.ts'
import { runPatchGit } from './git.ts'
import { PATCH_LIMITS } from './limits.ts'
import { prepareDiffs } from './prepare-diff.ts'
import { readIndexChanges } from './read-index.ts'
import type { PatchResult } from './result.ts'
import { assertDiskSpace, withScratch } from './scratch.ts'

export interface ApplyDiffRequest {
  /** A git repository with the base tree at HEAD; it is never written. */
  readonly template: string
  /** The same tree. */
  readonly base: RepoView
  readonly diff: Buffer
}

export interface ApplyDiffsRequest extends Omit<ApplyDiffRequest, 'diff'> {
  /** In order; where two of them name the same file, the later one counts. */
  readonly diffs: readonly Buffer[]
}

type Git = (args: readonly string[], input?: Buffer) => ReturnType<typeof runPatchGit>

/** git's own words for a diff that it does not take, at most three of its lines. */
const refusalOf = (stderr: string): string =>
  stderr
    .split('\n')
    .filter((line) => line.startsWith('error: ') || line.startsWith('fatal: '))
    .slice(0, 3)
    .map((line) => line.replace(/^(error|fatal): /, '').slice(0, 300))
    .join('; ') || 'git did not take it'

async function applyWithGit(git: Git, diff: string): Promise<FileChange[] | { readonly fault: string }> {
  const read = await git(['read-tree', 'HEAD'])
  if (read.exitCode !== 0) throw new EnvironmentError(`git read-tree failed: ${read.stderr.trim()}`)
  const applied = await git(['apply', '--cached', '--whitespace=nowarn', '-'], Buffer.from(diff, 'latin1'))
  return applied.exitCode === 0 ? readIndexChanges(git) : { fault: refusalOf(applied.stderr) }
}

async function applyIn(scratch: string, request: ApplyDiffsRequest): Promise<PatchResult> {
  const { template, base, diffs } = request
  const gitDir = gitDirOf(template)
  const git: Git = (args, input) => runPatchGit({ gitDir, scratch, args, ...(input ? { input } : {}) })
  const prepared = prepareDiffs(diffs, base, await readBaseTree(gitDir))
  const { notes } = prepared
  if (prepared.kind !== 'prepared') return prepared
  if (prepared.diff === '') return { kind: 'empty', detail: 'the diff changes nothing', notes }
  const changes = await applyWithGit(git, prepared.diff)
  if ('fault' in changes) {
    await assertDiskSpace(scratch)
    return { kind: 'does-not-apply', detail: changes.fault, notes }
  }
  const refused = checkChanges(changes)
  if (refused) {
    notes.push({ action: 'refused', ...refused })
    return { kind: 'malformed', detail: `${refused.path}: ${refused.reason}`, notes }
  }
  if (changes.length === 0) return { kind: 'empty', detail: 'the diff changes nothing', notes }
  return { kind: 'applied', changes: toAppliedChanges(changes), notes }
}

/**
 * Applies diffs on the base commit: all of it or nothing, byte for byte, by git's own engine, without fuzz. What is not as
 * git would write it is brought into its form first, exactly, and noted.
 * Throws EnvironmentError when git or the disk fails; a diff that cannot be used is a value.
 */
export async function applyDiffs(request: ApplyDiffsRequest): Promise<PatchResult> {
  const { diffs } = request
  const bytes = diffs.reduce((sum, diff) => sum + diff.length, 0)
  const limit = PATCH_LIMITS.diffBytes
  if (bytes > limit)
    return {
      kind: 'malformed',
      detail: `the diff has ${bytes} bytes; at most ${limit} are read`,
      notes: [],
    }
  if (diffs.every((diff) => diff.toString('latin1').trim() === ''))
    return { kind: 'empty', detail: 'the diff is empty', notes: [] }
  return withScratch((scratch) => applyIn(scratch, request))
}

/** Like applyDiffs, for one diff. */
export const applyDiff = ({ diff, ...rest }: ApplyDiffRequest): Promise<PatchResult> =>
  applyDiffs({ ...rest, diffs: [diff] })
