import { RepoPath } from '../schema/ids.ts'
import type { Section } from './diff-model.ts'
import { utf8FromLatin1 } from './quoted-path.ts'

/** What a section does to which file. Paths are bytes as latin1, relative to the repository, checked. */
export interface Target {
  readonly action: 'modify' | 'create' | 'delete' | 'rename' | 'copy'
  readonly from: string
  readonly to: string
  /** What the header did not say as git would. */
  readonly remark: string | undefined
}

export type Resolved =
  | { readonly kind: 'target'; readonly target: Target }
  | { readonly kind: 'refused'; readonly path: string; readonly reason: string }
  | { readonly kind: 'malformed'; readonly reason: string }

/** For people: the path as text, with replacement characters where it is none. */
export const showPath = (latin1: string): string => Buffer.from(latin1, 'latin1').toString('utf8')

const tidy = (name: string): string => name.replace(/^(\.\/)+/, '')

/** Without the one-letter prefix of git, unless only the name with it is a file. */
function withoutPrefix(name: string, exists: (path: string) => boolean): string {
  const stripped = /^[abciwo]\/(.+)$/s.exec(name)?.[1]
  if (stripped === undefined) return tidy(name)
  return exists(name) && !exists(stripped) ? name : stripped
}

/** Refuses paths that leave the repository, touch its .git, or are no text. */
function refuse(path: string): string | undefined {
  const text = utf8FromLatin1(path)
  if (text === undefined) return 'the path is not UTF-8'
  if (RepoPath.safeParse(text).success) return undefined
  if (text.split('/').some((part) => part.toLowerCase() === '.git')) return 'the path is inside .git'
  return text.startsWith('/') || text.split('/').includes('..')
    ? 'the path leaves the repository'
    : 'the path is not a file name inside the repository'
}

function checked(target: Target): Resolved {
  for (const path of [target.from, target.to]) {
    const reason = refuse(path)
    if (reason !== undefined) return { kind: 'refused', path: showPath(path), reason }
  }
  return { kind: 'target', target }
}

/** Finds out which file a section means. `exists`: whether the tree has a file of that name (latin1) by now. */
export function resolveSection(section: Section, exists: (path: string) => boolean): Resolved {
  const { moved, oldName, newName } = section
  if (moved) return checked({ action: moved.how, from: moved.from, to: moved.to, remark: undefined })
  const from = oldName == null ? undefined : withoutPrefix(oldName, exists)
  const to = newName == null ? undefined : withoutPrefix(newName, exists)
  if (from === undefined && to === undefined) return { kind: 'malformed', reason: 'the header names no file' }
  if (to !== undefined && (oldName === null || section.newFileMode !== undefined))
    return checked({ action: 'create', from: to, to, remark: undefined })
  if (from !== undefined && (newName === null || section.deletedFile))
    return checked({ action: 'delete', from, to: from, remark: undefined })
  const known = [from, to].filter((path) => path !== undefined && exists(path))
  const path = from === to ? from : known.length === 1 ? known[0] : undefined
  if (path === undefined)
    return {
      kind: 'malformed',
      reason: `the header names two files, ${showPath(from ?? '')} and ${showPath(to ?? '')}, without saying rename`,
    }
  const onlyAdds =
    section.hunks.length > 0 && section.hunks.every((hunk) => hunk.lines.every((line) => line.sign === '+'))
  if (!exists(path) && onlyAdds)
    return checked({
      action: 'create',
      from: path,
      to: path,
      remark: 'read as a new file: there is none of that name',
    })
  const prefixed = /^[abciwo]\//.test(oldName ?? newName ?? '') && (oldName ?? newName) !== path
  const remark = prefixed || from !== to ? undefined : 'the path was taken as it stands, without a/ and b/'
  return checked({ action: 'modify', from: path, to: path, remark })
}
