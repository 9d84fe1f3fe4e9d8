import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { waitFor } from '../../src/models/connection.ts'
import { createEndpointModel } from '../../src/models/endpoint-model.ts'
import { applyAnswer } from '../../src/patch/apply-answer.ts'
import { renderDiff } from '../../src/patch/render-diff.ts'
import { generate } from '../../src/players/generate.ts'
import { renderPrompt } from '../../src/players/render-prompt.ts'
import { type Budget, NO_BUDGET } from '../../src/players/spending.ts'
import { digestOf } from '../../src/schema/canonical.ts'
import { EndpointSpec } from '../../src/schema/competitor.ts'
import type { Generation } from '../../src/schema/match.ts'
import {
  answering,
  type Behaviour,
  faults,
  type OpenAiServer,
  refusing,
  startOpenAiServer,
} from '../helpers/openai-server.ts'
import { type Template, templateOf } from '../patch/template.ts'

const GOOD =
  '```diff\n--- a/a.py\n+++ b/a.py\n@@ -1,2 +1,2 @@\n def a():\n-    return 1\n+    return 2\n```\n'
const WRONG = GOOD.replace('-    return 1', '-    return 7')

let template: Template
let server: OpenAiServer | undefined
beforeEach(() => {
  template = templateOf({ 'a.py': 'def a():\n    return 1\n' })
})
afterEach(async () => {
  template[Symbol.dispose]()
  await server?.close()
  server = undefined
})

/** One role played over HTTP: asked, read, applied on a real repository. */
const play = (...behaviours: readonly Behaviour[]): Promise<Generation> => playWith(NO_BUDGET, behaviours)

async function playWith(budget: Budget, behaviours: readonly Behaviour[]): Promise<Generation> {
  server = await startOpenAiServer(...behaviours)
  const spec = { baseUrl: server.baseUrl, model: 'small', requestTimeoutMs: 600_000 }
  const model = createEndpointModel(EndpointSpec.parse(spec), {
    key: undefined,
    addresses: { allowLoopback: true, allow: [] },
    // A hundred times as fast as the clock on the wall, but for what the endpoint itself takes.
    now: () => performance.now() * 100,
    wait: (ms, signal) => waitFor(ms / 100, signal),
    random: () => 0.5,
    timeouts: { firstTokenMs: 300, idleMs: 300 },
  })
  const prompt = renderPrompt({
    protocol: 'blind',
    patch: '',
    hints: [],
    feedback: [],
    kind: 'patch',
    repository: 'example/lib',
    language: 'Python',
    issue: 'a() must be 2.',
    context: '',
    workflow: '.github/workflows/ci.yml',
    conventions: '',
    caps: { cases: 10, addedLines: 400 },
  })
  try {
    return await generate(
      {
        task: digestOf('task'),
        taskId: 'task-1',
        competitor: 'small',
        settings: '',
        kind: 'patch',
        statement: 'a() must be 2.',
        context: '',
        parent: null,
        repeat: 0,
        prompt,
        attempts: 2,
        budget,
      },
      {
        ask: (messages, attempt, ceiling) =>
          model.ask({ messages, attempt, taskId: 'task-1', kind: 'patch', ceiling }),
        apply: async (content) => {
          const result = await applyAnswer({ template: template.path, base: template.base, content })
          if (result.kind !== 'applied')
            return { kind: 'rejected', reason: result.kind, detail: result.detail, notes: result.notes }
          const applied = renderDiff(template.base, result.changes)
          return { ...result, applied, cases: [], overCap: [] }
        },
        now: () => 0,
        putBlob: async (bytes) => digestOf(bytes),
      },
    )
  } finally {
    await model.close()
  }
}

describe('a role played over HTTP', () => {
  it('ends with an applied patch', async () => {
    const { outcome, calls } = await play(answering(GOOD, { reasoning: 'one is not two' }))
    expect(outcome).toMatchObject({ kind: 'applied', applied: expect.stringContaining('+    return 2\n') })
    expect(calls).toMatchObject([{ reasoning: 'one is not two', promptTokens: 11, completionTokens: 7 }])
  })
  it('ends with one after a patch that does not fit, of which the model is told', async () => {
    const { outcome, calls } = await play(answering(WRONG), answering(GOOD))
    expect(outcome.kind).toBe('applied')
    expect(calls).toHaveLength(2)
    expect(JSON.stringify(server?.requests[1]?.body)).toContain('the line `    return 7` is not in the file')
  })
  it.each<[string, readonly Behaviour[], string]>([
    ['a patch that never fits', [answering(WRONG)], 'does-not-apply'],
    ['prose', [answering('I would change the function.')], 'unusable'],
    ['a refusal', [answering("I'm sorry, I can't.")], 'refusal'],
    ['nothing', [answering('')], 'empty'],
    ['an answer cut at the token limit', [answering(GOOD.slice(0, -4), { finish: 'length' })], 'truncated'],
  ])('forfeits: %s', async (_name, behaviours, reason) => {
    expect((await play(...behaviours)).outcome).toMatchObject({ kind: 'forfeit', reason })
  })
})

