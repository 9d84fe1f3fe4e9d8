import { expect, test } from 'vitest'
import { chooseByScore, chooseFirst } from '../../src/match/choose.ts'
import { competitor, generation } from './fakes.ts'

const APPLIED = generation('patch', competitor('a'))
const FORFEIT = {
  ...APPLIED,
  outcome: { kind: 'forfeit' as const, reason: 'empty' as const, detail: '', given: '', notes: [] },
}
const scores = (...values: readonly (number | null)[]) => values.map((score) => ({ score, assessment: null }))

test('without a verifier the first patch that applies plays', () => {
  expect(chooseFirst([FORFEIT, APPLIED, APPLIED])).toMatchObject({ index: 1, chosenBy: 'first' })
  expect(chooseFirst([FORFEIT, FORFEIT]).index).toBe(0)
})

test('the highest score plays, the earlier one of equals', () => {
  const patches = [APPLIED, APPLIED, APPLIED]
  expect(chooseByScore('v', patches, scores(0.1, 0.7, 0.7))).toMatchObject({ index: 1, chosenBy: 'verifier' })
  expect(chooseByScore('v', patches, scores(null, 0, null))).toMatchObject({ index: 1, chosenBy: 'verifier' })
})

test('a verifier that scores none of them chooses nothing: the first that applies plays, and that is said', () => {
  expect(chooseByScore('v', [FORFEIT, APPLIED], scores(null, null))).toMatchObject({
    index: 1,
    chosenBy: 'first',
    verifier: 'v',
  })
})
