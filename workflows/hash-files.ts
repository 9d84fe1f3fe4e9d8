import { createHash } from 'node:crypto'
import type { RepoView } from '../src/schema/tree.ts'
import { globPattern } from './glob.ts'

/**
 * hashFiles(): SHA-256 over the SHA-256 of each matching file, in the order of paths; empty when none matches. Patterns are
 * relative to the repository, `!` takes files out again, a folder stands for what is below it. Only files of the tree
 * count, not what steps have made since.
 */
export function hashFilesIn(tree: RepoView, patterns: readonly string[]): string {
  const rules = patterns
    .flatMap((text) => text.split('\n'))
    .map((text) => text.trim())
    .filter((text) => text !== '' && !text.startsWith('#'))
    .map((text) => {
      const glob = text
        .replace(/^!/, '')
        .replace(/^\.?\//, '')
        .replace(/\/$/, '')
      return { negated: text.startsWith('!'), patterns: [globPattern(glob), globPattern(`${glob}/**`)] }
    })
  const chosen = tree
    .list()
    .filter((path) =>
      rules.reduce(
        (kept, rule) => (rule.patterns.some((pattern) => pattern.test(path)) ? !rule.negated : kept),
        false,
      ),
    )
  if (chosen.length === 0) return ''
  const whole = createHash('sha256')
  for (const path of chosen) {
    whole.update(
      createHash('sha256')
        .update(tree.read(path) ?? Buffer.alloc(0))
        .digest(),
    )
  }
  return whole.digest('hex')
}
