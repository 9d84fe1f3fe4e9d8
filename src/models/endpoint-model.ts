import type { EndpointSpec } from '../schema/competitor.ts'
import type { AskRequest, ChatModel, ModelReply, TokenLogProb, ToolCall } from '../schema/model.ts'
import { anthropicChat } from './anthropic-chat.ts'
import type { ChatApi } from './chat-api.ts'
import { type Collected, emptyCollected } from './collected.ts'
import { type ConnectionPorts, checkedUrl, createConnections, waitFor } from './connection.ts'
import { DEFAULT_TIMEOUTS, startDeadlines, type Timeouts } from './deadlines.ts'
import type { Fault } from './fault.ts'
import { openAiChat } from './openai-chat.ts'
import { createPaces, type Pace } from './pace.ts'
import { createRedactor, type Redactor } from './redact.ts'
import { type Sent, sendRequest } from './send-request.ts'
import { withRetries } from './with-retries.ts'

export interface EndpointCaps {
  /** Bytes of one answer, everything counted. */
  readonly answerBytes: number
  /** Pieces of text in one answer; a server that ignores max_tokens is stopped here. */
  readonly pieces: number
}

export interface EndpointPorts extends ConnectionPorts {
  readonly timeouts?: Partial<Timeouts>
  readonly caps?: Partial<EndpointCaps>
  /** Shared by all who ask this endpoint; one of its own when left out. */
  readonly pace?: Pace
}

interface EndpointResult extends Sent {
  readonly collected: Collected
  /** When it was sent. */
  readonly sentAt: number
}

/** Of a sending that the caller ended: it says nothing of the endpoint. */
const LEFT: Fault = { kind: 'cut-stream', detail: 'the caller ended it', retry: false }

const APIS: { readonly [A in EndpointSpec['api']]: ChatApi } = {
  openai: openAiChat,
  anthropic: anthropicChat,
}

const ANSWER_BYTES = 16 * 1024 * 1024
const TRIES = 4
/** A rate limit of a minute is over after so many, which wait up to a minute together. */
const BUSY_TRIES = 8

const redactTokens = (tokens: readonly TokenLogProb[], redactor: Redactor): readonly TokenLogProb[] =>
  tokens.map(({ token, logprob, top }) => ({
    token: redactor.text(token),
    logprob,
    ...(top
      ? { top: top.map((other) => ({ token: redactor.text(other.token), logprob: other.logprob })) }
      : {}),
  }))

const redactToolCalls = (calls: readonly ToolCall[], redactor: Redactor): readonly ToolCall[] =>
  calls.map((call) => ({
    id: redactor.text(call.id),
    name: redactor.text(call.name),
    arguments: redactor.text(call.arguments),
  }))

function toReply(
  request: unknown,
  result: EndpointResult,
  tries: number,
  times: { readonly durationMs: number; readonly waitedMs: number },
  redactor: Redactor,
): ModelReply {
  const { collected, raw, fault, begunAt, sentAt } = result
  const { logProbs, toolCalls, tokenIds } = collected
  const again = tries > 1 ? ` (after ${tries} tries)` : ''
  return {
    request,
    raw: raw.length === 0 ? null : redactor.bytes(raw),
    text: redactor.text(collected.text.join('')),
    reasoning: redactor.text(collected.reasoning.join('')),
    stopReason: collected.refused ? 'refusal' : collected.finish && redactor.text(collected.finish),
    promptTokens: collected.promptTokens,
    completionTokens: collected.completionTokens,
    ...(collected.cachedTokens === null ? {} : { cachedTokens: collected.cachedTokens }),
    tokenLogProbs: logProbs.length === 0 ? null : redactTokens(logProbs, redactor),
    ...(tokenIds.length === 0 ? {} : { tokenIds }),
    ...(toolCalls.size === 0 ? {} : { toolCalls: redactToolCalls([...toolCalls.values()], redactor) }),
    ...times,
    ...(begunAt === null ? {} : { firstTextMs: begunAt - sentAt }),
    tries,
    error: fault === null ? null : redactor.text(`${fault.kind}: ${fault.detail}${again}`),
  }
}

