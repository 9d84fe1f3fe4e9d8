import type { TokenLogProb } from '../schema/model.ts'
import { stripThoughts } from './strip-thoughts.ts'

/** What each word of an answer is worth, 0 to 1; in lower case. */
export type WordValues = Readonly<Record<string, number>>

/** Less of the probability than this on words that can be read says nothing of them. */
const LEAST_MASS = 0.1

const bare = (token: string): string => token.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '')

/**
 * The mean value of the first answer token, by the probabilities of it and of what could have stood in its place; tokens
 * before it that hold no letter or digit are passed over. Undefined where words that have a value are less than a tenth of
 * the probability, or nothing was given.
 */
export function valueOfFirstToken(
  tokens: readonly TokenLogProb[] | null,
  values: WordValues,
): number | undefined {
  const first = tokens?.find(({ token }) => bare(token) !== '')
  if (!first) return undefined
  const { top = [] } = first
  const entries = top.some(({ token }) => token === first.token) ? top : [first, ...top]
  let mass = 0
  let worth = 0
  for (const { token, logprob } of entries) {
    const value = Object.hasOwn(values, bare(token)) ? values[bare(token)] : undefined
    const probability = Math.exp(logprob)
    if (value === undefined || !Number.isFinite(probability)) continue
    mass += probability
    worth += probability * value
  }
  return mass < LEAST_MASS ? undefined : Math.min(1, Math.max(0, worth / mass))
}

/** The value of the first word of an answer, its thoughts cut; undefined when it has none. */
export function valueOfFirstWord(text: string, values: WordValues): number | undefined {
  const said = stripThoughts(text).text
  const word = said
    .split(/\s+/)
    .map(bare)
    .find((part) => part !== '')
  return word !== undefined && Object.hasOwn(values, word) ? values[word] : undefined
}
