import { describe, expect, it } from 'vitest'
import { type ApplyOutcome, type GeneratePorts, generate } from '../../src/players/generate.ts'
import { renderPrompt } from '../../src/players/render-prompt.ts'
import { NO_BUDGET } from '../../src/players/spending.ts'
import { toAppliedChanges } from '../../src/schema/applied.ts'
import { digestOf } from '../../src/schema/canonical.ts'
import { Generation } from '../../src/schema/match.ts'
import type { ChatMessage, ModelReply } from '../../src/schema/model.ts'

const DIFF = '--- a/a.py\n+++ b/a.py\n@@ -1 +1 @@\n-x\n+y\n'
const ANSWER = `\`\`\`diff\n${DIFF}\`\`\`\n`

const replyOf = (text: string, more: Partial<ModelReply> = {}): ModelReply => ({
  request: { model: 'small' },
  raw: Buffer.from(text),
  text,
  reasoning: '',
  stopReason: 'stop',
  promptTokens: 10,
  completionTokens: 5,
  tokenLogProbs: null,
  durationMs: 3,
  error: null,
  ...more,
})

const APPLIED: ApplyOutcome = {
  kind: 'applied',
  applied: DIFF,
  changes: toAppliedChanges([{ change: 'write', path: 'a.py', mode: '100644', contentBase64: 'eQo=' }]),
  cases: [],
  overCap: [],
  notes: [{ action: 'stripped', path: 'tests/test_a.py', reason: 'taken from base' }],
}

const prompt = renderPrompt({
  protocol: 'blind',
  patch: '',
  hints: [],
  feedback: [],
  kind: 'patch',
  repository: 'example/lib',
  language: 'Python',
  issue: 'It {breaks} on {issue}.',
  context: 'a.py\n1 x',
  workflow: '.github/workflows/ci.yml',
  conventions: 'Tests live in tests/.',
  caps: { cases: 10, addedLines: 400 },
})

async function play(
  replies: readonly ModelReply[],
  outcomes: readonly ApplyOutcome[] = [APPLIED],
  attempts = 2,
  budget = NO_BUDGET,
): Promise<{
  generation: Generation
  asked: (readonly ChatMessage[])[]
  ceilings: { readonly tokens?: number; readonly bytes?: number }[]
  blobs: string[]
}> {
  const asked: (readonly ChatMessage[])[] = []
  const ceilings: { readonly tokens?: number; readonly bytes?: number }[] = []
  const blobs: string[] = []
  let applied = 0
  const ports: GeneratePorts = {
    ask: async (messages, attempt, { tokens, bytes }) => {
      asked.push(messages)
      ceilings.push({ ...(tokens ? { tokens } : {}), ...(bytes ? { bytes } : {}) })
      return replies[attempt - 1] ?? replyOf('')
    },
    apply: async () => outcomes[Math.min(applied++, outcomes.length - 1)] ?? APPLIED,
    now: () => Date.UTC(2026, 0, 2),
    putBlob: async (bytes) => {
      blobs.push(Buffer.from(bytes).toString())
      return digestOf(bytes)
    },
  }
  const generation = await generate(
    {
      task: digestOf('task'),
      taskId: 'task-1',
      competitor: 'small',
      settings: digestOf('settings'),
      kind: 'patch',
      statement: 'It breaks.',
      context: '',
      parent: null,
      repeat: 0,
      prompt,
      attempts,
      budget,
    },
    ports,
  )
  // What is kept must be what the store takes.
  return { generation: Generation.parse(generation), asked, ceilings, blobs }
}

