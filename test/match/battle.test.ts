import { expect, test } from 'vitest'
import { playBattle } from '../../src/match/battle.ts'
import { createCells } from '../../src/match/cells.ts'
import { chooseFirst } from '../../src/match/choose.ts'
import { planSeason } from '../../src/match/plan.ts'
import { digestOf } from '../../src/schema/canonical.ts'
import { competitor, fakeCellStore, fakeCi, generation, IN_PLAY, TASK } from './fakes.ts'

const seasonDigest = digestOf('season')
const [battle] = planSeason({
  seasonDigest,
  taskDigests: [TASK.loaded.digest],
  competitors: [competitor('a'), competitor('b')],
  controls: [],
  repeat: 0,
  protocol: 'blind',
})

test('an error leaves a battle only when nothing of it runs any more', async () => {
  if (!battle) throw new Error('no battle was planned')
  const working = new Set<string>()
  let runs = 0
  const ci = fakeCi({
    runTests: async ({ changes }) => {
      runs += 1
      const name = `${changes?.digest}:${runs}`
      if (runs === 1) throw new Error('the world broke')
      working.add(name)
      for (let turn = 0; turn < 50; turn++) await new Promise(setImmediate)
      working.delete(name)
      throw new Error('and so did another cell, later')
    },
  })
  const played = playBattle(
    battle,
    IN_PLAY,
    { season: 'spring', seasonDigest, protocol: 'blind' },
    {
      generate: async ({ kind }, _, who) => generation(kind, who),
      choose: async (_, patches) => chooseFirst(patches),
      readLog: async () => undefined,
      cells: createCells({ ci, store: fakeCellStore(), now: () => 0, onEvent: () => undefined }),
      environment: ci.environmentDigest,
      now: () => 0,
    },
  )
  await expect(played).rejects.toThrow('the world broke')
  expect(runs).toBeGreaterThan(1)
  expect([...working]).toEqual([])
})
