import { BYTE_CLASS, splitWord } from './byte-classes.ts'
import type { ByteTable } from './byte-table.ts'
import { STOP_WORDS } from './stop-words.ts'

/** A place that a text names: a file, and perhaps a line of it. */
export interface Mention {
  /** As written, without a leading `./` or `/`. */
  readonly path: string
  /** 1-based. */
  readonly line: number | undefined
}

/** What is looked for. */
export interface Query {
  /** Weight by term, in the order of the text; only terms that the index holds. */
  readonly terms: ReadonlyMap<number, number>
  readonly mentions: readonly Mention[]
}

export interface QueryOptions {
  /** Identifiers are also looked for by their parts. */
  readonly split: boolean
  /** Stop words are left out. */
  readonly stop: boolean
  /** A term's count in the text stops to matter above this. */
  readonly mostCounted: number
  /** Factor for terms that look like code. */
  readonly codeWeight: number
  /** Factor for terms of the first line: a title. */
  readonly titleWeight: number
}

/** Marked as code by the writer, qualified, of two cases or with underscores, or called. */
const CODE =
  /`([^`\n]{2,120})`|\b([A-Za-z]\w*(?:(?:::|\.|->)\w+)+)|\b([A-Za-z0-9]+_\w+|_\w+|[A-Za-z]*[a-z][A-Z]\w*|[A-Z]{2,}[a-z]\w*)\b|\b(\w+)\(/g

/** A path with an ending, or a qualified module; with a line after it where one is told. */
const PATH =
  /(?<![\w@])((?:[\w.+-]+[\\/])*[\w+-]+(?:\.[\w+-]+)*\.[A-Za-z][A-Za-z0-9+]{0,4})\b(?:(?:", line |[:(#]L?)(\d{1,6}))?/g
const MOST_MENTIONS = 200

const addWord = (
  word: Buffer,
  start: number,
  end: number,
  split: boolean,
  give: (from: number, to: number) => void,
): void => {
  if (split) splitWord(word, start, end, give)
  else if (end - start >= 2 && end - start <= 80) give(start, end)
}

/** Terms of a text that the index knows, with how often each stands in it, in the order of their coming. */
function countTerms(text: string, terms: ByteTable, split: boolean): Map<number, number> {
  const bytes = Buffer.from(text)
  const counts = new Map<number, number>()
  for (let at = 0; at < bytes.length; ) {
    if (BYTE_CLASS[bytes[at] as number] === 0) {
      at++
      continue
    }
    const start = at
    while (at < bytes.length && BYTE_CLASS[bytes[at] as number] !== 0) at++
    addWord(bytes, start, at, split, (from, to) => {
      const term = terms.find(bytes, from, to)
      if (term >= 0) counts.set(term, (counts.get(term) ?? 0) + 1)
    })
  }
  return counts
}

/** Places that a text names, without repeats. */
export function findMentions(text: string): readonly Mention[] {
  const found = new Map<string, Mention>()
  for (const match of text.matchAll(PATH)) {
    if (found.size === MOST_MENTIONS) break
    const path = (match[1] ?? '').replaceAll('\\', '/').replace(/^(\.{0,2}\/)+/, '')
    const line = match[2] === undefined ? undefined : Number(match[2])
    found.set(`${path}:${line ?? ''}`, { path, line })
  }
  return [...found.values()]
}

/** What an issue's text asks for, in the terms of an index. The same text, terms and options give the same query. */
export function parseQuery(text: string, terms: ByteTable, options: QueryOptions): Query {
  const counts = countTerms(text, terms, options.split)
  const weighted = new Map<number, number>()
  for (const [term, count] of counts) {
    if (options.stop && STOP_WORDS.has(terms.text(term))) continue
    weighted.set(term, 1 + Math.log(Math.min(count, options.mostCounted)))
  }
  const boost = (part: string, factor: number): void => {
    if (factor === 1) return
    for (const term of countTerms(part, terms, options.split).keys()) {
      const weight = weighted.get(term)
      if (weight !== undefined) weighted.set(term, weight * factor)
    }
  }
  const code = [...text.matchAll(CODE)].map((match) => match[1] ?? match[2] ?? match[3] ?? match[4] ?? '')
  boost(code.join(' '), options.codeWeight)
  boost(text.slice(0, (text.indexOf('\n') + 1 || text.length + 1) - 1), options.titleWeight)
  return { terms: weighted, mentions: findMentions(text) }
}