describe('a usable answer', () => {
  it('is applied and kept with everything that was said', async () => {
    const { generation, asked, blobs } = await play([replyOf(`<think>hm</think>${ANSWER}`)])
    expect(generation.outcome).toMatchObject({ kind: 'applied', given: DIFF, applied: DIFF })
    expect(generation.outcome.notes.map((note) => note.reason)).toEqual([
      '1 think blocks were cut',
      'taken from base',
    ])
    expect(generation.calls).toMatchObject([
      { attempt: 1, promptTokens: 10, completionTokens: 5, error: null },
    ])
    expect(blobs).toEqual([`<think>hm</think>${ANSWER}`])
    expect(generation.calls[0]?.response).toBe(digestOf(`<think>hm</think>${ANSWER}`))
    expect(asked).toHaveLength(1)
    expect(generation.prompt).toContain('It {breaks} on {issue}.')
    expect(generation.promptVersion).toBe('patch-blind-1')
    expect(generation.createdAt).toBe('2026-01-02T00:00:00.000Z')
  })
  it('that holds what no database takes is kept with replacements', async () => {
    const { generation } = await play([replyOf(`a\0b\ud800 ${ANSWER}`)])
    expect(generation.calls[0]?.text).toBe(`a\ufffdb\ufffd ${ANSWER}`)
  })
})

describe('an answer that cannot be used', () => {
  it('is told why, and asked for again', async () => {
    const { generation, asked } = await play([replyOf('The bug is in a.py.'), replyOf(ANSWER)])
    expect(generation.outcome.kind).toBe('applied')
    expect(generation.calls.map((call) => call.attempt)).toEqual([1, 2])
    const [, , answer, told] = asked[1] ?? []
    expect(answer).toEqual({ role: 'assistant', content: 'The bug is in a.py.' })
    expect(told?.content).toMatch(/^Your answer could not be used: no diff, /)
  })
  it('is told what the engine says', async () => {
    const rejected: ApplyOutcome = {
      kind: 'rejected',
      reason: 'does-not-apply',
      detail: 'a.py: the line `x` is not in the file',
      notes: [{ action: 'normalised', path: 'a.py', reason: 'recounted' }],
    }
    const { asked } = await play([replyOf(ANSWER), replyOf(ANSWER)], [rejected, APPLIED])
    expect(asked[1]?.at(-1)?.content).toContain('the line `x` is not in the file')
    expect(asked[1]?.at(-1)?.content).toContain('- normalised a.py: recounted')
  })
  it.each<[string, ModelReply, string]>([
    ['empty', replyOf(''), 'empty'],
    ['refused', replyOf("I'm sorry, I can't."), 'refusal'],
    ['cut', replyOf('```diff\n--- a'), 'truncated'],
    ['prose', replyOf('no'), 'unusable'],
    ['a fault of the endpoint', replyOf('half', { error: 'cut-stream: the connection ended' }), 'endpoint'],
  ])('%s at last: the role forfeits', async (_name, reply, reason) => {
    const { generation, asked } = await play([reply, reply, reply], [], 3)
    expect(generation.outcome).toMatchObject({ kind: 'forfeit', reason })
    expect(asked).toHaveLength(3)
    expect(generation.calls).toHaveLength(3)
  })
  it.each(['does-not-apply', 'malformed', 'empty', 'no-cases'] as const)(
    '%s at last: forfeits',
    async (reason) => {
      const { generation } = await play(
        [replyOf(ANSWER), replyOf(ANSWER)],
        [{ kind: 'rejected', reason, detail: 'so', notes: [] }],
      )
      expect(generation.outcome).toEqual({ kind: 'forfeit', reason, detail: 'so', given: DIFF, notes: [] })
    },
  )
  it('forfeits with the reason of the last answer', async () => {
    const { generation } = await play([replyOf('', { error: 'HTTP 500' }), replyOf('prose')])
    expect(generation.outcome).toMatchObject({ reason: 'unusable' })
  })
  it('after a fault of the endpoint the same is asked again', async () => {
    const { asked, generation } = await play([replyOf('', { error: 'idle-timeout' }), replyOf(ANSWER)])
    expect(asked[1]).toEqual(asked[0])
    expect(generation.outcome.kind).toBe('applied')
  })
})

it('counts every call: tokens of all attempts are kept', async () => {
  const { generation } = await play([
    replyOf('prose', { completionTokens: 3_000_000 }),
    replyOf(ANSWER, { completionTokens: 1_000_000 }),
  ])
  expect(generation.calls.reduce((sum, call) => sum + (call.completionTokens ?? 0), 0)).toBe(4_000_000)
})

