import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { InputError } from '../../src/errors.ts'
import { parseCsv, toCsv } from '../../src/ratings/csv.ts'
import { parseRounds } from '../../src/ratings/rounds-file.ts'

const HEAD = 'task,submitter,reviewer,outcome\n'

describe('rounds from CSV', () => {
  test('with and without weights, quotes, a byte order mark and Windows line ends', () => {
    expect(parseRounds(`${HEAD}t1,a,b,1\n\nt1,b,a,0\n`, 'r.csv')).toEqual({
      rounds: [
        { task: 't1', submitter: 'a', reviewer: 'b', y: 1 },
        { task: 't1', submitter: 'b', reviewer: 'a', y: 0 },
      ],
      ignored: [],
      unrated: 0,
      weighted: false,
    })
    const quoted = '\uFEFFTask,submitter,reviewer,outcome,weight\r\n"t, ""1""",a,b,1,0.5\r\n'
    expect(parseRounds(quoted, 'r.csv')).toMatchObject({
      rounds: [{ task: 't, "1"', submitter: 'a', reviewer: 'b', y: 1, weight: 0.5 }],
      weighted: true,
    })
    expect(parseRounds(HEAD, 'r.csv').rounds).toEqual([])
    expect(parseRounds(HEAD.trim(), 'r.csv').rounds).toEqual([])
  })

  test('in any order of columns, with battles, unrated rounds, and columns that say nothing to the ratings', () => {
    const text = 'battle,outcome,reviewer,size,submitter,task,rated\nx,1,b,9,a,t,1\nx,,a,9,b,t,0\n'
    expect(parseRounds(text, 'r.csv')).toEqual({
      rounds: [{ task: 't', submitter: 'a', reviewer: 'b', y: 1, battle: 'x' }],
      ignored: ['size'],
      unrated: 1,
      weighted: false,
    })
  })

  test.each([
    ['task,submitter,outcome\n', 'r.csv:1: no column reviewer; found task,submitter,outcome'],
    ['', 'r.csv:1: no column task, submitter, reviewer, outcome; found nothing'],
    ['task,submitter,reviewer,outcome,task\n', "r.csv:1: column 'task' stands twice"],
    [
      `${HEAD}t,a,b,2\n`,
      "r.csv:2: column 4 (outcome): expected 1 (the patch survives) or 0 (it is killed), found '2'",
    ],
    [`${HEAD}t,a,b,1\nt,,b,1\n`, 'r.csv:3: column 2 (submitter): must not be empty'],
    [`${HEAD}"t\nu",a,b,1\nt,,b,1\n`, 'r.csv:4: column 2 (submitter): must not be empty'],
    [`${HEAD}t,a,a,1\n`, "r.csv:2: column 3 (reviewer): 'a' is the submitter too"],
    [`${HEAD}t,a,b\n`, 'r.csv:2: 3 columns where the first line has 4'],
    [`${HEAD}t,"a,b,1\n`, 'r.csv:2: column 2: a quote that does not enclose the field'],
    [
      'task,submitter,reviewer,outcome,weight\nt,a,b,1,-1\n',
      "r.csv:2: column 5 (weight): expected a positive number, found '-1'",
    ],
    [
      'task,submitter,reviewer,outcome,weight\nt,a,b,1,\n',
      "r.csv:2: column 5 (weight): expected a positive number, found ''",
    ],
    [
      'task,submitter,reviewer,outcome,rated\nt,a,b,1,x\n',
      "r.csv:2: column 5 (rated): expected 1 or 0, found 'x'",
    ],
  ])('%j is refused with line and column', (text, message) => {
    expect(() => parseRounds(text, 'r.csv')).toThrow(InputError)
    expect(() => parseRounds(text, 'r.csv')).toThrow(message)
  })
})

describe('rounds from NDJSON', () => {
  const line = (value: unknown) => `${JSON.stringify(value)}\n`
  const ROUND = { task: 't', submitter: 'a', reviewer: 'b', outcome: 1 }

  test('numbers may be numbers or text', () => {
    const text = line(ROUND) + line({ ...ROUND, outcome: '0', weight: 2, note: 'x' })
    expect(parseRounds(text, 'r.ndjson')).toMatchObject({
      rounds: [{ y: 1 }, { y: 0, weight: 2 }],
      ignored: ['note'],
    })
  })

  test.each([
    [`${line(ROUND)}{`, 'r.ndjson:2: not a JSON object on one line'],
    [`${line(ROUND)}[1]\n`, 'r.ndjson:2: expected a JSON object'],
    [
      line({ ...ROUND, outcome: true }),
      "r.ndjson:1: outcome: expected 1 (the patch survives) or 0 (it is killed), found 'true'",
    ],
    [line({ ...ROUND, task: undefined }), 'r.ndjson:1: task: must not be empty'],
    [line({ ...ROUND, weight: 0 }), "r.ndjson:1: weight: expected a positive number, found '0'"],
  ])('%j is refused with the line', (text, message) => {
    expect(() => parseRounds(text, 'r.ndjson')).toThrow(message)
  })
})

test('what is written as CSV is read back', () => {
  const anyField = fc.string({ unit: fc.constantFrom('a', ' ', '"', ',', '\n', 'é', '0'), maxLength: 6 })
  fc.assert(
    fc.property(fc.array(fc.tuple(anyField, anyField), { maxLength: 8 }), (rows) => {
      const { names, rows: read } = parseCsv(toCsv(['x', 'y'], rows), 'x.csv')
      expect(names).toEqual(['x', 'y'])
      expect(read.map(({ fields }) => fields)).toEqual(rows)
    }),
  )
})
