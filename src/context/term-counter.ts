import type { Outline } from '../../languages/outline.ts'
import { BYTE_CLASS, splitWord, WORD_BYTES } from './byte-classes.ts'
import type { ByteTable } from './byte-table.ts'

const LINE_FEED = 10
const SPACE = 32
const TAB = 9
const OPEN = 40
const CLOSE = 41
const STAR = 42
const SLASH = 47

/** Words that may stand before a keyword of definition on its line, itself included. */
const KEYWORD_WITHIN = 5

/** Counts above this are kept as this. */
const MOST_COUNTED = 0x7fff

/** What a text says, as terms. The arrays belong to the counter: the next counting overwrites them. */
export interface TermVector {
  /** Terms' numbers, ascending. */
  readonly terms: Uint32Array
  /** How often each stands in the text, up to MOST_COUNTED. */
  readonly counts: Uint16Array
  /** 1 where the text defines the term. */
  readonly defined: Uint8Array
  /** All terms, repeated ones too: the length that BM25 norms by. */
  readonly length: number
}

/**
 * Turns bytes into counted terms. A distinct word is split once; from then on it costs one look-up. Terms' numbers follow
 * the order of their coming, and belong to `terms`, which may be shared with an index.
 */
export class TermCounter {
  readonly terms: ByteTable
  /**
   * Four numbers a slot, which lie together in memory: two hashes of a word, its number plus 1, and twice its count in the text
   * at hand, plus 1 when the text defines it. Words are told by 64 bits of hash; their bytes are not kept.
   */
  private slots = new Int32Array(4 << 15)
  private words = 0
  /** Words below this number are keywords of definition; bit n of `keywords`: one of outline n. */
  private readonly keywordCount: number
  private readonly keywords: Uint8Array
  /** Where a word's terms begin in `parts`. */
  private partsAt = new Uint32Array(1 << 14)
  private parts = new Int32Array(1 << 15)
  private partsUsed = 0
  /** Slots that the text at hand has touched. */
  private touchedSlots = new Int32Array(1 << 12)
  private termCounts = new Uint32Array(1 << 14)
  private termDefined = new Uint8Array(1 << 14)
  private touched = new Uint32Array(1 << 12)
  private counts = new Uint16Array(1 << 12)
  private defined = new Uint8Array(1 << 12)
  private readonly outlines: readonly Outline[]

  /** At most eight outlines. */
  constructor(terms: ByteTable, outlines: readonly Outline[]) {
    this.terms = terms
    this.outlines = outlines
    const keywords = [...new Set(outlines.flatMap(({ definitions }) => definitions.keywords))]
    this.keywords = Uint8Array.from(keywords, (keyword) =>
      outlines.reduce(
        (bits, { definitions }, place) => bits | (definitions.keywords.includes(keyword) ? 1 << place : 0),
        0,
      ),
    )
    this.keywordCount = keywords.length
    const list = Buffer.from(keywords.join(' '), 'latin1')
    this.count(list, 0, list.length)
  }

  /** Counts a range of bytes. `outline`: one of the counter's, so that definitions are seen. */
  count(bytes: Uint8Array, start: number, end: number, outline?: Outline): TermVector {
    // A new word takes three bytes at least, so that no slot moves while the text is read.
    while ((this.words + (end - start) / 3) * 6 > this.slots.length) this.grow()
    return this.gather(this.countWords(bytes, start, end, outline))
  }

  /** Counts whole words; returns how many distinct ones were touched. */
  private countWords(bytes: Uint8Array, start: number, end: number, outline: Outline | undefined): number {
    const { slots, keywords, keywordCount } = this
    const mask = slots.length - 4
    const bit = outline ? 1 << this.outlines.indexOf(outline) : 0
    const receiver = outline?.definitions.receiver === true
    const callAtLineStart = outline?.definitions.callAtLineStart === true
    let touched = 0
    let lineStart = start
    let lineWords = 0
    let armedFrom = -1
    let called = false
    let at = start
    while (at < end) {
      let byte = bytes[at] as number
      if (BYTE_CLASS[byte] === 0) {
        at++
        if (byte === LINE_FEED) {
          lineStart = at
          lineWords = 0
          armedFrom = -1
          called = false
        }
        continue
      }
      const from = at
      // FNV-1a, and the hash of Java's strings.
      let hash = 0x811c9dc5
      let other = 0
      do {
        hash = Math.imul(hash ^ byte, 0x01000193)
        other = (Math.imul(other, 31) + byte) | 0
        if (++at === end) break
        byte = bytes[at] as number
      } while (BYTE_CLASS[byte] !== 0)
      const length = at - from
      lineWords++
      if (length < WORD_BYTES.least || length > WORD_BYTES.most) continue
      let slot = ((hash ^ (hash >>> 15)) << 2) & mask
      while (slots[slot + 2] !== 0 && (slots[slot] !== hash || slots[slot + 1] !== other))
        slot = (slot + 4) & mask
      if (slots[slot + 2] === 0) {
        slots[slot] = hash
        slots[slot + 1] = other
        slots[slot + 2] = this.addWord(bytes, from, at) + 1
      }
      const seen = slots[slot + 3] as number
      if (seen === 0) {
        if (touched === this.touchedSlots.length) this.touchedSlots = doubled(this.touchedSlots)
        this.touchedSlots[touched++] = slot
      }
      slots[slot + 3] = seen + 2
      if (bit === 0) continue
      if (armedFrom >= 0) {
        if (from < armedFrom) continue
        slots[slot + 3] = (seen + 2) | 1
        armedFrom = -1
      } else if (callAtLineStart && byte === OPEN && !called && at < end) {
        called = true
        if (from > lineStart && BYTE_CLASS[bytes[lineStart] as number] !== 0) slots[slot + 3] = (seen + 2) | 1
      } else if (
        (slots[slot + 2] as number) <= keywordCount &&
        lineWords <= KEYWORD_WITHIN &&
        ((keywords[(slots[slot + 2] as number) - 1] as number) & bit) !== 0 &&
        !isComment(bytes, lineStart, from)
      )
        armedFrom = receiver ? afterReceiver(bytes, at, end) : at
    }
    return touched
  }

