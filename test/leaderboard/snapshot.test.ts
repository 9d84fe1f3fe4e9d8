import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { DATA_FILES, type DataFiles } from '../../leaderboard/snapshot/data-files.ts'
import { makeSnapshot } from '../../leaderboard/snapshot/make.ts'
import type { SeasonData } from '../../leaderboard/snapshot/season-data.ts'
import { verifySnapshot } from '../../leaderboard/snapshot/verify.ts'
import { parseRounds } from '../../src/ratings/rounds-file.ts'
import { digestOfValue } from '../../src/schema/canonical.ts'
import { Snapshot } from '../../src/schema/snapshot.ts'
import { seasonData } from './season-data.ts'

const data = seasonData()
const made = makeSnapshot(data)

/** The same rows in another order, as another machine may have written them. */
const mixed = (text: string): string => {
  const [head = '', ...lines] = text.trimEnd().split('\n')
  const turned = [...lines.slice(lines.length / 3), ...lines.slice(0, lines.length / 3)].reverse()
  return `${[head, ...turned].join('\n')}\n`
}

const edited = (name: keyof DataFiles, change: (text: string) => string): DataFiles => {
  const text = change(made.files[name])
  expect(text).not.toBe(made.files[name])
  return { ...made.files, [name]: text }
}

const places = (snapshot: Snapshot, files: DataFiles, name: string = made.digest) =>
  verifySnapshot(snapshot, files, name).map(({ place }) => place)

describe('a snapshot', () => {
  test('is named by what it holds, and the same data make the same one in whatever order', () => {
    expect(digestOfValue(made.snapshot)).toBe(made.digest)
    expect(Snapshot.parse(JSON.parse(JSON.stringify(made.snapshot)))).toEqual(made.snapshot)
    fc.assert(
      fc.property(fc.shuffledSubarray([...data.rounds], { minLength: data.rounds.length }), (rounds) => {
        const other: SeasonData = {
          ...data,
          rounds,
          tasks: [...data.tasks].reverse(),
          competitors: [...data.competitors].reverse(),
        }
        expect(makeSnapshot(other).digest).toBe(made.digest)
      }),
      { numRuns: 3 },
    )
  })

  test('holds, from its files in any order of rows', () => {
    expect(verifySnapshot(made.snapshot, made.files, made.digest)).toEqual([])
    const files = Object.fromEntries(DATA_FILES.map((name) => [name, mixed(made.files[name])]))
    expect(verifySnapshot(made.snapshot, files as unknown as DataFiles, made.digest)).toEqual([])
  })

  test('has the court, the table as judged, slices and how few battles carry the first place', () => {
    const { standings, slices, fragility, mu } = made.snapshot.results
    expect(standings.court.overSpecified.map(({ reviewer, key }) => `${reviewer} ${key.case}`)).toEqual(
      Array(6).fill('eve exact message'),
    )
    expect(standings.asJudged).not.toBeNull()
    expect([...new Set(slices.map(({ by }) => by))]).toEqual(['language', 'difficulty'])
    expect(slices.filter(({ by }) => by === 'language').map(({ value }) => value)).toEqual(['go', 'rust'])
    expect(fragility).toMatchObject({ of: data.rounds.length / 2 })
    expect(mu).not.toBeNull()
  })

  test('its rounds are rounds that arena ratings fit reads, controls and voids left out', () => {
    const { rounds, unrated } = parseRounds(made.files['rounds.csv'], 'rounds.csv')
    expect(rounds.length + unrated).toBe(data.rounds.length)
    expect(rounds.length).toBe(data.rounds.filter(({ control }) => !control).length)
  })

  test('of nothing rated holds too', () => {
    const empty = makeSnapshot({ ...data, rounds: data.rounds.slice(0, 1) })
    expect(verifySnapshot(empty.snapshot, empty.files, empty.digest)).toEqual([])
  })
})

describe('a tampered export is refused with what differs', () => {
  test('a turned outcome: the file, the task and the ratings that hang on it', () => {
    const files = edited('rounds.csv', (text) =>
      text.replace(/^(t03,.*),submitter-win,submitter-win,1,1,0,/m, '$1,submitter-win,reviewer-win,0,-1,1,'),
    )
    const found = places(made.snapshot, files)
    expect(found).toContain('rounds.csv')
    expect(found).toContain('rows of task t03')
    expect(found).not.toContain('rows of task t04')
    expect(found.some((place) => /^results\.standings\.rows\[\w+\]\.rating$/.test(place))).toBe(true)
  })

  test('a column that follows from others', () => {
    const files = edited('rounds.csv', (text) => text.replace(/^(t03,\w+,\w+),1,1,/m, '$1,0,1,'))
    expect(places(made.snapshot, files)).toEqual(['rounds.csv', 'rows of task t03', 'rounds.csv'])
  })

  test('a test that the court is no longer told of', () => {
    const files = edited('tests.csv', (text) =>
      text.replaceAll(/^(t05,.*exact message),failed,failed,1$/gm, '$1,passed,,0'),
    )
    const found = places(made.snapshot, files)
    expect(found).toContain('tests.csv')
    expect(found).toContain('rows of task t05')
  })

  test('a missing round, and a team that was renamed', () => {
    const fewer = edited('rounds.csv', (text) => text.replace(/^t09,.*\n/m, ''))
    expect(places(made.snapshot, fewer)).toContain('rows of task t09')
    const renamed = edited('competitors.csv', (text) => text.replace('ada,ada,ada', 'ada,ada,bob'))
    expect(places(made.snapshot, renamed)).toContain('competitors.csv')
  })

  test('a rating that was made more beautiful: the place, what is stated, what was found', () => {
    const snapshot: Snapshot = structuredClone(made.snapshot)
    const row = snapshot.results.standings.rows[2]
    if (!row?.rating) throw new Error('no rating')
    const true_ = row.rating
    row.rating = 1999
    expect(verifySnapshot(snapshot, made.files, made.digest)).toEqual([
      { place: 'snapshot.json', stated: `named ${made.digest}`, found: `SHA-256 ${digestOfValue(snapshot)}` },
      {
        place: `results.standings.rows[${row.competitor}].rating`,
        stated: '1999',
        found: String(true_),
      },
    ])
  })

  test('everything made anew from other data: by the name alone', () => {
    const other = makeSnapshot({ ...data, anchors: ['bob'] })
    expect(verifySnapshot(other.snapshot, other.files, other.digest)).toEqual([])
    expect(places(other.snapshot, other.files)).toEqual(['snapshot.json'])
  })

  test("another engine's is not guessed at", () => {
    const old = { ...made.snapshot, engine: '0' }
    expect(() => verifySnapshot(old, made.files)).toThrow(/made by version 0 of the ratings engine/)
  })

  test.each([
    ['rounds.csv', (text: string) => text.replace('outcome', 'result'), /rounds\.csv:1: the columns are/],
    ['rounds.csv', (text: string) => text.replace(',yes,', ',maybe,'), /rounds\.csv:\d+: playable|resolved/],
    ['tests.csv', (text: string) => text.replace(',passed,', ',won,'), /tests\.csv:\d+: result: found 'won'/],
  ] as const)('%s that is no such file is named', (name, change, message) => {
    expect(() => verifySnapshot(made.snapshot, edited(name, change))).toThrow(message)
  })
})
