import { digestOfValue } from '../schema/canonical.ts'

const LETTERS = 12

/** Letters for the sentinels' names: the same for all trees of a task, and in nobody's hands. */
export function wordOf(task: string, environment: string): string {
  const digest = digestOfValue({ task, environment, use: 'sentinel' })
  return [...digest.slice(0, LETTERS * 2)]
    .flatMap((_, index, all) =>
      index % 2 === 0 ? [Number.parseInt(`${all[index]}${all[index + 1]}`, 16)] : [],
    )
    .map((byte) => String.fromCharCode(97 + (byte % 26)))
    .join('')
}
