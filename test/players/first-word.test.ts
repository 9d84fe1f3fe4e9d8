import { describe, expect, it } from 'vitest'
import { YES_OR_NO, ZERO_TO_THREE } from '../../src/players/assess.ts'
import { valueOfFirstToken, valueOfFirstWord } from '../../src/players/first-word.ts'

const token = (text: string, top: Readonly<Record<string, number>>) => ({
  token: text,
  logprob: Math.log(top[text] ?? 0.5),
  top: Object.entries(top).map(([other, probability]) => ({ token: other, logprob: Math.log(probability) })),
})

describe('the first answer token', () => {
  it.each<[string, ReturnType<typeof token>[], number | undefined]>([
    ['yes against no', [token('Yes', { Yes: 0.6, No: 0.2, Maybe: 0.2 })], 0.75],
    ['all ways of writing a word together', [token('no', { no: 0.3, No: 0.3, ' yes': 0.2, YES: 0.2 })], 0.4],
    [
      'tokens of white space and marks are passed over',
      [token('\n', { '\n': 1 }), token('**', { '**': 1 }), token('Yes', { Yes: 0.9, No: 0.1 })],
      0.9,
    ],
    ['a word of no value that could have been one', [token('The', { The: 0.5, Yes: 0.3, No: 0.1 })], 0.75],
    [
      'a word that is none, with hardly a chance for one',
      [token('The', { The: 0.95, Yes: 0.05 })],
      undefined,
    ],
    ['only marks', [token('...', { '...': 1 })], undefined],
    ['nothing', [], undefined],
  ])('%s', (_, tokens, expected) => {
    const value = valueOfFirstToken(tokens, YES_OR_NO)
    if (expected === undefined) expect(value).toBeUndefined()
    else expect(value).toBeCloseTo(expected, 10)
  })

  it('counts for itself where no alternatives are given', () => {
    expect(valueOfFirstToken([{ token: 'No', logprob: -0.1 }], YES_OR_NO)).toBe(0)
    expect(valueOfFirstToken(null, YES_OR_NO)).toBeUndefined()
  })

  it('is a mean on a scale', () => {
    expect(valueOfFirstToken([token('2', { '2': 0.5, '3': 0.5 })], ZERO_TO_THREE)).toBeCloseTo(5 / 6, 10)
  })

  it('is not fooled by names that every object has', () => {
    expect(valueOfFirstToken([token('constructor', { constructor: 0.9 })], YES_OR_NO)).toBeUndefined()
    expect(valueOfFirstWord('toString', YES_OR_NO)).toBeUndefined()
  })
})

it.each([
  ['Yes.', 1],
  ['**No**, it breaks the parser.', 0],
  ['<think>\nno, no\n</think>\nyes', 1],
  ['I think yes', undefined],
  ['', undefined],
])('the first word of %j', (text, expected) => {
  expect(valueOfFirstWord(text, YES_OR_NO)).toBe(expected)
})
