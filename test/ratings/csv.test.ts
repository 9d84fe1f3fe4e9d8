import { describe, expect, test } from 'vitest'
import { InputError } from '../../src/errors.ts'
import { parseRounds } from '../../src/ratings/csv.ts'

const HEAD = 'task,submitter,reviewer,outcome\n'

describe('rounds from CSV', () => {
  test('with and without weights, quotes, a byte order mark and Windows line ends', () => {
    expect(parseRounds(`${HEAD}t1,a,b,1\n\nt1,b,a,0\n`, 'r.csv')).toEqual([
      { task: 't1', submitter: 'a', reviewer: 'b', y: 1 },
      { task: 't1', submitter: 'b', reviewer: 'a', y: 0 },
    ])
    const quoted = '\uFEFFTask,submitter,reviewer,outcome,weight\r\n"t, ""1""",a,b,1,0.5\r\n'
    expect(parseRounds(quoted, 'r.csv')).toEqual([
      { task: 't, "1"', submitter: 'a', reviewer: 'b', y: 1, weight: 0.5 },
    ])
    expect(parseRounds(HEAD, 'r.csv')).toEqual([])
  })

  test.each([
    ['task,submitter,outcome\n', "r.csv:1: column 3: expected 'reviewer', found 'outcome'"],
    ['', "r.csv:1: column 1: expected 'task', found ''"],
    ['task,submitter,reviewer,outcome,size\n', "r.csv:1: column 5: expected 'weight', found 'size'"],
    ['task,submitter,reviewer,outcome,weight,more\n', 'r.csv:1: column 6: one column too many'],
    [
      `${HEAD}t,a,b,2\n`,
      "r.csv:2: column 4 (outcome): expected 1 (the patch survives) or 0 (it is killed), found '2'",
    ],
    [`${HEAD}t,a,b,1\nt,,b,1\n`, 'r.csv:3: column 2 (submitter): must not be empty'],
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
  ])('%j is refused with line and column', (text, message) => {
    expect(() => parseRounds(text, 'r.csv')).toThrow(InputError)
    expect(() => parseRounds(text, 'r.csv')).toThrow(message)
  })
})
