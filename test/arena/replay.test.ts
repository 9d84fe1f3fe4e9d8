import { appendFileSync, cpSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { recordSeason } from '../../src/arena/record-season.ts'
import { openReplay } from '../../src/models/replay.ts'
import type { Generation, Round } from '../../src/schema/match.ts'
import type { ChatMessage } from '../../src/schema/model.ts'
import { RecordedCall } from '../../src/schema/recording.ts'
import { openStore } from '../../src/store/open-store.ts'
import { type AnswerServer, recorded, startAnswerServer } from '../helpers/answer-server.ts'
import { type FakePlayed, playFakeSeason } from '../helpers/fake-season.ts'
import { answering, faults } from '../helpers/openai-server.ts'
import { temporaryFolder } from '../helpers/repository.ts'

const TASK = 'python-cron-weekday'

describe('a season that was played over HTTP', () => {
  const folder = temporaryFolder('arena-replay')
  const at = (name: string): string => join(folder.path, name)
  const seasonFile = at('own.season.yml')
  const servers: AnswerServer[] = []
  let played: FakePlayed

  const play = (data: string, replay?: string, secret?: string): Promise<FakePlayed> =>
    playFakeSeason({
      folder: folder.path,
      seasonFile,
      data,
      replay,
      env: secret === undefined ? {} : { MODEL_KEY: secret },
    })
  const endpoint = (id: string, { address }: AnswerServer): string =>
    JSON.stringify({
      id,
      label: id,
      team: id,
      player: {
        kind: 'endpoint',
        endpoint: { baseUrl: address.split('#')[0], model: id, keyEnv: 'MODEL_KEY' },
      },
    })

  beforeAll(async () => {
    const behaviours = {
      // Asked again after prose that no database takes as it is.
      first: {
        patch: [answering('seven\0 is zero'), recorded('thorough', TASK, 'patch')],
        tests: [recorded('thorough', TASK, 'tests')],
      },
      second: {
        patch: [recorded('careless', TASK, 'patch')],
        tests: [faults.cut, recorded('careless', TASK, 'tests')],
      },
      broken: { patch: [faults.html], tests: [recorded('symptom', TASK, 'tests')] },
    }
    for (const [id, behaviour] of Object.entries(behaviours)) {
      const server = await startAnswerServer(id, behaviour)
      servers.push(server)
      writeFileSync(at(`${id}.yml`), endpoint(id, server))
    }
    cpSync(fileURLToPath(new URL('../../examples/competitors/steady', import.meta.url)), at('steady'), {
      recursive: true,
    })
    const competitors = [...Object.keys(behaviours).map((id) => `endpoint:${id}.yml`), 'scripted:steady']
    const tasks = [fileURLToPath(new URL(`../../examples/tasks/${TASK}`, import.meta.url))]
    const prices = {
      date: '2026-01-31',
      currency: 'EUR',
      models: { first: { input: 1000, output: 10_000 }, second: { input: 0, output: 0 } },
    }
    const limits = { tokens: 100_000, bytes: 10_000_000 }
    writeFileSync(seasonFile, JSON.stringify({ id: 'own', title: 'Own', tasks, competitors, prices, limits }))
    played = await play('played', undefined, 'sk-planted-000')
    const store = await openStore({ dataDir: at('played'), now: () => new Date() })
    await recordSeason(store, 'own', at('recording'))
    await recordSeason(store, 'own', at('recording-again'))
    await store.close()
    // From here on nobody answers.
    for (const server of servers) await server.close()
  }, 300_000)
  afterAll(() => folder[Symbol.dispose]())

  it('has patches, forfeits, askings again and faults in it', () => {
    expect(played.generations.flatMap(({ calls }) => calls.map((call) => call.error))).toContain(null)
    const outcomes = played.generations.map(({ competitor, kind, outcome }) =>
      [competitor, kind, outcome.kind === 'forfeit' ? outcome.reason : outcome.kind].join(' '),
    )
    expect(outcomes).toEqual(
      expect.arrayContaining(['first patch applied', 'second patch does-not-apply', 'broken patch endpoint']),
    )
    const first = played.generations.find(
      ({ competitor, kind }) => competitor === 'first' && kind === 'patch',
    )
    expect(first?.calls).toHaveLength(2)
    expect(first?.calls[0]?.text).toBe('seven\ufffd is zero')
  })

  it('asked each endpoint once for a patch and once for tests, however many rounds there are', () => {
    const firstCalls = played.generations.flatMap(({ competitor, kind, calls }) =>
      calls.filter(({ attempt }) => attempt === 1).map(() => `${competitor} ${kind}`),
    )
    const sides = ['broken', 'first', 'second', 'steady']
    expect(firstCalls.sort()).toEqual(sides.flatMap((side) => [`${side} patch`, `${side} tests`]))
    expect(servers.map((server) => server.asked('patch').length)).toEqual([2, 2, 2])
  })

  it('says what it cost, each generation once in the whole', () => {
    const { spending } = played
    // The server tells 11 tokens in and 7 out for each of three calls.
    const amount = (3 * (11 * 1000 + 7 * 10_000)) / 1e6
    expect(spending.competitors.first).toMatchObject({ calls: 3, promptTokens: 33, completionTokens: 21 })
    expect(spending.competitors.first?.cost?.amount).toBeCloseTo(amount, 10)
    expect(spending.competitors.first?.cost).toMatchObject({ currency: 'EUR', date: '2026-01-31' })
    expect(spending.competitors.broken?.cost).toBeNull()
    expect(spending.competitors).not.toHaveProperty('steady')
    expect(spending.cost?.amount).toBeCloseTo(amount, 10)
    expect(spending.calls).toBe(3 + 4 + 3)
    const round = played.rounds.find(
      ({ submitter, reviewer }) => submitter === 'first' && reviewer === 'second',
    )
    expect(spending.rounds[round?.id ?? '']?.cost?.amount).toBeCloseTo((2 * 81_000) / 1e6, 10)
  })

  it('is played again from its recording: the same generations and verdicts, with no server, key or address', {
    timeout: 300_000,
  }, async () => {
    const again = await play('again', at('recording'))
    const timeless = (generation: Generation): Generation => ({ ...generation, createdAt: '' })
    expect(again.generations.map(timeless)).toEqual(played.generations.map(timeless))
    const settled = ({ rounds }: FakePlayed): readonly Round[] =>
      rounds.map((round) => ({ ...round, settledAt: '' }))
    expect(settled(again)).toEqual(settled(played))
    expect(again.spending).toEqual(played.spending)
    expect(again.rounds.length).toBeGreaterThan(20)
    expect(again.events.some(({ kind }) => kind === 'estimate')).toBe(false)
  })

  it('gives a recording that holds no key, and the same bytes each time', () => {
    const bytesOf = (name: string): Record<string, string> =>
      Object.fromEntries(
        readdirSync(at(name), { recursive: true, withFileTypes: true })
          .filter((entry) => entry.isFile())
          .map((entry) => {
            const path = join(entry.parentPath, entry.name)
            return [path.slice(at(name).length), readFileSync(path, 'latin1')]
          }),
      )
    const recording = bytesOf('recording')
    expect(bytesOf('recording-again')).toEqual(recording)
    expect(Object.keys(recording).length).toBeGreaterThan(10)
    expect(JSON.stringify(recording)).not.toContain('sk-planted')
    expect(JSON.parse(recording['/recording.json'] ?? '')).toMatchObject({
      format: 1,
      season: 'own',
      competitors: ['broken', 'first', 'second'],
    })
  })

  it('cannot be played with other rules than it was recorded with', async () => {
    const whole = readFileSync(seasonFile, 'utf8')
    writeFileSync(seasonFile, JSON.stringify({ ...JSON.parse(whole), retrieval: { variant: 'whole-files' } }))
    await expect(play('again', at('recording'))).rejects.toThrow(
      /recording: (first|second|broken) was not recorded being asked this for (patch|tests) of python-cron-weekday, attempt 1; play it with/,
    )
    writeFileSync(seasonFile, whole)
  })

  it('cannot be played with a limit of money and no prices', async () => {
    const whole = readFileSync(seasonFile, 'utf8')
    const limited = { ...JSON.parse(whole), limits: { money: 1 } }
    writeFileSync(seasonFile, JSON.stringify(limited))
    await expect(play('again', at('recording'))).rejects.toThrow(
      /^broken: limits\.money: there is no price for this model; name it under prices\.models/,
    )
    writeFileSync(seasonFile, whole)
  })

  it('a recording is refused when it was changed, or is none', async () => {
    const name = readdirSync(at('recording-again/calls'))[0] ?? ''
    const path = at(`recording-again/calls/${name}`)
    const call = RecordedCall.parse(JSON.parse(readFileSync(path, 'utf8')))
    const messages = (call.request as { messages: readonly ChatMessage[] }).messages
    const ask = async () =>
      (await openReplay(at('recording-again')))
        .modelOf(call.competitor)
        .ask({ messages, attempt: call.attempt, taskId: call.taskId, kind: call.kind })
    expect(await ask()).toMatchObject({ text: call.text, durationMs: call.durationMs, error: call.error })
    const raw = at(`recording-again/raw/${call.response}`)
    appendFileSync(raw, ' ')
    await expect(ask()).rejects.toThrow(/recording-again\/raw\/[0-9a-f]+: the recording was changed/)
    writeFileSync(path, JSON.stringify({ ...call, text: 'better' }))
    await expect(ask()).rejects.toThrow(
      /\.json: the recording was changed after it was written; record it again/,
    )
    await expect(openReplay(at('nowhere'))).rejects.toThrow(
      /recording\.json: the recording cannot be read; name a folder/,
    )
    const replay = await openReplay(at('recording'))
    expect(() => replay.modelOf('steady')).toThrow(
      /nothing of steady was recorded; recorded were broken, first, second/,
    )
  })

  it('recording says what cannot be recorded', async () => {
    const store = await openStore({ dataDir: at('played'), now: () => new Date() })
    try {
      await expect(recordSeason(store, 'own', at('recording'))).rejects.toThrow(
        /recording: the folder is not empty/,
      )
      await expect(recordSeason(store, 'other', at('x'))).rejects.toThrow(/there is no season other/)
    } finally {
      await store.close()
    }
  })
})
