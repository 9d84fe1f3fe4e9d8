import { setTimeout as sleep } from 'node:timers/promises'
import { Agent } from 'undici'
import { InputError } from '../errors.ts'
import type { EndpointSpec } from '../schema/competitor.ts'
import type { AskRequest, ChatModel, ModelReply, TokenLogProb, ToolCall } from '../schema/model.ts'
import {
  type AddressPolicy,
  BlockedAddressError,
  checkUrl,
  createGuardedLookup,
  type Resolve,
  resolveBySystem,
} from './address-guard.ts'
import { callEndpoint, type EndpointCaps, type EndpointResult } from './call-endpoint.ts'
import { DEFAULT_TIMEOUTS, startDeadlines, type Timeouts } from './deadlines.ts'
import { createRedactor, type Redactor } from './redact.ts'
import { retryDelayMs } from './retry-delay.ts'

export interface EndpointPorts {
  /** The key for this endpoint; undefined when it needs none. */
  readonly key: string | undefined
  readonly addresses: AddressPolicy
  /** Milliseconds since 1970. */
  readonly now: () => number
  /** 0 up to 1. */
  readonly random: () => number
  readonly resolve?: Resolve
  /** Waits between two tries; rejects when the signal is aborted. */
  readonly wait?: (ms: number, signal: AbortSignal | undefined) => Promise<void>
  readonly timeouts?: Partial<Timeouts>
  readonly caps?: Partial<EndpointCaps>
  /** Sendings of one request, the first one counted. */
  readonly tries?: number
}

const MIB = 1024 * 1024
const ANSWER_BYTES = 16 * MIB
const TRIES = 4

const waitFor = async (ms: number, signal: AbortSignal | undefined): Promise<void> => {
  await sleep(ms, undefined, signal ? { signal } : {})
}

/** Where chats are asked for, below the base URL. Throws InputError when the address may not be called. */
function chatUrl(spec: EndpointSpec, addresses: AddressPolicy): URL {
  try {
    return checkUrl(`${spec.baseUrl.replace(/\/+$/, '')}/chat/completions`, addresses)
  } catch (error) {
    if (!(error instanceof BlockedAddressError)) throw error
    throw new InputError(error.message, {
      place: 'endpoint.baseUrl',
      remedy:
        'use a public http(s) address without user name, or --allow-address for a machine nearby and --allow-loopback for this one',
    })
  }
}

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
  durationMs: number,
  redactor: Redactor,
): ModelReply {
  const { collected, raw, fault } = result
  const { logProbs, toolCalls } = collected
  const again = tries > 1 ? ` (after ${tries} tries)` : ''
  return {
    request,
    raw: raw.length === 0 ? null : redactor.bytes(raw),
    text: redactor.text(collected.text.join('')),
    reasoning: redactor.text(collected.reasoning.join('')),
    stopReason: collected.refused ? 'refusal' : collected.finish && redactor.text(collected.finish),
    promptTokens: collected.promptTokens,
    completionTokens: collected.completionTokens,
    tokenLogProbs: logProbs.length === 0 ? null : redactTokens(logProbs, redactor),
    ...(toolCalls.size === 0 ? {} : { toolCalls: redactToolCalls([...toolCalls.values()], redactor) }),
    durationMs,
    error: fault === null ? null : redactor.text(`${fault.kind}: ${fault.detail}${again}`),
  }
}

/**
 * An OpenAI-compatible chat server: vLLM, SGLang, llama.cpp, hosted APIs. Answers are streamed; only a request of which
 * no answer has come is sent again, with jitter and as Retry-After says, within the endpoint's total time.
 * Throws InputError for an address that may not be called.
 */
export function createEndpointModel(spec: EndpointSpec, ports: EndpointPorts): ChatModel {
  const url = chatUrl(spec, ports.addresses)
  const { now, random, key } = ports
  const redactor = createRedactor(key === undefined ? [] : [key])
  const timeouts: Timeouts = {
    ...DEFAULT_TIMEOUTS,
    // A server with one slot reads long prompts one after the other: who allows more time allows it here too.
    firstTokenMs: Math.max(DEFAULT_TIMEOUTS.firstTokenMs, spec.requestTimeoutMs / 2),
    totalMs: spec.requestTimeoutMs,
    ...ports.timeouts,
  }
  const wait = ports.wait ?? waitFor
  const dispatcher = new Agent({
    connect: {
      timeout: timeouts.connectMs,
      lookup: createGuardedLookup(ports.addresses, ports.resolve ?? resolveBySystem),
    },
    pipelining: 0,
    maxHeaderSize: 64 * 1024,
  })
  const headers = {
    'content-type': 'application/json',
    accept: 'text/event-stream, application/json',
    'accept-encoding': 'identity',
    ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
  }

  const ask = async ({ messages, signal, ...asked }: AskRequest): Promise<ModelReply> => {
    const startedAt = now()
    const maxOutputTokens = Math.min(spec.maxOutputTokens, asked.maxOutputTokens ?? spec.maxOutputTokens)
    const caps = { answerBytes: ANSWER_BYTES, pieces: 2 * maxOutputTokens, ...ports.caps }
    const request = {
      model: spec.model,
      messages: messages.map(({ role, content }) => ({ role, content: redactor.text(content) })),
      temperature: asked.temperature ?? spec.temperature,
      max_tokens: maxOutputTokens,
      ...(asked.logProbs === undefined ? {} : { logprobs: true, top_logprobs: asked.logProbs }),
      stream: true,
      stream_options: { include_usage: true },
    }
    const body = JSON.stringify(request)
    for (let tried = 1; ; tried++) {
      const leftMs = startedAt + timeouts.totalMs - now()
      const deadlines = startDeadlines(timeouts, leftMs)
      const result = await callEndpoint({ url, headers, body, dispatcher, deadlines, signal, caps, now })
      const delayMs = retryDelayMs(tried, result.fault?.retryAfterMs, random())
      const isLast =
        result.fault === null ||
        !result.fault.retry ||
        tried >= (ports.tries ?? TRIES) ||
        now() - startedAt + delayMs >= timeouts.totalMs
      if (isLast) return toReply({ url: url.href, ...request }, result, tried, now() - startedAt, redactor)
      await wait(delayMs, signal)
    }
  }
  return { ask, close: () => dispatcher.destroy() }
}
