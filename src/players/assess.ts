import type { Assessment, AssessmentOutcome } from '../schema/assessment.ts'
import { digestOfValue } from '../schema/canonical.ts'
import { Digest, Slug } from '../schema/ids.ts'
import type { ModelCall } from '../schema/match.ts'
import type { AskRequest, ChatModel, ModelReply } from '../schema/model.ts'
import type { AssessorSpec } from '../schema/scorer.ts'
import { valueOfFirstToken, valueOfFirstWord, type WordValues } from './first-word.ts'
import { toModelCall } from './model-call.ts'
import { type Prompt, promptText } from './render-prompt.ts'
import type { Budget } from './spending.ts'
import { storableText } from './storable-text.ts'

/** Tokens in which the answer's word is looked for: some servers begin with white space or marks. */
const WORD_TOKENS = 8

export const YES_OR_NO: WordValues = { yes: 1, no: 0 }
export const ZERO_TO_THREE: WordValues = { 0: 0, 1: 1 / 3, 2: 2 / 3, 3: 1 }

export interface AssessRequest {
  readonly kind: Assessment['kind']
  /** Digest of the task. */
  readonly task: string
  readonly taskId: string
  /** Digest of what is assessed. */
  readonly subject: string
  readonly spec: AssessorSpec
  readonly prompt: Prompt
  readonly values: WordValues
  readonly budget: Budget
}

export interface AssessPorts {
  readonly model: Pick<ChatModel, 'ask'>
  /** Milliseconds since 1970. */
  readonly now: () => number
  readonly putBlob: (bytes: Uint8Array) => Promise<string>
  readonly signal?: AbortSignal | undefined
}

/** The name under which an assessment is kept and found again: what was asked, of which model, and how it is read. */
export function assessmentId({ kind, task, subject, spec, prompt }: AssessRequest): Digest {
  const { concurrency: _concurrency, requestsPerMinute: _rate, ...endpoint } = spec.endpoint
  const { version, messages } = prompt
  return digestOfValue({
    kind,
    task,
    subject,
    version,
    messages,
    endpoint,
    samples: spec.samples,
    top: spec.topLogProbs,
  })
}

const failed = (reason: string): AssessmentOutcome => ({
  kind: 'failed',
  reason: storableText(reason).slice(0, 1000),
})

/**
 * Asks a model for one word and scores it by the probability of its first answer token. Where the server gives no log
 * probabilities, or the token is no word of the scale, answers are drawn at temperature 1 and the mean of those that can be
 * read is the score. What the server does wrong, and passing the time limit, is a recorded failure; only the caller's own
 * signal throws.
 */
export async function assess(request: AssessRequest, ports: AssessPorts): Promise<Assessment> {
  const { spec, prompt, values, taskId, budget } = request
  const { model, now, putBlob, signal } = ports
  const calls: ModelCall[] = []
  const limit = AbortSignal.timeout(spec.timeoutMs)
  const ending = signal ? AbortSignal.any([signal, limit]) : limit
  const ask = async (
    attempt: number,
    sample: number | undefined,
    more: Partial<AskRequest>,
  ): Promise<ModelReply> => {
    const { messages } = prompt
    const reply = await model.ask({
      messages,
      attempt,
      taskId,
      kind: 'verify',
      signal: ending,
      ...(sample === undefined ? {} : { sample }),
      ...more,
    })
    // What a call that was ended answered says nothing of the server.
    ending.throwIfAborted()
    calls.push(await toModelCall(reply, { messages, attempt, sample, budget, putBlob }))
    return reply
  }
  const score = async (): Promise<AssessmentOutcome> => {
    const reply = await ask(1, undefined, {
      logProbs: spec.topLogProbs,
      maxOutputTokens: WORD_TOKENS,
      temperature: 0,
    })
    const byToken = valueOfFirstToken(reply.tokenLogProbs, values)
    if (byToken !== undefined) return { kind: 'scored', score: byToken, how: 'first-token' }
    const read: number[] = []
    let said: ModelReply = reply
    for (let sample = 0; sample < spec.samples; sample++) {
      said = await ask(2, sample, { temperature: 1 })
      // A server that errs is not asked as often as one that answers.
      if (said.error !== null) break
      const value = valueOfFirstWord(said.text, values)
      if (value !== undefined) read.push(value)
    }
    if (read.length > 0)
      return {
        kind: 'scored',
        score: read.reduce((sum, value) => sum + value, 0) / read.length,
        how: 'samples',
      }
    return failed(said.error ?? `no answer begins with one of: ${Object.keys(values).join(', ')}`)
  }
  const outcome = await score().catch((error: unknown): AssessmentOutcome => {
    signal?.throwIfAborted()
    if (!limit.aborted) throw error
    return failed(`total-timeout: nothing that could be read within ${spec.timeoutMs} ms`)
  })
  return {
    id: assessmentId(request),
    kind: request.kind,
    task: Digest.parse(request.task),
    taskId: Slug.parse(taskId),
    subject: Digest.parse(request.subject),
    model: spec.endpoint.model,
    promptVersion: prompt.version,
    prompt: promptText(prompt.messages),
    calls,
    outcome,
    createdAt: new Date(now()).toISOString(),
  }
}
