import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { recordSeason } from '../../src/arena/record-season.ts'
import { openStore } from '../../src/store/open-store.ts'
import { type AnswerServer, messagesOf, recorded, startAnswerServer } from '../helpers/answer-server.ts'
import { type FakePlayed, playFakeSeason, treeCi } from '../helpers/fake-season.ts'
import { answering, type OpenAiServer, startOpenAiServer } from '../helpers/openai-server.ts'
import { temporaryFolder } from '../helpers/repository.ts'
import { answeringToken } from '../helpers/word-server.ts'
import { testsRun } from '../helpers/worlds.ts'

const TASK = 'python-cron-weekday'

describe('a season of best-of-k over HTTP', () => {
  const folder = temporaryFolder('arena-best-of-k')
  const at = (name: string): string => join(folder.path, name)
  const servers: AnswerServer[] = []
  let verifier: OpenAiServer
  let played: FakePlayed

  /** Golden alone is right: all tests fail on every other tree. */
  const ci = {
    ...treeCi,
    runTests: async (request: Parameters<typeof treeCi.runTests>[0]) => {
      const { task, changes, cases } = request
      const isRight = changes?.digest === task.golden?.digest
      const outcome = isRight || changes?.digest === task.commentedGolden?.digest ? 'passed' : 'failed'
      return testsRun({ test: Object.fromEntries(cases.map((one) => [`${one.file} ${one.case}`, outcome])) })
    },
  }
  const play = (data: string, replay?: string) =>
    playFakeSeason({ folder: folder.path, seasonFile: at('own.season.yml'), data, replay, ci })

  beforeAll(async () => {
    verifier = await startOpenAiServer((response, request) => {
      const isThorough = messagesOf(request).some(({ content }) => content.includes('chosen-mark'))
      return answeringToken('Yes', isThorough ? { Yes: 0.8, No: 0.2 } : { Yes: 0.3, No: 0.6 })(
        response,
        request,
      )
    })
    const marked = (text: string) =>
      answering(`\`\`\`diff\n--- /dev/null\n+++ b/${text}.py\n@@ -0,0 +1 @@\n+# ${text}\n\`\`\``)
    for (const [id, patches] of Object.entries({
      first: [marked('one'), answering('no patch here'), marked('chosen-mark')],
      second: [recorded('thorough', TASK, 'patch')],
    })) {
      const server = await startAnswerServer(id, {
        patch: patches,
        tests: [recorded('thorough', TASK, 'tests')],
      })
      servers.push(server)
      const endpoint = { baseUrl: server.address.split('#')[0], model: id, concurrency: 1 }
      writeFileSync(
        at(`${id}.yml`),
        JSON.stringify({ id, label: id, team: id, player: { kind: 'endpoint', endpoint } }),
      )
    }
    writeFileSync(
      at('own.season.yml'),
      JSON.stringify({
        id: 'own',
        title: 'Own',
        protocol: 'best-of-k',
        attempts: 1,
        bestOf: {
          k: 3,
          temperature: 0.8,
          verifier: { endpoint: { baseUrl: verifier.baseUrl, model: 'judge' } },
        },
        tasks: [fileURLToPath(new URL(`../../examples/tasks/${TASK}`, import.meta.url))],
        competitors: ['endpoint:first.yml', 'endpoint:second.yml'],
        prices: { date: '2026-01-31', currency: 'EUR', models: { judge: { input: 1000, output: 0 } } },
      }),
    )
    played = await play('played')
  }, 120_000)
  afterAll(async () => {
    for (const server of servers) await server.close()
    await verifier.close()
    folder[Symbol.dispose]()
  })

  it('draws k patches a side once, at the recorded temperature, whoever is met', () => {
    expect(servers.map((server) => server.asked('patch').length)).toEqual([3, 3])
    for (const server of servers)
      for (const request of server.asked('patch')) expect(request.body).toMatchObject({ temperature: 0.8 })
    expect(servers.map((server) => server.asked('tests').length)).toEqual([1, 1])
  })

  it('plays the patch that the verifier likes best, and keeps all of them with scores and fates', () => {
    const own = played.rounds.filter(({ submitter }) => submitter === 'first')
    expect(own.length).toBeGreaterThan(1)
    const [draw] = own.flatMap((round) => round.draw ?? [])
    const scores = draw?.patches.map(({ score }) => score)
    expect(scores?.filter((score) => score === null)).toHaveLength(1)
    expect(Math.max(...(scores ?? []).map((score) => score ?? 0))).toBeCloseTo(0.8, 10)
    for (const round of own) {
      const chosen = round.draw?.patches.find(({ patch }) => patch === round.patch)
      expect(chosen?.score).toBeCloseTo(0.8, 10)
      expect(round.draw).toMatchObject({ temperature: 0.8, chosenBy: 'verifier', verifier: 'judge' })
    }
    // Nobody draws for a control.
    expect(played.rounds.filter(({ submitter }) => submitter === 'golden').every(({ draw }) => !draw)).toBe(
      true,
    )
  })

  it('says what the draws and the choice were worth, and what the verifier cost', () => {
    const first = played.draws.find(({ competitor }) => competitor === 'first')
    expect(first).toMatchObject({
      tasks: 1,
      k: 3,
      scored: 2,
      patches: 2,
      chosen: 0,
      oracle: 0,
      captured: null,
    })
    expect(played.spending.competitors.verifier?.calls).toBe(verifier.requests.length)
    expect(played.spending.competitors.verifier?.cost?.amount).toBeCloseTo(
      (verifier.requests.length * 100 * 1000) / 1e6,
      10,
    )
  })

  it('is played again from its recording, the verifier included', { timeout: 120_000 }, async () => {
    const store = await openStore({ dataDir: at('played'), now: () => new Date() })
    await recordSeason(store, 'own', at('recording'))
    await store.close()
    const before = verifier.requests.length
    const again = await play('again', at('recording'))
    expect(verifier.requests).toHaveLength(before)
    const settled = ({ rounds }: FakePlayed) => rounds.map((round) => ({ ...round, settledAt: '' }))
    expect(settled(again)).toEqual(settled(played))
    expect(again.draws).toEqual(played.draws)
    const resumed = await play('played')
    expect(verifier.requests).toHaveLength(before)
    expect(settled(resumed)).toEqual(settled(played))
  })
})