  /** From counted words to counted terms; every counter is 0 again afterwards. */
  private gather(touchedWords: number): TermVector {
    const { slots, touchedSlots, partsAt, parts, termCounts, termDefined } = this
    let touched = 0
    let length = 0
    for (let place = 0; place < touchedWords; place++) {
      const slot = touchedSlots[place] as number
      const seen = slots[slot + 3] as number
      const word = (slots[slot + 2] as number) - 1
      slots[slot + 3] = 0
      const count = seen >> 1
      const from = partsAt[word] as number
      const to = partsAt[word + 1] as number
      length += count * (to - from)
      for (let part = from; part < to; part++) {
        const term = parts[part] as number
        const before = termCounts[term] as number
        if (before === 0) {
          if (touched === this.touched.length) this.touched = doubled(this.touched)
          this.touched[touched++] = term
        }
        termCounts[term] = before + count
        if ((seen & 1) === 1) termDefined[term] = 1
      }
    }
    if (touched > this.counts.length) {
      this.counts = new Uint16Array(this.touched.length)
      this.defined = new Uint8Array(this.touched.length)
    }
    const terms = this.touched.subarray(0, touched).sort()
    for (let place = 0; place < touched; place++) {
      const term = terms[place] as number
      const count = termCounts[term] as number
      this.counts[place] = Math.min(count, MOST_COUNTED)
      this.defined[place] = termDefined[term] as number
      termCounts[term] = 0
      termDefined[term] = 0
    }
    return {
      terms,
      counts: this.counts.subarray(0, touched),
      defined: this.defined.subarray(0, touched),
      length,
    }
  }

  /** A new word's number; it is split into its terms. */
  private addWord(bytes: Uint8Array, start: number, end: number): number {
    const word = this.words++
    if (word + 2 > this.partsAt.length) this.partsAt = doubled(this.partsAt)
    splitWord(bytes, start, end, (from, to) => {
      const term = this.terms.intern(bytes, from, to)
      while (term >= this.termCounts.length) {
        this.termCounts = doubled(this.termCounts)
        this.termDefined = doubled(this.termDefined)
      }
      if (this.partsUsed === this.parts.length) this.parts = doubled(this.parts)
      this.parts[this.partsUsed++] = term
    })
    this.partsAt[word + 1] = this.partsUsed
    return word
  }

  private grow(): void {
    const old = this.slots
    const slots = new Int32Array(old.length * 2)
    const mask = slots.length - 4
    for (let from = 0; from < old.length; from += 4) {
      if (old[from + 2] === 0) continue
      const hash = old[from] as number
      let slot = ((hash ^ (hash >>> 15)) << 2) & mask
      while (slots[slot + 2] !== 0) slot = (slot + 4) & mask
      for (let place = 0; place < 3; place++) slots[slot + place] = old[from + place] as number
    }
    this.slots = slots
  }
}

function doubled<T extends Uint8Array | Uint32Array | Int32Array>(array: T): T {
  const larger = new (array.constructor as new (length: number) => T)(array.length * 2)
  larger.set(array)
  return larger
}

/** Whether the line begins as a comment, or as the middle of one. */
function isComment(bytes: Uint8Array, lineStart: number, before: number): boolean {
  let at = lineStart
  while (at < before && (bytes[at] === SPACE || bytes[at] === TAB)) at++
  return bytes[at] === SLASH || bytes[at] === STAR
}

/** Where the name may begin: after the parenthesis that follows, if one does on this line. */
function afterReceiver(bytes: Uint8Array, from: number, end: number): number {
  let at = from
  while (at < end && bytes[at] === SPACE) at++
  if (bytes[at] !== OPEN) return from
  while (at < end && bytes[at] !== CLOSE && bytes[at] !== LINE_FEED) at++
  return at
}
