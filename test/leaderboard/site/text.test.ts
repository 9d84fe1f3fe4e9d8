import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { countLines, readDiff } from '../../../leaderboard/site/diff-lines.ts'
import { duration, percent, rounded, signed } from '../../../leaderboard/site/format.ts'
import { roundsPath } from '../../../leaderboard/site/paths.ts'
import { cutText, oneLine, visible } from '../../../leaderboard/site/visible.ts'
import { axisOf, intervalText } from '../../../leaderboard/site/whisker.tsx'
import { PATCH, TESTS } from '../../helpers/view-texts.ts'

describe('foreign text', () => {
  it.each([
    ['\u0000\u001b\u007f\u009b', '␀␛␡⟨U+009B⟩'],
    ['a\u202eb\u2066c\u200bd\ufeff', 'a⟨U+202E⟩b⟨U+2066⟩c⟨U+200B⟩d⟨U+FEFF⟩'],
    ['\u{e0041}\ud800\ue000\u2028', '⟨U+E0041⟩⟨U+D800⟩⟨U+E000⟩⟨U+2028⟩'],
    ['one\r\ntwo\rthree\tfour', 'one\ntwo␍three\tfour'],
    ['Grüße, мир, 世界, שלום ✔️ 🚀', 'Grüße, мир, 世界, שלום ✔️ 🚀'],
  ])('shows %j as %j', (text, shown) => {
    expect(visible(text)).toBe(shown)
  })

  it('is never left with anything that hides', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(visible(text)).not.toMatch(/(?![\t\n])[\p{Cc}\p{Cf}\p{Cs}]/u)
      }),
    )
  })

  it('is cut between characters', () => {
    expect(cutText('ab🚀', 3)).toEqual({ text: 'ab', left: 2 })
    expect(cutText('ab🚀', 4)).toEqual({ text: 'ab🚀', left: 0 })
    expect(oneLine('one\ntwo   three', 9)).toBe('one two…')
  })
})

describe('a diff', () => {
  it('has the line numbers of both sides', () => {
    const [file] = readDiff(PATCH).files
    expect(file?.path).toBe('src/duration.py')
    const lines = file?.hunks[0]?.lines ?? []
    expect(lines.map(({ before, after }) => [before, after]).slice(2, 7)).toEqual([
      [10, 10],
      [11, null],
      [12, null],
      [null, 11],
      [null, 12],
    ])
    expect(countLines(readDiff(PATCH))).toEqual({ added: 5, removed: 2 })
  })

  it('takes the name of a new file from its new side', () => {
    const diff = readDiff(TESTS)
    expect(diff.files.map(({ path, facts }) => [path, facts])).toEqual([
      ['tests/test_hours.py', ['new file mode 100644']],
    ])
    expect(countLines(diff)).toEqual({ added: 13, removed: 0 })
  })

  it('follows the counts: a removed line that begins with -- is no file', () => {
    const diff = readDiff('--- a/x.sql\n+++ b/x.sql\n@@ -1,2 +1 @@\n--- a comment\n select 1\n')
    expect(diff.files).toHaveLength(1)
    expect(countLines(diff)).toEqual({ added: 0, removed: 1 })
  })

  it('separates files and keeps what git says about them', () => {
    const diff = readDiff(
      [
        'diff --git a/old.txt b/new.txt',
        'similarity index 100%',
        'rename from old.txt',
        'rename to new.txt',
        'diff --git a/gone b/gone',
        'deleted file mode 100644',
        '--- a/gone',
        '+++ /dev/null',
        '@@ -1 +0,0 @@',
        '-last',
        '\\ No newline at end of file',
      ].join('\n'),
    )
    expect(diff.files.map(({ path }) => path)).toEqual(['new.txt', 'gone'])
    expect(diff.files[0]?.facts).toContain('rename from old.txt')
    expect(diff.files[1]?.hunks[0]?.lines.map(({ kind }) => kind)).toEqual(['removed', 'note'])
  })

  it('loses no line, whatever it is given', () => {
    const line = fc.oneof(
      fc.constantFrom(
        '--- a/x',
        '+++ b/x',
        '@@ -1,2 +1,3 @@',
        'diff --git a/x b/x',
        '+a',
        '-b',
        ' c',
        '\\ d',
        '@@',
        '',
      ),
      fc.string(),
    )
    fc.assert(
      fc.property(fc.array(line, { maxLength: 60 }), (lines) => {
        const { files } = readDiff(lines.join('\n'))
        const shown = files.flatMap(({ facts, hunks }) => [...facts, ...hunks.flatMap((hunk) => hunk.lines)])
        const heads = /^(diff --git |--- |\+\+\+ |@@ -\d+(,\d+)? \+\d+(,\d+)? @@|index [0-9a-f])/
        const told = lines
          .flatMap((text) => text.split('\n'))
          .filter((text) => text !== '' && !heads.test(text))
        expect(shown.length).toBeGreaterThanOrEqual(told.filter((text) => visible(text) !== '').length)
      }),
    )
  })
})

describe('numbers', () => {
  it('have true signs and no false extremes', () => {
    expect([signed(3), signed(0), signed(-1234)]).toEqual(['+3', '0', '−1\u2009234'])
    expect([rounded(1499.6), rounded(-0.2), rounded(-12)]).toEqual(['1500', '0', '−12'])
    expect([1, 0.999, 0.5, 0.001, 0].map(percent)).toEqual([
      '100\u202f%',
      '99\u202f%',
      '50\u202f%',
      '1\u202f%',
      '0\u202f%',
    ])
    expect([950, 59_940, 61_000].map(duration)).toEqual(['950\u202fms', '59.9\u202fs', '1\u202fmin 1\u202fs'])
  })

  it('have an axis that holds them all, with few round ticks', () => {
    const interval = fc
      .tuple(fc.double({ min: 0, max: 4000, noNaN: true }), fc.double({ min: 0, max: 900, noNaN: true }))
      .map(([rating, width]) => ({ rating, low: rating - width, high: rating + width }))
    fc.assert(
      fc.property(fc.array(interval, { minLength: 1 }), (rows) => {
        const axis = axisOf(rows)
        if (!axis) throw new Error('there are ratings')
        expect(axis.ticks.length).toBeLessThanOrEqual(5)
        expect(axis.to).toBeGreaterThan(axis.from)
        for (const { low, high } of rows) expect(axis.from <= low && high <= axis.to).toBe(true)
      }),
    )
    expect(intervalText({ rating: 1500, low: 1400, high: null })).toBe('over 1400')
    expect(intervalText({ rating: 1500, low: null, high: 1600 })).toBe('under 1600')
    expect(axisOf([{ rating: null, low: null, high: null }])).toBeNull()
  })
})

describe('addresses', () => {
  it('hold only the filters that are set, escaped', () => {
    expect(roundsPath('s', {})).toBe('/seasons/s/rounds')
    expect(roundsPath('s', { submitter: 'a@1', page: 2, task: undefined })).toBe(
      '/seasons/s/rounds?submitter=a%401&page=2',
    )
  })
})
