import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createModel } from '../../src/models/index.ts'
import { applyAnswer } from '../../src/patch/apply-answer.ts'
import { renderDiff } from '../../src/patch/render-diff.ts'
import { generate } from '../../src/players/generate.ts'
import { renderPrompt } from '../../src/players/render-prompt.ts'
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
async function play(...behaviours: readonly Behaviour[]): Promise<Generation> {
  server = await startOpenAiServer(...behaviours)
  const spec = { baseUrl: server.baseUrl, model: 'small', requestTimeoutMs: 3000 }
  const model = createModel(
    { kind: 'endpoint', endpoint: EndpointSpec.parse(spec) },
    {
      secret: () => undefined,
      addresses: { allowLoopback: true, allow: [] },
      now: () => performance.now(),
      random: () => 0,
    },
  )
  const prompt = renderPrompt({
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
      },
      {
        ask: (messages, attempt) => model.ask({ messages, attempt, taskId: 'task-1', kind: 'patch' }),
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
    ['an endpoint that refuses', [refusing(401)], 'endpoint'],
    ['an endpoint that stalls', [faults.stalling], 'endpoint'],
    ['an endpoint that is cut', [faults.cut], 'endpoint'],
    ['an endpoint that sends a page', [faults.html], 'endpoint'],
  ])('forfeits: %s', async (_name, behaviours, reason) => {
    expect((await play(...behaviours)).outcome).toMatchObject({ kind: 'forfeit', reason })
  })
})