describe('a budget', () => {
  const price = { input: 1, cachedInput: 0.1, output: 10, date: '2026-01-01', currency: 'USD' }
  const promptTokens = Math.ceil(prompt.messages.reduce((sum, { content }) => sum + content.length, 0) / 4)
  const spend = (
    limits: { tokens?: number; bytes?: number; money?: number },
    replies: readonly ModelReply[],
    attempts = 3,
  ) => play(replies, [APPLIED], attempts, { limits, price })

  it('says what every call cost, by the prices of a day', async () => {
    const { generation } = await spend({}, [
      replyOf('prose', { promptTokens: 1_000_000, cachedTokens: 400_000, completionTokens: 50_000 }),
      replyOf(ANSWER, { promptTokens: null, completionTokens: null }),
    ])
    const [first, second] = generation.calls.map(({ cost }) => cost)
    expect(first).toEqual({ amount: 1.14, currency: 'USD', date: '2026-01-01', estimated: false })
    expect(second).toMatchObject({ estimated: true })
    expect(second?.amount).toBeGreaterThan((promptTokens + (10 * ANSWER.length) / 4) / 1e6)
  })
  it('costs nothing where nothing came, and has no cost without a price', async () => {
    const silent = replyOf('', { promptTokens: null, completionTokens: null, error: 'HTTP 500' })
    expect((await spend({}, [silent], 1)).generation.calls[0]?.cost).toMatchObject({
      amount: 0,
      estimated: false,
    })
    expect((await play([replyOf(ANSWER)])).generation.calls[0]).not.toHaveProperty('cost')
  })
  it('of tokens leaves less for each answer, and ends the asking when it is used up', async () => {
    const prose = replyOf('prose', { promptTokens: promptTokens, completionTokens: 100 })
    const limit = 3 * promptTokens + 210
    const { generation, ceilings } = await spend({ tokens: limit }, [prose, prose, replyOf(ANSWER)])
    expect(ceilings[0]).toEqual({ tokens: limit - promptTokens })
    expect(ceilings[1]?.tokens).toBeLessThan(limit - 2 * promptTokens - 100)
    expect(generation.calls).toHaveLength(2)
    expect(generation.outcome).toMatchObject({
      kind: 'forfeit',
      reason: 'unusable',
      detail: expect.stringMatching(`; not asked again: its ${limit} tokens are used up$`),
    })
  })
  it('of bytes counts what came', async () => {
    const reply = replyOf('prose', { raw: Buffer.alloc(60) })
    const { generation, ceilings } = await spend({ bytes: 100 }, [reply, reply, reply])
    expect(ceilings).toEqual([{ bytes: 100 }, { bytes: 40 }])
    expect(generation.calls).toHaveLength(2)
    expect(generation.outcome).toMatchObject({ detail: expect.stringContaining('100 bytes are used up') })
  })
  it('of money is as many tokens as it buys', async () => {
    const reply = replyOf('prose', { promptTokens: 0, completionTokens: 100_000 })
    const { generation, ceilings } = await spend({ money: 1.5 }, [reply, reply, reply])
    const buys = (left: number, prompt: number): number => Math.floor(((left - prompt / 1e6) * 1e6) / 10)
    expect(ceilings[0]).toEqual({ tokens: buys(1.5, promptTokens) })
    expect(ceilings[1]?.tokens).toBeLessThan(buys(0.5, promptTokens))
    expect(generation.calls).toHaveLength(2)
    expect(generation.outcome).toMatchObject({ detail: expect.stringContaining('1.5 USD are used up') })
  })
  it("that does not hold the first prompt is wrong input and nobody's forfeit", async () => {
    await expect(spend({ tokens: 10 }, [replyOf(ANSWER)])).rejects.toThrow(
      /^task-1: limits: 10 tokens do not hold the first prompt for patch; raise the limit/,
    )
  })
})

it('a broken world ends it', async () => {
  const ports: GeneratePorts = {
    ask: async () => {
      throw new Error('disk full')
    },
    apply: async () => APPLIED,
    now: () => 0,
    putBlob: async () => digestOf(''),
  }
  const request = {
    task: digestOf('t'),
    taskId: 't',
    competitor: 'c',
    settings: '',
    kind: 'patch',
    statement: '',
    context: '',
    parent: null,
    repeat: 0,
    prompt,
    attempts: 1,
  } as const
  await expect(generate(request, ports)).rejects.toThrow('disk full')
})