const MEBIBYTE = 1024 * 1024

describe('a faulty endpoint', () => {
  it.each<[string, Behaviour, RegExp, number]>([
    ['refuses', refusing(401), /^http-status: HTTP 401: no$/, 1],
    ['has no first byte', faults.mute, /^first-token-timeout: /, 4],
    ['has no first text', faults.silent, /^first-token-timeout: /, 4],
    ['stalls', faults.stalling, /^idle-timeout: /, 1],
    ['is cut', faults.cut, /^cut-stream: /, 1],
    ['ends without an end', faults.ended, /^cut-stream: /, 1],
    ['drops connections', faults.dropped, /^not-reachable: /, 4],
    ['has too many requests', refusing(429), /^http-status: HTTP 429: no \(after 8 tries\)$/, 8],
    [
      'has too many requests and says until when',
      refusing(429, { 'retry-after': '20' }),
      /^http-status: HTTP 429: no \(after 8 tries\)$/,
      8,
    ],
    ['is broken', refusing(500), /^http-status: HTTP 500: no \(after 4 tries\)$/, 4],
    ['sends invalid JSON', faults.invalidJson, /^invalid-json: /, 1],
    ['sends a page', faults.html, /^wrong-content-type: .*text\/html/, 1],
    ['redirects', faults.redirect, /^redirect: /, 1],
    ['fails in the middle', faults.failing, /^endpoint-error: out of memory$/, 1],
    ['sends a hundred megabytes', faults.endless(100 * MEBIBYTE), /^too-many-(bytes|tokens): /, 1],
  ])('that %s forfeits after its attempts, and the call says why', async (_name, behaviour, error, tries) => {
    const { outcome, calls } = await play(behaviour)
    expect(outcome).toMatchObject({ kind: 'forfeit', reason: 'endpoint' })
    expect(calls).toHaveLength(2)
    for (const call of calls) {
      expect(call.error).toMatch(error)
      expect(call.tries).toBe(tries)
    }
    expect(server?.requests).toHaveLength(2 * tries)
  })
  it.each<[string, readonly Behaviour[]]>([
    ['was busy', [refusing(429), refusing(429, { 'retry-after': '3' }), answering(GOOD)]],
    ['was broken for a while', [refusing(500), refusing(503), faults.dropped, answering(GOOD)]],
    ['was slow to begin', [faults.silent, answering(GOOD)]],
    ['cuts characters', [faults.bytewise(`Größe → 𝒳\n\n${GOOD}`)]],
  ])('that %s plays all the same, in one attempt', async (_name, behaviours) => {
    const { outcome, calls } = await play(...behaviours)
    expect(outcome.kind).toBe('applied')
    expect(calls).toHaveLength(1)
    expect(calls[0]).toMatchObject({ error: null, tries: behaviours.length })
  })
  it('that sends without end is not read to the end', async () => {
    let sent = 0
    const counting: Behaviour = async (response, request) => {
      const { write } = response
      response.write = ((chunk: string) => {
        sent += chunk.length
        return write.call(response, chunk, 'utf8')
      }) as typeof write
      await faults.endless(100 * MEBIBYTE)(response, request)
    }
    const { calls } = await playWith({ limits: { bytes: 3 * MEBIBYTE }, price: null }, [counting])
    // The first answer used up all that the role may have: there is no second one.
    expect(calls.map(({ error }) => error)).toEqual([
      `too-many-bytes: the answer has more than ${3 * MEBIBYTE} bytes`,
    ])
    expect(calls[0]?.text.length).toBeLessThanOrEqual(3 * MEBIBYTE)
    expect(sent).toBeLessThan(20 * MEBIBYTE)
  })
  it('that ignores its token limit is ended at what is left of the budget', async () => {
    const chatty = answering('word '.repeat(3000))
    const { calls, outcome } = await playWith({ limits: { tokens: 2000 }, price: null }, [chatty])
    expect(outcome).toMatchObject({ kind: 'forfeit', reason: 'endpoint' })
    expect(calls[0]?.error).toMatch(/^too-many-tokens: /)
    expect((calls[0]?.text.length ?? 0) / 'word '.length).toBeLessThan(2000)
  })
})
