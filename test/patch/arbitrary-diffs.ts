import fc from 'fast-check'
import { renderDiff } from '../../src/patch/render-diff.ts'
import { toAppliedChanges } from '../../src/schema/applied.ts'
import type { AppliedChanges, FileChange } from '../../src/schema/tree.ts'
import { viewOf } from './template.ts'

type Files = Readonly<Record<string, string | Buffer>>

/** Few different lines, so that hunks fit at several places; both line ends; with and without the last one. */
export const arbitraryText: fc.Arbitrary<string> = fc
  .tuple(
    fc.array(
      fc.tuple(
        fc.constantFrom(
          'a',
          'b',
          '',
          ' ',
          '-- x',
          '++ y',
          '@@ -1 +1 @@',
          'é',
          '\t\\',
          '```',
          'def test_a():',
        ),
        fc.constantFrom('\n', '\n', '\r\n'),
      ),
      { maxLength: 30 },
    ),
    fc.boolean(),
  )
  .map(([lines, ended]) => {
    const whole = lines.map(([line, end]) => line + end).join('')
    return ended ? whole : whole.replace(/\r?\n$/, '')
  })

/** Changes of some of these paths, and the diff that says them, with the options that a model might have used. */
export const arbitraryChanges = (
  base: Files,
  paths: readonly string[],
): fc.Arbitrary<{ readonly changes: AppliedChanges; readonly diff: string }> =>
  fc
    .dictionary(fc.constantFrom(...paths), fc.option(arbitraryText, { nil: null, freq: 6 }), { minKeys: 1 })
    .map((after) => {
      const changes = toAppliedChanges(
        Object.entries(after).flatMap(([path, text]): FileChange[] => {
          const before = base[path]?.toString()
          if (text === null) return before === undefined ? [] : [{ change: 'delete', path }]
          if (text === before) return []
          const contentBase64 = Buffer.from(text).toString('base64')
          return [{ change: 'write', path, mode: '100644', contentBase64 }]
        }),
      )
      return { changes, diff: renderDiff(viewOf(base), changes) }
    })

const HOSTILE_PATHS = [
  '../up.txt',
  '/etc/passwd',
  '.git/config',
  '.GIT/hooks/post-checkout',
  'a/.git/x',
  'C:\\x',
  'a//b',
  './a.txt',
  'a\tb',
  '"q\\"uoted"',
  'x'.repeat(300),
  '',
]

type Damage = (lines: string[], at: number, other: number) => string[]

const at = (lines: readonly string[], index: number): string => lines[index] ?? ''

/** What models, mail programs and hostile people do to a diff. */
const DAMAGES: readonly Damage[] = [
  (lines, i) => lines.toSpliced(i, 1),
  (lines, i) => lines.toSpliced(i, 0, at(lines, i)),
  (lines, i, j) => lines.toSpliced(i, 1, at(lines, j)),
  (lines, i, j) => lines.toSpliced(j, 0, ...lines.slice(i, i + 4)),
  (lines, i) => lines.slice(0, i),
  (lines, i) => lines.slice(i),
  (lines, i, j) => lines.toSpliced(i, 1, at(lines, i).replace(/\d+/, String(j))),
  (lines, i) => lines.toSpliced(i, 1, at(lines, i).replace(/^@@.*?@@/, '@@')),
  (lines, i) => lines.toSpliced(i, 1, at(lines, i).slice(1)),
  (lines, i) => lines.toSpliced(i, 1, ` ${at(lines, i)}`),
  (lines, i) => lines.toSpliced(i, 1, at(lines, i).trimEnd()),
  (lines, i) =>
    lines.toSpliced(
      i,
      1,
      at(lines, i).replace(/^[+-]/, (sign) => (sign === '+' ? '-' : '+')),
    ),
  (lines, i) => lines.toSpliced(i, 0, '\\ No newline at end of file'),
  (lines, i) => lines.toSpliced(i, 0, '```'),
  (lines, i) => lines.toSpliced(i, 0, 'and here is the next part:'),
  (lines, i, j) =>
    lines.toSpliced(
      i,
      0,
      ['new file mode 100755', 'deleted file mode 100644', 'rename to x', 'GIT binary patch'][j % 4] ?? '',
    ),
  (lines) => lines.map((line) => `${line}\r`),
  (lines) => lines.map((line) => line.replace(/^(---|\+\+\+) [ab]\//, '$1 ')),
  (lines) => lines.filter((line) => !line.startsWith('diff --git ')),
  (lines) => lines.map((line) => line.replace(/^ $/, '')),
  (lines, i) => lines.toSpliced(i, 1, `${at(lines, i)}\0\ufeff\u202e`),
  (lines, _i, j) => {
    const path = HOSTILE_PATHS[j % HOSTILE_PATHS.length] ?? ''
    return lines.map((line) => line.replace(/^(\+\+\+ b\/|--- a\/).*/, `$1${path}`))
  },
]

/** A text with up to six damages, in lines. */
export const damaged = (text: fc.Arbitrary<string>, most = 6): fc.Arbitrary<string> =>
  fc
    .tuple(text, fc.array(fc.tuple(fc.constantFrom(...DAMAGES), fc.nat(60), fc.nat(60)), { maxLength: most }))
    .map(([whole, damages]) =>
      damages
        .reduce((lines, [damage, i, j]) => {
          const count = Math.max(1, lines.length)
          return damage(lines, i % count, j % count)
        }, whole.split('\n'))
        .join('\n'),
    )
