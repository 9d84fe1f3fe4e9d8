import { cutText, visible } from './visible.ts'

export interface DiffLine {
  readonly kind: 'added' | 'removed' | 'same' | 'note'
  /** 1-based line numbers before and after; null where the line is not there. */
  readonly before: number | null
  readonly after: number | null
  readonly text: string
}

export interface DiffHunk {
  readonly header: string
  readonly lines: readonly DiffLine[]
}

export interface DiffFile {
  readonly path: string
  /** What git says about the file besides its lines: modes, renames, binary. */
  readonly facts: readonly string[]
  readonly hunks: readonly DiffHunk[]
}

export interface ShownDiff {
  readonly files: readonly DiffFile[]
  /** Lines that are not shown. */
  readonly left: number
}

const MAX_LINES = 1200
const MAX_COLUMNS = 400

type Mutable<T> = { -readonly [Key in keyof T]: T[Key] }
interface DraftFile extends Mutable<DiffFile> {
  facts: string[]
  hunks: { header: string; lines: DiffLine[] }[]
}

/** `b/src/a.ts` → `src/a.ts`; undefined for /dev/null. */
function pathIn(line: string): string | undefined {
  const path = line.slice(4).replace(/\t.*$/, '')
  return path === '/dev/null' ? undefined : path.replace(/^[ab]\//, '')
}

const shown = (line: string): string => {
  const cut = cutText(line, MAX_COLUMNS)
  return `${visible(cut.text)}${cut.left > 0 ? ` … ${cut.left} more characters` : ''}`
}

/**
 * Reads a unified diff for the eye. Total: what is no diff becomes a file without a name whose lines are notes. Hunk counts
 * are followed, so that a removed line `-- x` is no file header.
 */
export function readDiff(text: string): ShownDiff {
  const lines = text.split('\n')
  if (lines.at(-1) === '') lines.pop()
  const files: DraftFile[] = []
  const open = (path: string): DraftFile => {
    const file: DraftFile = { path, facts: [], hunks: [] }
    files.push(file)
    return file
  }
  let [before, after, oldLeft, newLeft] = [0, 0, 0, 0]
  for (const line of lines.slice(0, MAX_LINES)) {
    const file = files.at(-1)
    const hunk = file?.hunks.at(-1)
    const sign = line[0] ?? ' '
    if (hunk && (oldLeft > 0 || newLeft > 0) && ' +-\\'.includes(sign)) {
      const kind = sign === '+' ? 'added' : sign === '-' ? 'removed' : sign === '\\' ? 'note' : 'same'
      const isOld = kind === 'removed' || kind === 'same'
      const isNew = kind === 'added' || kind === 'same'
      hunk.lines.push({
        kind,
        before: isOld ? before : null,
        after: isNew ? after : null,
        text: shown(line.slice(1)),
      })
      before += Number(isOld)
      after += Number(isNew)
      oldLeft -= Number(isOld)
      newLeft -= Number(isNew)
      continue
    }
    const range = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/.exec(line)
    if (range && file) {
      before = Number(range[1])
      oldLeft = Number(range[2] ?? 1)
      after = Number(range[3])
      newLeft = Number(range[4] ?? 1)
      file.hunks.push({ header: shown(line), lines: [] })
    } else if (line.startsWith('diff --git ')) open(shown(/ b\/(.+)$/.exec(line)?.[1] ?? ''))
    else if (line.startsWith('--- ')) {
      const path = pathIn(line)
      const target = !file || file.hunks.length > 0 ? open('') : file
      if (path !== undefined) target.path = shown(path)
    } else if (line.startsWith('+++ ') && file) {
      const path = pathIn(line)
      if (path !== undefined) file.path = shown(path)
    } else if (line.startsWith('\\') && hunk) {
      hunk.lines.push({ kind: 'note', before: null, after: null, text: shown(line.slice(1)) })
    } else if (!/^index [0-9a-f]/.test(line) && line !== '') (file ?? open('')).facts.push(shown(line))
  }
  return { files, left: Math.max(0, lines.length - MAX_LINES) }
}

/** Added and removed lines over all files that are shown. */
export function countLines({ files }: ShownDiff): { readonly added: number; readonly removed: number } {
  const kinds = files.flatMap(({ hunks }) => hunks.flatMap(({ lines }) => lines.map(({ kind }) => kind)))
  return {
    added: kinds.filter((kind) => kind === 'added').length,
    removed: kinds.filter((kind) => kind === 'removed').length,
  }
}
