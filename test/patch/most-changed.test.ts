import { expect, test } from 'vitest'
import { mostChanged } from '../../src/patch/most-changed.ts'
import { toAppliedChanges } from '../../src/schema/applied.ts'

const lines = (from: number, to: number): string =>
  Array.from({ length: to - from + 1 }, (_, index) => `line ${from + index}\n`).join('')

const write = (path: string, text: string) => ({
  change: 'write' as const,
  path,
  mode: '100644' as const,
  contentBase64: Buffer.from(text).toString('base64'),
})

test('the places that a patch changed most stand first, each with ten lines around it', () => {
  const base = {
    list: () => ['a.py'],
    read: (path: string) => (path === 'a.py' ? Buffer.from(lines(1, 100)) : undefined),
  }
  const changes = toAppliedChanges([
    write('a.py', `${lines(1, 19)}twenty\n${lines(21, 69)}seventy\nand one\nand two\n${lines(71, 100)}`),
    write('b.py', 'new\n'),
    { change: 'delete', path: 'c.py' },
  ])
  const hints = mostChanged(base, changes)
  expect(
    hints.map(({ path, startLine, endLine, changedLines }) => [path, startLine, endLine, changedLines]),
  ).toEqual([
    ['a.py', 60, 82, 4],
    ['a.py', 10, 30, 2],
    ['b.py', 1, 1, 1],
  ])
  expect(hints[1]?.text).toBe(`${lines(10, 19)}twenty\n${lines(21, 30)}`)
})

test('a file that is no text has no place, and at most three are named', () => {
  const base = { list: () => [], read: () => undefined }
  const binary = { ...write('x.bin', ''), contentBase64: Buffer.from([0xff, 0xfe, 0]).toString('base64') }
  const many = ['a', 'b', 'c', 'd'].map((name) => write(name, 'text\n'))
  expect(mostChanged(base, toAppliedChanges([binary]))).toEqual([])
  expect(mostChanged(base, toAppliedChanges(many))).toHaveLength(3)
})
