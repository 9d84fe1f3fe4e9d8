const LOWER = 1
const UPPER = 2
const DIGIT = 3
const UNDERSCORE = 4
const BEYOND_ASCII = 5

/** 0: ends a word. Words are broken at dots; bytes beyond ASCII are letters, whatever the encoding. */
export const BYTE_CLASS: Uint8Array = Uint8Array.from({ length: 256 }, (_, byte) => {
  if (byte >= 97 && byte <= 122) return LOWER
  if (byte >= 65 && byte <= 90) return UPPER
  if (byte >= 48 && byte <= 57) return DIGIT
  if (byte === 95) return UNDERSCORE
  return byte >= 128 ? BEYOND_ASCII : 0
})

/** Bytes of a word that is worth finding: shorter ones say nothing, longer ones are data. */
export const WORD_BYTES = { least: 2, most: 80 } as const

/** Bytes of a number that is worth finding. */
const LONGEST_NUMBER = 5

/** Whether a part of an identifier begins at `at`: after `_`, at aB, 1B, and at the last capital of ABc. */
function beginsPart(word: Uint8Array, at: number, end: number): boolean {
  const here = BYTE_CLASS[word[at] as number]
  const before = BYTE_CLASS[word[at - 1] as number]
  if (here === UNDERSCORE || before === UNDERSCORE) return true
  if (here !== UPPER) return false
  if (before === LOWER || before === DIGIT) return true
  return before === UPPER && at + 1 < end && BYTE_CLASS[word[at + 1] as number] === LOWER
}

/**
 * Gives the terms of one word: its camelCase, snake_case and acronym parts of two bytes or more, and the whole. A word
 * of one part gives itself once.
 */
export function splitWord(
  word: Uint8Array,
  start: number,
  end: number,
  give: (start: number, end: number) => void,
): void {
  const length = end - start
  if (length < WORD_BYTES.least || length > WORD_BYTES.most) return
  let onlyDigits = true
  let wholeGiven = false
  let partStart = start
  for (let at = start; at <= end; at++) {
    if (at < end) {
      onlyDigits &&= BYTE_CLASS[word[at] as number] === DIGIT
      if (at === start || !beginsPart(word, at, end)) continue
    } else if (onlyDigits && length > LONGEST_NUMBER) return
    let from = partStart
    while (from < at && BYTE_CLASS[word[from] as number] === UNDERSCORE) from++
    if (at - from >= WORD_BYTES.least) {
      give(from, at)
      wholeGiven ||= from === start && at === end
    }
    partStart = at
  }
  if (!wholeGiven) give(start, end)
}
