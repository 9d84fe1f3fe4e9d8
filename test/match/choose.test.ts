import { expect, test } from 'vitest'
import { createCells } from '../../src/match/cells.ts'
import { chooseByScore, chooseFirst, judgeDraw } from '../../src/match/choose.ts'
import { oneLeg, testsRun } from '../helpers/worlds.ts'
import { competitor, fakeCellStore, fakeCi, generation, IN_PLAY, PATCH, TESTS } from './fakes.ts'

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

const drawWith = (ci: Parameters<typeof fakeCi>[0]) => {
  const world = fakeCi(ci)
  const oracle = { prepared: { ...IN_PLAY.prepared, upstreamTests: TESTS }, oracleCases: IN_PLAY.oracleCases }
  return judgeDraw({
    draws: { k: 2, temperature: 0.8 },
    choice: chooseFirst([APPLIED, FORFEIT]),
    patches: [APPLIED, FORFEIT],
    task: oracle,
    attempt: 0,
    cells: createCells({ ci: world, store: fakeCellStore(), now: () => 0, onEvent: () => undefined }),
  })
}

test('every drawn patch is judged by the repository and the upstream tests, whichever plays', async () => {
  const draw = await drawWith({})
  expect(draw.patches.map(({ playable }) => playable)).toEqual(['yes', 'no'])
  expect(draw.patches.map(({ cell }) => cell !== null)).toEqual([true, false])
  const broken = await drawWith({
    runWorkflow: async ({ changes }) => oneLeg({ a: changes?.digest === PATCH.digest ? 'failed' : 'passed' }),
  })
  expect(broken.patches.map(({ playable }) => playable)).toEqual(['no', 'no'])
})

test('where not even golden can run, nothing is known of a drawn patch', async () => {
  const draw = await drawWith({
    runWorkflow: async () => oneLeg({}, { status: 'unsupported' }),
    runTests: async () => testsRun({}),
  })
  expect(draw.patches.map(({ playable, resolved }) => `${playable} ${resolved}`)).toEqual([
    'unknown unknown',
    'unknown unknown',
  ])
})