/** The request's body with what the settings add to it and take away from it. */
const withExtra = (body: Readonly<Record<string, unknown>>, extra: EndpointSpec['extra']): object =>
  Object.fromEntries(Object.entries({ ...body, ...extra }).filter(([, value]) => value !== null))

/**
 * A chat server: vLLM, SGLang, llama.cpp, hosted APIs. Answers are streamed; only a request of which
 * no answer has come is sent again, with jitter and as Retry-After says, within the endpoint's total time, in which
 * waiting for others who ask it is not counted.
 * Throws InputError for an address that may not be called.
 */
export function createEndpointModel(spec: EndpointSpec, ports: EndpointPorts): ChatModel {
  const base = spec.baseUrl.replace(/\/+$/, '')
  const api = APIS[spec.api]
  const url = checkedUrl(`${base}${api.path}`, 'endpoint.baseUrl', ports.addresses)
  const { now, random, key } = ports
  const redactor = createRedactor(key === undefined ? [] : [key])
  const timeouts: Timeouts = {
    ...DEFAULT_TIMEOUTS,
    // A server with one slot reads long prompts one after the other: who allows more time allows it here too.
    firstTokenMs: Math.max(DEFAULT_TIMEOUTS.firstTokenMs, spec.requestTimeoutMs / 2),
    totalMs: spec.requestTimeoutMs,
    ...ports.timeouts,
  }
  const dispatcher = createConnections(ports, timeouts.connectMs)
  const wait = ports.wait ?? waitFor
  const pace = ports.pace ?? createPaces([], { now, wait })(spec)
  const headers = {
    'content-type': 'application/json',
    accept: 'text/event-stream, application/json',
    'accept-encoding': 'identity',
    ...api.headers(key),
  }

  const ask = async ({ messages, signal, ceiling, ...asked }: AskRequest): Promise<ModelReply> => {
    const askedAt = now()
    let waitedMs = 0
    // Waiting for others is no time of this asking.
    const clock = (): number => now() - waitedMs
    const ticket = pace.ticket()
    const maxOutputTokens = Math.min(
      spec.maxOutputTokens,
      asked.maxOutputTokens ?? spec.maxOutputTokens,
      ceiling?.tokens ?? spec.maxOutputTokens,
    )
    const caps = {
      answerBytes: Math.min(ANSWER_BYTES, ceiling?.bytes ?? ANSWER_BYTES),
      pieces: Math.min(2 * maxOutputTokens, ceiling?.tokens ?? 2 * maxOutputTokens),
      ...ports.caps,
    }
    const request = withExtra(
      api.body(spec, {
        messages: messages.map(({ role, content }) => ({ role, content: redactor.text(content) })),
        temperature: asked.temperature ?? spec.temperature,
        maxOutputTokens,
        logProbs: asked.logProbs,
      }),
      spec.extra,
    )
    const body = JSON.stringify(request)
    const send = async (leftMs: number, tried: number): Promise<EndpointResult> => {
      const collected = emptyCollected()
      const queuedAt = now()
      const place = await pace.enter(ticket, tried > 0, signal)
      const sentAt = now()
      waitedMs += sentAt - queuedAt
      let fault: Fault | null = LEFT
      try {
        const sent = await sendRequest({
          url,
          headers,
          body,
          dispatcher,
          deadlines: startDeadlines(timeouts, leftMs),
          signal,
          answerBytes: caps.answerBytes,
          now,
          open: (format) => api.reader(format, collected, caps.pieces),
        })
        fault = sent.fault
        return { ...sent, collected, sentAt }
      } finally {
        place.leave(fault)
      }
    }
    const { result, tries } = await withRetries(send, {
      tries: ports.tries ?? TRIES,
      busyTries: ports.busyTries ?? ports.tries ?? BUSY_TRIES,
      totalMs: timeouts.totalMs,
      signal,
      now: clock,
      random,
      wait,
    })
    const times = { durationMs: now() - askedAt - waitedMs, waitedMs }
    return toReply({ url: url.href, ...request }, result, tries, times, redactor)
  }
  return { ask, close: () => dispatcher.destroy() }
}
