import { createEndpointModel } from '../../src/models/endpoint-model.ts'
import { assess, YES_OR_NO } from '../../src/players/assess.ts'
import { renderVerify } from '../../src/players/render-assessment.ts'
import { NO_BUDGET } from '../../src/players/spending.ts'
import { digestOf } from '../../src/schema/canonical.ts'
import { EndpointSpec } from '../../src/schema/competitor.ts'
import type { ChatModel, ModelReply } from '../../src/schema/model.ts'
import { AssessorSpec } from '../../src/schema/scorer.ts'
import { type Address, codeText, connectionTo, type Part, perSecond, quantile } from './part.ts'

/** Characters of a prompt, about 4,000 tokens, and tokens of an answer. */
const PROMPT = 16_000
const ANSWER = 128
const ALONE = 4
const AT_ONCE = [8, 32] as const
/** Questions for each that is asked at once. */
const TURNS = 2

const TASK = {
  repository: 'example/sums',
  language: 'Python',
  issue: 'add(a, b) subtracts: it must return the sum of its arguments.',
}
const FILE = 'sums.py\n1 def add(a, b):\n2     return a - b\n'
const patch = (line: string): string =>
  `--- a/sums.py\n+++ b/sums.py\n@@ -1,2 +1,2 @@\n def add(a, b):\n-    return a - b\n+    return ${line}\n`

/** Tokens as told; where they are not, pieces of four characters. */
const tokensOf = (reply: ModelReply): number =>
  reply.completionTokens ?? Math.ceil((reply.text.length + reply.reasoning.length) / 4)

async function asked(model: ChatModel, number: number): Promise<ModelReply> {
  const reply = await model.ask({
    messages: [{ role: 'user', content: `${codeText(number, PROMPT)}\nExplain these functions at length.` }],
    attempt: 1,
    taskId: 'bench',
    kind: 'patch',
    maxOutputTokens: ANSWER,
    temperature: 0,
  })
  if (reply.error !== null) throw new Error(reply.error)
  return reply
}

/** Latency alone, throughput with several at once, and whether the answers carry what a verifier needs. */
export async function measureChat(address: Address, deadline: number): Promise<Part> {
  const { baseUrl, model: name } = address
  const endpoint = EndpointSpec.parse({ baseUrl, model: name, concurrency: 64 })
  const model = createEndpointModel(endpoint, await connectionTo(address))
  const found: Record<string, string | number> = { model: name }
  let number = 0
  try {
    const warm = await asked(model, number++)
    found['prompt tokens, first question'] = warm.promptTokens ?? 'not told'
    const alone: ModelReply[] = []
    while (alone.length < ALONE && performance.now() < deadline) alone.push(await asked(model, number++))
    if (alone.length > 0) {
      found['alone: first text, ms, median'] = quantile(
        alone.map(({ firstTextMs = 0 }) => firstTextMs),
        0.5,
      )
      const rates = alone.map((reply) =>
        perSecond(tokensOf(reply), Math.max(1, reply.durationMs - (reply.firstTextMs ?? 0))),
      )
      found['alone: tokens a second, median'] = quantile(rates, 0.5)
    }
    for (const width of AT_ONCE) {
      if (performance.now() > deadline) break
      const started = performance.now()
      const replies = await Promise.all(Array.from({ length: width * TURNS }, () => asked(model, number++)))
      const ms = performance.now() - started
      const tokens = replies.reduce((sum, reply) => sum + tokensOf(reply), 0)
      found[`${width * TURNS} at once: tokens a second`] = perSecond(tokens, ms)
      found[`${width * TURNS} at once: answer, ms, p95`] = quantile(
        replies.map(({ durationMs }) => durationMs),
        0.95,
      )
    }
    const spec = AssessorSpec.parse({ endpoint, samples: 4, timeoutMs: 60_000 })
    const score = async (line: string): Promise<string> => {
      const diff = patch(line)
      const { outcome } = await assess(
        {
          kind: 'right',
          task: digestOf('bench'),
          taskId: 'bench',
          subject: digestOf(diff),
          spec,
          prompt: renderVerify(TASK, FILE, diff),
          values: YES_OR_NO,
          budget: NO_BUDGET,
        },
        { model, now: Date.now, putBlob: async (bytes) => digestOf(Buffer.from(bytes)) },
      )
      return outcome.kind === 'scored'
        ? `${outcome.score.toFixed(3)} by ${outcome.how}`
        : `none: ${outcome.reason}`
    }
    found['verifier: a right patch'] = await score('a + b')
    found['verifier: a wrong patch'] = await score('b - a')
    return found
  } catch (error) {
    return { ...found, failed: error instanceof Error ? error.message : String(error) }
  } finally {
    await model.close()
  }
}
