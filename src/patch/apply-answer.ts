import type { AnswerContent, SearchReplace, WholeFile } from '../schema/answer.ts'
import { toAppliedChanges } from '../schema/applied.ts'
import { RepoPath } from '../schema/ids.ts'
import type { FileChange, PatchNote, RepoView } from '../schema/tree.ts'
import { applyDiffs } from './apply-diff.ts'
import { type BaseTree, readBaseTreeOf } from './base-tree.ts'
import { checkChanges } from './check-changes.ts'
import { PATCH_LIMITS } from './limits.ts'
import { latin1FromUtf8 } from './quoted-path.ts'
import { readText, toBase64 } from './read-text.ts'
import type { PatchResult } from './result.ts'

export interface ApplyAnswerRequest {
  /** A git repository with the base tree at HEAD; it is never written. */
  readonly template: string
  /** The same tree. */
  readonly base: RepoView
  readonly content: AnswerContent
}

const tidy = (path: string): string => path.trim().replace(/^(\.\/)+/, '')

/** The text with the line ends of the file that it goes into. */
const withEnds = (text: string, crlf: boolean): string =>
  crlf ? text.replace(/\r?\n/g, '\r\n') : text.replace(/\r\n/g, '\n')

const isCrlf = (text: string): boolean => {
  const all = text.match(/\n/g)?.length ?? 0
  return (text.match(/\r\n/g)?.length ?? 0) * 2 > all
}

/** Files as edits leave them, by path; undefined content: there is no such file yet. */
type Files = Map<string, string | undefined>

type Fault = { readonly kind: 'malformed' | 'does-not-apply'; readonly detail: string }

function loadFile(files: Files, base: RepoView, path: string): Fault | undefined {
  if (!RepoPath.safeParse(path).success)
    return { kind: 'malformed', detail: `${path}: the path is not inside the repository` }
  if (files.has(path)) return undefined
  const bytes = base.read(path)
  const text = bytes && readText(bytes)
  if (bytes && text === undefined)
    return { kind: 'does-not-apply', detail: `${path}: the file is not UTF-8 text` }
  files.set(path, text)
  return undefined
}

/** How often `part` stands in `text`, overlaps included (each one would be another place); counted up to 100. */
function countOf(text: string, part: string): number {
  let count = 0
  for (let at = text.indexOf(part); at !== -1 && count < 100; at = text.indexOf(part, at + 1)) count++
  return count
}

function applyEdit(files: Files, base: RepoView, edit: SearchReplace, notes: PatchNote[]): Fault | undefined {
  const path = tidy(edit.path)
  const fault = loadFile(files, base, path)
  if (fault) return fault
  const text = files.get(path)
  if (edit.search.trim() === '') {
    const before = text === undefined || text === '' || text.endsWith('\n') ? (text ?? '') : `${text}\n`
    files.set(path, before + withEnds(edit.replace, isCrlf(before)))
    return undefined
  }
  if (text === undefined)
    return { kind: 'does-not-apply', detail: `${path}: there is no such file at the base commit` }
  const crlf = isCrlf(text)
  const verbatim = text.includes(edit.search)
  const search = verbatim ? edit.search : withEnds(edit.search, crlf)
  const count = countOf(text, search)
  if (count !== 1) {
    const start = edit.search.trim().split('\n')[0]?.slice(0, 80) ?? ''
    const found =
      count === 0
        ? 'is not in the file, character for character'
        : `stands ${count} times in the file; add lines around it`
    return {
      kind: 'does-not-apply',
      detail: `${path}: the text to be replaced (it begins with \`${start}\`) ${found}`,
    }
  }
  if (!verbatim) notes.push({ action: 'normalised', path, reason: 'line ends taken from the file' })
  const at = text.indexOf(search)
  const replace = verbatim ? edit.replace : withEnds(edit.replace, crlf)
  files.set(path, text.slice(0, at) + replace + text.slice(at + search.length))
  return undefined
}

