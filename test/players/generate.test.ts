import { describe, expect, it } from 'vitest'
import { type ApplyOutcome, type GeneratePorts, generate } from '../../src/players/generate.ts'
import { renderPrompt } from '../../src/players/render-prompt.ts'
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
): Promise<{ generation: Generation; asked: (readonly ChatMessage[])[]; blobs: string[] }> {
  const asked: (readonly ChatMessage[])[] = []
  const blobs: string[] = []
  let applied = 0
  const ports: GeneratePorts = {
    ask: async (messages, attempt) => {
      asked.push(messages)
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
    },
    ports,
  )
  // What is kept must be what the store takes.
  return { generation: Generation.parse(generation), asked, blobs }
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
