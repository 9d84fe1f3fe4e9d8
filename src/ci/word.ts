import { createHmac } from 'node:crypto'
import { canonicalJson } from '../schema/canonical.ts'

const LETTERS = 12

/**
 * Letters for the sentinels' names: the same for all trees of a task, and in nobody's hands, since they hang on a secret of
 * the data folder and are hidden in all that is kept.
 */
export function wordOf(secret: string, task: string, environment: string): string {
  const digest = createHmac('sha256', secret).update(canonicalJson({ task, environment, use: 'sentinel' }))
  return [...digest.digest().subarray(0, LETTERS)]
    .map((byte) => String.fromCharCode(97 + (byte % 26)))
    .join('')
}

/** The word as adapters write it into names: as it is, with a capital, and all capitals. For maskLog. */
export const masksOf = (word: string): readonly string[] => [
  word,
  `${word.slice(0, 1).toUpperCase()}${word.slice(1)}`,
  word.toUpperCase(),
]