function applyFile(files: Files, base: RepoView, file: WholeFile, notes: PatchNote[]): Fault | undefined {
  const path = tidy(file.path)
  const fault = loadFile(files, base, path)
  if (fault) return fault
  const before = files.get(path)
  const crlf = before !== undefined && isCrlf(before)
  const content = crlf ? withEnds(file.content, true) : file.content
  if (content !== file.content)
    notes.push({ action: 'normalised', path, reason: 'line ends taken from the file' })
  files.set(path, content)
  return undefined
}

/** Folders and files may not share a name; git would refuse such a tree too. */
function clash(files: Files, base: RepoView): string | undefined {
  const all = new Set([...base.list(), ...files.keys()])
  return [...files.keys()].find((path) => {
    const parts = path.split('/')
    const isBelowFile = parts.slice(0, -1).some((_, index) => all.has(parts.slice(0, index + 1).join('/')))
    return isBelowFile || [...all].some((other) => other.startsWith(`${path}/`))
  })
}

function finish(
  files: Files,
  base: RepoView,
  notes: PatchNote[],
  modeOf: (path: string) => '100644' | '100755',
): PatchResult {
  const clashing = clash(files, base)
  if (clashing !== undefined)
    return { kind: 'does-not-apply', detail: `${clashing}: the name is taken by a file or folder`, notes }
  const changes = [...files].flatMap(([path, text]): FileChange[] => {
    const before = base.read(path)
    if (text === undefined || (before && Buffer.from(text, 'utf8').equals(before))) return []
    return [{ change: 'write', path, mode: modeOf(path), contentBase64: toBase64(text) }]
  })
  const refused = checkChanges(changes)
  if (refused) return { kind: 'malformed', detail: `${refused.path}: ${refused.reason}`, notes }
  if (changes.length === 0) return { kind: 'empty', detail: 'the answer changes nothing', notes }
  return { kind: 'applied', changes: toAppliedChanges(changes), notes }
}

/**
 * Applies what an answer asks for on the base commit, all of it or nothing. A text to be replaced must stand in its file
 * exactly once. Throws EnvironmentError when git or the disk fails; an answer that cannot be used is a value.
 */
export async function applyAnswer(request: ApplyAnswerRequest): Promise<PatchResult> {
  const { template, base, content } = request
  if (content.kind === 'diff') return applyDiffs({ template, base, diffs: content.diffs })
  const notes: PatchNote[] = []
  const files: Files = new Map()
  const parts =
    content.kind === 'edits'
      ? content.edits.map((edit) => () => applyEdit(files, base, edit, notes))
      : content.files.map((file) => () => applyFile(files, base, file, notes))
  if (parts.length > PATCH_LIMITS.hunks)
    return { kind: 'malformed', detail: `more than ${PATCH_LIMITS.hunks} edits or files`, notes }
  for (const apply of parts) {
    const fault = apply()
    if (fault) return { ...fault, notes }
  }
  if (files.size > PATCH_LIMITS.files)
    return { kind: 'malformed', detail: `more than ${PATCH_LIMITS.files} files`, notes }
  const tree = await readBaseTreeOf(template)
  const link = [...files.keys()].find((path) => isLink(tree, path))
  if (link !== undefined)
    return { kind: 'does-not-apply', detail: `${link}: the path is, or is behind, a symlink`, notes }
  const modeOf = (path: string) => (tree.get(latin1FromUtf8(path))?.mode === '100755' ? '100755' : '100644')
  return finish(files, base, notes, modeOf)
}

/** Whether the path or a folder above it is a symlink or submodule at base. */
const isLink = (tree: BaseTree, path: string): boolean => {
  const parts = latin1FromUtf8(path).split('/')
  return parts.some((_, index) => {
    const mode = tree.get(parts.slice(0, index + 1).join('/'))?.mode
    return mode === '120000' || mode === '160000'
  })
}
