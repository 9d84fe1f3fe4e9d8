import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { recordSeason } from '../../src/arena/record-season.ts'
import { loadStandings } from '../../src/arena/show-season.ts'
import type { Generation, Round } from '../../src/schema/match.ts'
import { openStore } from '../../src/store/open-store.ts'
import { type AnswerServer, messagesOf, recorded, startAnswerServer } from '../helpers/answer-server.ts'
import { type FakePlayed, playFakeSeason } from '../helpers/fake-season.ts'
import { temporaryFolder } from '../helpers/repository.ts'

const TASK = 'python-cron-weekday'

const timeless = (generation: Generation): Generation => ({ ...generation, createdAt: '' })
const settled = (rounds: readonly Round[]): readonly Round[] =>
  rounds.map((round) => ({ ...round, settledAt: '' }))

describe('seasons of other protocols over HTTP', () => {
  const folder = temporaryFolder('arena-protocols')
  const at = (name: string): string => join(folder.path, name)
  const servers: AnswerServer[] = []
  const askedInAll = (): number =>
    servers.reduce((sum, server) => sum + server.asked('patch').length + server.asked('tests').length, 0)

  const seasonFile = (protocol: string, more: object = {}): string => {
    const path = at(`${protocol}.season.yml`)
    const document = {
      id: 'own',
      title: 'Own',
      protocol,
      controls: false,
      tasks: [fileURLToPath(new URL(`../../examples/tasks/${TASK}`, import.meta.url))],
      competitors: ['endpoint:thorough.yml', 'endpoint:careless.yml'],
      ...more,
    }
    writeFileSync(path, JSON.stringify(document))
    return path
  }

  beforeAll(async () => {
    for (const id of ['thorough', 'careless']) {
      const server = await startAnswerServer(id, {
        patch: [recorded(id, TASK, 'patch')],
        tests: [recorded(id, TASK, 'tests')],
      })
      servers.push(server)
      const endpoint = { baseUrl: server.address.split('#')[0], model: id }
      writeFileSync(
        at(`${id}.yml`),
        JSON.stringify({ id, label: id, team: id, player: { kind: 'endpoint', endpoint } }),
      )
    }
  })
  afterAll(async () => {
    for (const server of servers) await server.close()
    folder[Symbol.dispose]()
  })

  it.each([
    ['sighted', 2],
    ['paper', 10],
  ] as const)(
    '%s: recorded and played again, the same rounds and generations',
    { timeout: 120_000 },
    async (protocol, count) => {
      const season = { folder: folder.path, seasonFile: seasonFile(protocol) }
      const played = await playFakeSeason({ ...season, data: protocol })
      expect(played.rounds).toHaveLength(count)
      // careless brings a patch that does not apply: nobody is asked to review it.
      const ends = played.rounds.map(({ submitter, verdict, tests }) => [
        submitter,
        verdict.kind,
        tests === null,
      ])
      expect(new Set(ends.map((end) => end.join(' ')))).toEqual(
        new Set(['thorough submitter-win false', 'careless submitter-forfeit true']),
      )
      // Each two rounds with the roles swapped are a battle of the ratings.
      const record = played.standings?.rows.find(({ competitor }) => competitor === 'thorough')
      expect([record?.wins, record?.losses, record?.draws]).toEqual([count / 2, 0, 0])
      const store = await openStore({ dataDir: at(protocol), now: () => new Date() })
      await recordSeason(store, 'own', at(`${protocol}-recording`))
      await store.close()

      const before = askedInAll()
      const again = await playFakeSeason({
        ...season,
        data: `${protocol}-again`,
        replay: at(`${protocol}-recording`),
      })
      expect(askedInAll()).toBe(before)
      expect(again.generations.map(timeless)).toEqual(played.generations.map(timeless))
      expect(settled(again.rounds)).toEqual(settled(played.rounds))

      const resumed = await playFakeSeason({ ...season, data: protocol })
      expect(askedInAll()).toBe(before)
      expect(settled(resumed.rounds)).toEqual(settled(played.rounds))
      expect(resumed.changed).toEqual([])
    },
  )

  it('shows the reviewer the patch, and in later rounds each role what came before', () => {
    const [thorough, careless] = servers
    const textsOf = (server: AnswerServer | undefined, role: 'patch' | 'tests') =>
      server?.asked(role).map((request) =>
        messagesOf(request)
          .map(({ content }) => content)
          .join('\n'),
      ) ?? []
    const reviews = textsOf(careless, 'tests')
    expect(reviews.length).toBeGreaterThan(5)
    for (const text of reviews) expect(text).toMatch(/<patch>\ndiff --git a\/[^\n]+\n/)
    const later = textsOf(thorough, 'patch').filter((text) => text.includes('<earlier>'))
    expect(later.map((text) => /Round \d+: [^\n]*/g.exec(text)?.[0])).toContain(
      'Round 1: The patch passed every check and every test that counts.',
    )
    const told = textsOf(careless, 'patch').filter((text) => text.includes('<earlier>'))
    expect(told[0]).toContain('Round 2: Nothing of the answer could be used (does-not-apply)')
  })

  it('is stopped in the middle of a battle in turn and goes on where it was', {
    timeout: 120_000,
  }, async () => {
    const season = { folder: folder.path, seasonFile: seasonFile('paper'), data: 'stopped' }
    const stop = new AbortController()
    let made = 0
    const first: FakePlayed = await playFakeSeason({
      ...season,
      signal: stop.signal,
      onEvent: (event) => {
        if (event.kind === 'generation' && !event.cached && ++made === 5) stop.abort()
      },
    })
    expect(first.interrupted).toBe(true)
    expect(first.rounds).toEqual([])
    const before = askedInAll()
    const second = await playFakeSeason(season)
    expect(second.rounds).toHaveLength(10)
    const whole = second.generations.reduce((sum, { calls }) => sum + calls.length, 0)
    const kept = second.events.filter((event) => event.kind === 'generation' && event.cached).length
    expect(kept).toBeGreaterThanOrEqual(5)
    expect(askedInAll() - before).toBeLessThan(whole)
  })

  it('never mixes with the same season under another protocol', { timeout: 120_000 }, async () => {
    const play = (protocol: string) =>
      playFakeSeason({ folder: folder.path, seasonFile: seasonFile(protocol), data: 'mixed' })
    const sighted = await play('sighted')
    const blind = await play('swap')
    const digests = (played: FakePlayed) => new Set(played.rounds.map(({ seasonDigest }) => seasonDigest))
    expect([...digests(sighted), ...digests(blind)]).toHaveLength(2)
    const ids = new Set(sighted.rounds.map(({ id }) => id as string))
    expect(blind.rounds.filter(({ id }) => ids.has(id))).toEqual([])
    expect(sighted.generations.filter(({ id }) => blind.generations.some((one) => one.id === id))).toEqual([])
    expect(blind.standings?.protocol).toBe('blind')
    const store = await openStore({ dataDir: at('mixed'), now: () => new Date() })
    try {
      const standings = await loadStandings(store, 'own')
      expect(standings).toEqual(blind.standings)
    } finally {
      await store.close()
    }
    const again = await play('sighted')
    expect(settled(again.rounds)).toEqual(settled(sighted.rounds))
  })

  it('draws several patches only under best-of-k, which says how many', async () => {
    const play = (protocol: string, more: object) =>
      playFakeSeason({ folder: folder.path, seasonFile: seasonFile(protocol, more), data: 'refused' })
    await expect(play('best-of-k', {})).rejects.toThrow(/bestOf: protocol best-of-k needs bestOf\.k/)
    await expect(play('blind', { bestOf: { k: 3, temperature: 0.8 } })).rejects.toThrow(
      /bestOf: only protocol best-of-k draws/,
    )
  })
})
