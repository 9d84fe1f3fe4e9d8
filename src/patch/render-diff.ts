import type { AppliedChanges, FileChange, RepoView } from '../schema/tree.ts'
import { formatHunks } from './join-hunks.ts'
import { type DiffStep, diffLines } from './line-diff.ts'
import type { PlacedHunk } from './place-hunks.ts'
import { latin1FromUtf8, quotePath, utf8FromLatin1 } from './quoted-path.ts'
import { splitLines } from './text-lines.ts'

const CONTEXT = 3

const isBinary = (bytes: Buffer): boolean => bytes.subarray(0, 8000).includes(0)

/** Ranges of steps that belong to one hunk: changes with their context, joined where they touch. */
function ranges(steps: readonly DiffStep[]): readonly (readonly [number, number])[] {
  const found: [number, number][] = []
  steps.forEach((step, index) => {
    if (step.sign === ' ') return
    const from = Math.max(0, index - CONTEXT)
    const to = Math.min(steps.length, index + CONTEXT + 1)
    const last = found.at(-1)
    if (last && from <= last[1]) last[1] = to
    else found.push([from, to])
  })
  return found
}

function hunksOf(oldText: string, newText: string): readonly PlacedHunk[] {
  const before = splitLines(oldText)
  const after = splitLines(newText)
  const steps = diffLines(before, after)
  return ranges(steps).map(([from, to]) => ({
    start: steps[from]?.old ?? 0,
    lines: steps.slice(from, to).map(({ sign, old, new: place }) => ({
      sign,
      line: (sign === '+' ? after[place] : before[old]) ?? '',
    })),
  }))
}

function renderFile(base: RepoView, change: FileChange): string {
  const name = latin1FromUtf8(change.path)
  const header = `diff --git ${quotePath(`a/${name}`)} ${quotePath(`b/${name}`)}\n`
  const before = base.read(change.path)
  const after = change.change === 'delete' ? undefined : Buffer.from(change.contentBase64, 'base64')
  // The view does not tell a file's mode at base: a mode is shown where it is news.
  const mode =
    change.change === 'delete'
      ? 'deleted file mode 100644\n'
      : before === undefined
        ? `new file mode ${change.mode}\n`
        : after?.equals(before)
          ? `new mode ${change.mode}\n`
          : ''
  if (before && after?.equals(before)) return header + mode
  if ((before && isBinary(before)) || (after && isBinary(after)))
    return `${header}${mode}Binary files differ: ${before?.length ?? 0} bytes before, ${after?.length ?? 0} after\n`
  const hunks = hunksOf(before?.toString('latin1') ?? '', after?.toString('latin1') ?? '')
  if (hunks.length === 0) return header + mode
  const from = before === undefined ? '/dev/null' : quotePath(`a/${name}`)
  const to = after === undefined ? '/dev/null' : quotePath(`b/${name}`)
  return `${header}${mode}--- ${from}\n+++ ${to}\n${formatHunks(hunks)}`
}

/**
 * A unified diff of changes against the base tree, for people and for pages: by path, three lines of context, the same for
 * equal input. Binary content is named by its size. Bytes that are not UTF-8 become replacement characters.
 */
export function renderDiff(base: RepoView, changes: AppliedChanges): string {
  const diff = changes.changes.map((change) => renderFile(base, change)).join('')
  return utf8FromLatin1(diff) ?? Buffer.from(diff, 'latin1').toString('utf8')
}
