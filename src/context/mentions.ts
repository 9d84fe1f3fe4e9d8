import type { Mention } from './query.ts'
import type { IndexedFile } from './tree-index.ts'

/** More files than this with the same end are named by chance: `index.js`, `mod.rs`. */
const MOST_MATCHES = 4

export interface MentionedFile {
  /** 0 to 1: one for a path that only this file ends with. */
  readonly weight: number
  /** 1-based lines that were named. */
  readonly lines: readonly number[]
}

/** Ends that a mention may mean: the path itself, and a dotted module as a path. Longest first, by dropping folders. */
function endsOf(path: string): readonly string[] {
  const parts = path.split('/')
  return parts.map((_, from) => parts.slice(from).join('/'))
}

/**
 * The files that a text names, by their number. A mention is the longest end of it that some file has: a path in a stack trace
 * begins with folders of another machine.
 */
export function resolveMentions(
  files: readonly IndexedFile[],
  mentions: readonly Mention[],
): ReadonlyMap<number, MentionedFile> {
  const byName = new Map<string, number[]>()
  const wanted = new Set(mentions.map(({ path }) => path.slice(path.lastIndexOf('/') + 1)))
  if (wanted.size === 0) return new Map()
  files.forEach(({ path }, number) => {
    const name = path.slice(path.lastIndexOf('/') + 1)
    if (wanted.has(name)) byName.set(name, [...(byName.get(name) ?? []), number])
  })
  const found = new Map<number, { weight: number; lines: number[] }>()
  for (const { path, line } of mentions) {
    const candidates = byName.get(path.slice(path.lastIndexOf('/') + 1)) ?? []
    for (const end of endsOf(path)) {
      const matches = candidates.filter((number) => {
        const own = (files[number] as IndexedFile).path
        return own === end || own.endsWith(`/${end}`)
      })
      if (matches.length === 0) continue
      if (matches.length > MOST_MATCHES) break
      for (const number of matches) {
        const known = found.get(number) ?? { weight: 0, lines: [] }
        known.weight = Math.max(known.weight, 1 / matches.length)
        if (line !== undefined) known.lines.push(line)
        found.set(number, known)
      }
      break
    }
  }
  return found
}
