import fc from 'fast-check'
import { expect, it } from 'vitest'
import { readAnswer } from '../../src/players/read-answer.ts'
import { fuzzing } from '../helpers/fuzz.ts'
import { arbitraryChanges, damaged } from '../patch/arbitrary-diffs.ts'
import { arbitraryAnswer, arbitraryStop } from './arbitrary-answers.ts'

const { timeoutMs, ...options } = fuzzing(1500)
const BASE = { 'src/a.py': 'def a():\n    return 1\n', 'a.txt': 'a\nb\na\n' }
const diffs = damaged(
  arbitraryChanges(BASE, [...Object.keys(BASE), 'tests/test_a.py']).map(({ diff }) => diff),
)

it('whatever an answer is, it is read as one of the stated kinds, the same each time', {
  timeout: timeoutMs,
}, () => {
  const seen = new Map<string, number>()
  fc.assert(
    fc.property(arbitraryAnswer(diffs), arbitraryStop, (text, stop) => {
      const answer = readAnswer(text, stop)
      seen.set(answer.kind, (seen.get(answer.kind) ?? 0) + 1)
      expect(readAnswer(text, stop)).toEqual(answer)
      switch (answer.kind) {
        case 'diff':
          expect(answer.diffs.length).toBeGreaterThan(0)
          break
        case 'edits':
          expect(answer.edits.every(({ path }) => path !== '')).toBe(true)
          break
        case 'files': {
          const paths = answer.files.map(({ path }) => path)
          expect(new Set(paths).size).toBe(paths.length)
          break
        }
        default:
          expect(answer.reason).not.toBe('')
      }
    }),
    options,
  )
  // A generator that makes only one kind would test nothing.
  expect([...seen.keys()].sort()).toEqual([
    'diff',
    'edits',
    'empty',
    'files',
    'refusal',
    'truncated',
    'unusable',
  ])
  if (process.env.ARENA_FUZZ_RUNS) console.info('answers read:', Object.fromEntries(seen))
})
