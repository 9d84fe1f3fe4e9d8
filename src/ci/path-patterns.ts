import { posix } from 'node:path'
import type { PathPattern } from './kept-files.ts'
import { HOME_INSIDE } from './runners/port.ts'

/** A `path` input, one pattern a line, as absolute paths inside the sandbox. */
export function pathPatterns(input: string, workspace: string): readonly PathPattern[] {
  return input
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => {
      const isExcluded = line.startsWith('!')
      const written = line.replace(/^!\s*/, '').replace(/^~(?=\/|$)/, HOME_INSIDE)
      const pattern = posix.resolve(workspace, written)
      return { isExcluded, pattern, root: rootOf(pattern) }
    })
}

/** The folder that all roots have in common: what the paths in an artifact are relative to. */
export function commonRoot(patterns: readonly PathPattern[]): string {
  const roots = patterns.filter(({ isExcluded }) => !isExcluded).map(({ root }) => root.split('/'))
  const [first = ['']] = roots
  const shared = first.findIndex((part, index) => roots.some((other) => other[index] !== part))
  return (shared < 0 ? first : first.slice(0, shared)).join('/') || '/'
}

function rootOf(pattern: string): string {
  const parts = pattern.split('/')
  const wild = parts.findIndex((part) => /[*?[]/.test(part))
  return (wild < 0 ? parts : parts.slice(0, wild)).join('/') || '/'
}
