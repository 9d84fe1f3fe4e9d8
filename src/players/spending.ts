import type { ModelCall } from '../schema/match.ts'
import { CHARACTERS_PER_TOKEN, type ChatMessage } from '../schema/model.ts'
import type { Cost, Price, PriceList, RoleLimits } from '../schema/price.ts'

/** What a role may use, and what its tokens cost. */
export interface Budget {
  readonly limits: RoleLimits
  /** Null where no price list names the model. */
  readonly price: (Price & Pick<PriceList, 'date' | 'currency'>) | null
}

/** The price of a model, by its competitor's id or its own name; null where the list names neither. */
export function priceOf(prices: PriceList | undefined, competitor: string, model: string): Budget['price'] {
  const price = prices?.models[competitor] ?? prices?.models[model]
  return prices && price ? { ...price, date: prices.date, currency: prices.currency } : null
}

export const NO_BUDGET: Budget = { limits: {}, price: null }

const tokensIn = (characters: number): number => Math.ceil(characters / CHARACTERS_PER_TOKEN)

const promptTokensOf = (messages: readonly ChatMessage[]): number =>
  tokensIn(messages.reduce((sum, { content }) => sum + content.length, 0))

interface Tokens {
  readonly prompt: number
  readonly cached: number
  readonly answer: number
  readonly estimated: boolean
}

type Told = Pick<ModelCall, 'promptTokens' | 'completionTokens' | 'cachedTokens' | 'text' | 'reasoning'>

/** As the server tells them; where it does not, by the length of the texts. A prompt that was not taken costs nothing. */
function tokensOf(call: Told, messages: readonly ChatMessage[]): Tokens {
  const said = call.text.length + call.reasoning.length
  const prompt = call.promptTokens ?? (said === 0 ? 0 : promptTokensOf(messages))
  return {
    prompt,
    cached: Math.min(prompt, call.cachedTokens ?? 0),
    answer: call.completionTokens ?? tokensIn(said),
    estimated: said > 0 && (call.promptTokens === null || call.completionTokens === null),
  }
}

const MILLION = 1e6

const amountOf = (price: Price, tokens: Omit<Tokens, 'estimated'>): number =>
  ((tokens.prompt - tokens.cached) * price.input +
    tokens.cached * (price.cachedInput ?? price.input) +
    tokens.answer * price.output) /
  MILLION

/** What one call cost; undefined without a price. */
export function costOf({ price }: Budget, call: Told, messages: readonly ChatMessage[]): Cost | undefined {
  if (price === null) return undefined
  const tokens = tokensOf(call, messages)
  const { currency, date } = price
  return { amount: amountOf(price, tokens), currency, date, estimated: tokens.estimated }
}

/** What a role has used so far. */
export interface Spent {
  readonly tokens: number
  readonly bytes: number
  readonly money: number
}

export const NOTHING_SPENT: Spent = { tokens: 0, bytes: 0, money: 0 }

export function addSpent(
  before: Spent,
  budget: Budget,
  call: Told,
  messages: readonly ChatMessage[],
  bytes: number,
): Spent {
  const { prompt, answer } = tokensOf(call, messages)
  return {
    tokens: before.tokens + prompt + answer,
    bytes: before.bytes + bytes,
    money: before.money + (costOf(budget, call, messages)?.amount ?? 0),
  }
}

export type Allowance =
  | { readonly kind: 'ask'; readonly tokens?: number; readonly bytes?: number }
  /** Not even the prompt and one token of an answer are left. */
  | { readonly kind: 'spent'; readonly limit: string }

/**
 * What the next answer may hold. The prompt's tokens are estimated, as they cannot be known before it is sent: by so
 * much, once, a limit may be passed; the answer is cut at it.
 */
export function allowanceOf(budget: Budget, spent: Spent, messages: readonly ChatMessage[]): Allowance {
  const { limits, price } = budget
  const prompt = promptTokensOf(messages)
  const ceilings: number[] = []
  if (limits.tokens !== undefined) {
    const left = limits.tokens - spent.tokens - prompt
    if (left < 1) return { kind: 'spent', limit: `${limits.tokens} tokens` }
    ceilings.push(left)
  }
  if (limits.money !== undefined && price !== null) {
    const left = limits.money - spent.money - amountOf(price, { prompt, cached: 0, answer: 0 })
    if (left * MILLION < price.output) return { kind: 'spent', limit: `${limits.money} ${price.currency}` }
    if (price.output > 0) ceilings.push(Math.floor((left * MILLION) / price.output))
  }
  const bytes = limits.bytes === undefined ? undefined : limits.bytes - spent.bytes
  if (bytes !== undefined && bytes < 1) return { kind: 'spent', limit: `${limits.bytes} bytes` }
  return {
    kind: 'ask',
    ...(ceilings.length === 0 ? {} : { tokens: Math.min(...ceilings) }),
    ...(bytes === undefined ? {} : { bytes }),
  }
}
