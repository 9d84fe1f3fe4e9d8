import { expect, test } from 'vitest'
import { askAhead } from '../../src/match/ask-ahead.ts'
import { planSeason } from '../../src/match/plan.ts'
import { blindAsk } from '../../src/match/protocols/step.ts'
import { digestOf } from '../../src/schema/canonical.ts'
import { competitor, generation, IN_PLAY, TASK } from './fakes.ts'

const battlesOf = (names: readonly string[]) =>
  planSeason({
    seasonDigest: digestOf('season'),
    taskDigests: [TASK.loaded.digest],
    competitors: names.map(competitor),
    controls: [],
    repeat: 0,
    protocol: 'blind',
  })

test('K competitors are asked for K patches and K sets of tests, not one for each of their K(K−1) rounds', async () => {
  const asked: string[] = []
  const ahead = askAhead(
    battlesOf(['a', 'b', 'c', 'd', 'e']),
    () => IN_PLAY,
    (_, kind) => [blindAsk(kind)],
    async ({ kind }, _, who) => {
      asked.push(`${who.id} ${kind}`)
      return generation(kind, who)
    },
  )
  await ahead.stop()
  const names = ['a', 'b', 'c', 'd', 'e']
  expect(asked.sort()).toEqual(names.flatMap((name) => [`${name} patch`, `${name} tests`]))
})

test('all are asked before any of them has answered', async () => {
  let asked = 0
  let allAsked = (): void => {}
  const whenAllAsked = new Promise<void>((resolve) => {
    allAsked = resolve
  })
  const ahead = askAhead(
    battlesOf(['a', 'b', 'c']),
    () => IN_PLAY,
    (_, kind) => [blindAsk(kind)],
    async ({ kind }, _, who) => {
      if (++asked === 6) allAsked()
      await whenAllAsked
      return generation(kind, who)
    },
  )
  await whenAllAsked
  await ahead.stop()
  expect(asked).toBe(6)
})

test('what goes wrong is left to the rounds, and after the end nobody new is asked', async () => {
  const names = Array.from({ length: 3 }, (_, index) => `c${index}`)
  const tasks = Array.from({ length: 100 }, (_, index) => digestOf(`task ${index}`))
  const battles = planSeason({
    seasonDigest: digestOf('season'),
    taskDigests: tasks,
    competitors: names.map(competitor),
    controls: [],
    repeat: 0,
    protocol: 'blind',
  })
  const failing: (() => void)[] = []
  const ahead = askAhead(
    battles,
    (digest) => ({
      ...IN_PLAY,
      prepared: { ...TASK, loaded: { ...TASK.loaded, digest: digest as typeof TASK.loaded.digest } },
    }),
    (_, kind) => [blindAsk(kind)],
    () => new Promise((_, reject) => failing.push(() => reject(new Error('disk full')))),
  )
  const begun = failing.length
  expect(begun).toBeLessThan(tasks.length * names.length * 2)
  const stopped = ahead.stop()
  for (const fail of failing) fail()
  await stopped
  expect(failing).toHaveLength(begun)
})
