import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { areaUnderCurve, bestAtK, summariseDraws } from '../../src/match/verifier-quality.ts'
import { digestOf } from '../../src/schema/canonical.ts'
import { Draw } from '../../src/schema/match.ts'

/** Every choice of k of the draws, counted: slow and plainly right. */
function byCounting(successes: readonly boolean[], k: number): number {
  const choose = (from: number, left: number, hit: boolean): readonly [number, number] => {
    if (left === 0) return [hit ? 1 : 0, 1]
    let [hits, all] = [0, 0]
    for (let index = from; index <= successes.length - left; index++) {
      const [more, of] = choose(index + 1, left - 1, hit || successes[index] === true)
      hits += more
      all += of
    }
    return [hits, all]
  }
  const [hits, all] = choose(0, k, false)
  return hits / all
}

test('Best@k is the share of all choices of k draws that hold a success', () => {
  fc.assert(
    fc.property(
      fc.array(fc.boolean(), { minLength: 1, maxLength: 9 }),
      fc.integer({ min: 1, max: 9 }),
      (draws, k) => {
        fc.pre(k <= draws.length)
        const c = draws.filter(Boolean).length
        expect(bestAtK(draws.length, c, k)).toBeCloseTo(byCounting(draws, k), 10)
      },
    ),
  )
  expect(bestAtK(2, 1, 3)).toBeNull()
})

test.each([
  [[0.9], [0.1, 0.2], 1],
  [[0.1], [0.9], 0],
  [[0.5], [0.5, 0.5], 0.5],
  [[0.5, 0.9], [0.7], 0.5],
  [[], [0.5], null],
  [[0.5], [], null],
])('the area under the curve of %j against %j is %j', (right, wrong, area) => {
  expect(areaUnderCurve(right, wrong)).toBe(area)
})

const drawOf = (resolved: readonly ('yes' | 'no' | 'unknown')[], name: string) =>
  Draw.parse({
    temperature: 0.8,
    chosenBy: 'verifier',
    verifier: 'v',
    patches: resolved.map((outcome, index) => ({
      patch: digestOf(`${name} ${index}`),
      score: 0.5,
      assessment: null,
      playable: 'yes',
      resolved: outcome,
      cell: digestOf('cell'),
      oracle: null,
    })),
  })

const round = (
  submitter: string,
  resolved: readonly ('yes' | 'no' | 'unknown')[],
  plays: number,
  name = submitter,
) => {
  const draw = drawOf(resolved, name)
  const patch = draw.patches[plays]?.patch
  if (!patch) throw new Error('no such draw')
  return { submitter: submitter as never, patch, draw }
}

describe('what drawing was worth', () => {
  test('stands between a random choice and an oracle, each draw once however many opponents share it', () => {
    const one = round('a', ['no', 'yes', 'no', 'no'], 1, 'one')
    const two = round('a', ['yes', 'yes', 'no', 'no'], 2, 'two')
    const [summary] = summariseDraws([one, one, two])
    expect(summary).toMatchObject({
      competitor: 'a',
      tasks: 2,
      k: 4,
      temperature: 0.8,
      scored: 8,
      patches: 8,
      chosen: 0.5,
      random: 0.375,
      oracle: 1,
    })
    expect(summary?.captured).toBeCloseTo(0.2, 10)
    expect(summary?.bestAt[0]).toBeCloseTo(0.375, 10)
    expect(summary?.bestAt[3]).toBe(1)
  })

  test('is nothing to be captured where every draw or none succeeds', () => {
    expect(summariseDraws([round('a', ['yes', 'yes'], 0)])[0]?.captured).toBeNull()
    expect(summariseDraws([round('a', ['no', 'no'], 0)])[0]).toMatchObject({ captured: null, oracle: 0 })
  })

  test('says nothing of draws that nobody knows, and is empty where none were drawn', () => {
    const [summary] = summariseDraws([round('a', ['unknown', 'yes'], 1)])
    expect(summary).toMatchObject({ tasks: 1, chosen: 1, random: 1, bestAt: [1, null] })
    expect(summariseDraws([{ submitter: 'a' as never, patch: digestOf('x') }])).toEqual([])
  })
})
