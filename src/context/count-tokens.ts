import type { Tokenizer } from '../schema/context.ts'

/** Tokens of a text. Special tokens' names are text like any other. */
export type CountTokens = (text: string) => number

/** Bytes a token, at least, for any tokenizer in use: the safe bound when the model's own is not known. */
const BYTES_PER_TOKEN = 3.3

const NOTHING_SPECIAL = { disallowedSpecial: new Set<string>() }

/** Loads a tokenizer; the tables of the named ones take some hundred milliseconds, once. */
export async function loadTokenizer(name: Tokenizer): Promise<CountTokens> {
  if (name === 'bytes') return (text) => Math.ceil(Buffer.byteLength(text) / BYTES_PER_TOKEN)
  const { countTokens } =
    name === 'o200k_base'
      ? await import('gpt-tokenizer/encoding/o200k_base')
      : await import('gpt-tokenizer/encoding/cl100k_base')
  return (text) => countTokens(text, NOTHING_SPECIAL)
}
