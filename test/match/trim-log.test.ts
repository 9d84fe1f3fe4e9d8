import { expect, test } from 'vitest'
import { trimLog } from '../../src/match/trim-log.ts'

test.each([
  ['pytest', '1 failed, 2 passed in 0.31s', '1 failed, 2 passed in …s'],
  [
    'go',
    '--- FAIL: TestSum (0.00s)\ngoroutine 18 [running]:\nmain.f(0xc000012345)',
    '--- FAIL: TestSum (…s)\ngoroutine … [running]:\nmain.f(0x…)',
  ],
  [
    'cargo',
    "thread 'adds' (4321) panicked at\ntest result: FAILED. finished in 1.20s",
    "thread 'adds' (…) panicked at\ntest result: FAILED. finished in …s",
  ],
  ['gtest', '[  FAILED  ] Sum.Adds (12 ms)', '[  FAILED  ] Sum.Adds (… s)'],
  ['ctest', '1/1 Test #1: sum ......***Failed    0.01 sec', '1/1 Test #1: sum ......***Failed    … s'],
  ['what a test compares', 'expected 3, got 4 at line 12', 'expected 3, got 4 at line 12'],
])('what differs from run to run is taken out of a log of %s, and nothing else', (_, log, cleaned) => {
  expect(trimLog(log)).toBe(cleaned)
})

test('the end is kept, in bounds', () => {
  const long = Array.from({ length: 5000 }, (_, index) => `line ${index} ${'x'.repeat(100)}`).join('\n')
  const kept = trimLog(`${long}\nthe end\n\n`)
  expect(kept.endsWith('the end')).toBe(true)
  expect(kept.length).toBeLessThanOrEqual(4000)
  expect(trimLog(Array.from({ length: 500 }, (_, index) => `${index}`).join('\n')).split('\n')).toHaveLength(
    60,
  )
})

test('colours and titles of a terminal are taken out', () => {
  expect(trimLog('\u001b]0;title\u0007\u001b[1;31mred\u001b[0m\r\nnext')).toBe('red\nnext')
})
