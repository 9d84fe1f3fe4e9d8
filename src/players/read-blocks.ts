import type { AnswerContent, SearchReplace, WholeFile } from '../schema/answer.ts'

/** What one block of an answer says; `other` is a block that asks for nothing, as a shell command or a quotation. */
export type Block =
  | AnswerContent
  | { readonly kind: 'other' }
  | { readonly kind: 'broken'; readonly reason: string }

const OTHER: Block = { kind: 'other' }

/** Whether lines with the two file headers of a diff, or git's, stand in the text. */
export const isDiff = (text: string): boolean =>
  /^diff --git /m.test(text) || /^--- .*\r?\n\+\+\+ /m.test(text)

const SEARCH = /^<{5,9} ?SEARCH\s*$/
const DIVIDER = /^={5,9}\s*$/
const REPLACE = /^>{5,9} ?REPLACE\s*$/

export const hasEdits = (text: string): boolean => text.split('\n').some((line) => SEARCH.test(line))

/** A line that is a file's path, with or without decoration: `### src/a.py`, `File: src/a.py`, `**src/a.py**:`. */
export function readPathLine(line: string): string | undefined {
  // No path is that long, and nobody decorates a line that is.
  if (line.length > 500) return undefined
  const bare = line
    .trim()
    .replace(/^(?:#{1,6}|[-*]|\d+\.|\/\/|--)\s+/, '')
    .replace(/^(?:file(?:name)?|path)\s*:\s*/i, '')
    .replace(/^[*_`]+/, '')
    .replace(/[*_`:]+$/, '')
    .trim()
  return isPath(bare) ? bare : undefined
}

/** A word that can only be meant as a path: no blanks, and a folder or an ending that starts with a letter in it. */
const isPath = (word: string): boolean =>
  /^[^\s`'"<>|:*?]{1,400}$/.test(word) &&
  /\w\/\S|\/\w|\.[A-Za-z]\w*$/.test(word) &&
  !/^(?:text|application)\//.test(word)

/** The path in a fence's info string: `python src/a.py`, `src/a.py`, `rust path=src/a.rs`, `go title="a.go"`. */
export function readInfoPath(info: string): string | undefined {
  const named = /(?:path|file|filename|title)=(?:"([^"]+)"|'([^']+)'|(\S+))/.exec(info)
  if (named) return named[1] ?? named[2] ?? named[3]
  return info
    .split(/\s+/)
    .find((word) => isPath(word.replace(/^\w+:/, '')))
    ?.replace(/^\w+:/, '')
}

/** Search and replace parts. The path stands before the first mark, alone on its line, or is given. */
export function readEdits(text: string, path: string | undefined): Block {
  const edits: SearchReplace[] = []
  let current = path
  let search: string[] | undefined
  let replace: string[] | undefined
  for (const line of text.split('\n')) {
    if (replace) {
      if (REPLACE.test(line)) {
        if (current === undefined)
          return { kind: 'broken', reason: 'a SEARCH block without the path of its file' }
        const join = (lines: readonly string[]): string => lines.map((part) => `${part}\n`).join('')
        edits.push({ path: current, search: join(search ?? []), replace: join(replace) })
        search = undefined
        replace = undefined
      } else replace.push(line)
    } else if (search) {
      if (DIVIDER.test(line)) replace = []
      else search.push(line)
    } else if (SEARCH.test(line)) search = []
    else current = readPathLine(line) ?? current
  }
  if (search)
    return { kind: 'broken', reason: 'a SEARCH block that is not ended by ======= and >>>>>>> REPLACE' }
  return edits.length === 0 ? OTHER : { kind: 'edits', edits }
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** One of `code_edits` or `test_cases`; a string says what is wrong with it. */
function readJsonEdit(entry: unknown, keys: { search?: string; replace: string }): SearchReplace | string {
  if (!isRecord(entry)) return 'is not an object'
  const path = entry.file
  const search = keys.search === undefined ? '' : entry[keys.search]
  const replace = entry[keys.replace]
  if (typeof path !== 'string' || path.trim() === '') return 'has no file'
  if (typeof search !== 'string') return `has no text ${keys.search}`
  if (typeof replace !== 'string') return `has no text ${keys.replace}`
  // A test is added at the end of its file: it starts on a line of its own and ends one.
  const added = keys.search === undefined ? `\n${replace.replace(/^\n+/, '').replace(/\n*$/, '\n')}` : replace
  return { path, search, replace: added }
}

/** The JSON shapes of the original arena: `code_edits` of a submitter, `test_cases` of a reviewer. */
export function readJson(text: string): Block {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    const why = error instanceof Error ? error.message.split('\n')[0] : ''
    return { kind: 'broken', reason: `the JSON cannot be read (${why?.slice(0, 120)})` }
  }
  if (!isRecord(value)) return OTHER
  const lists = [
    { key: 'code_edits', keys: { search: 'code_to_be_modified', replace: 'code_edited' } },
    { key: 'test_cases', keys: { replace: 'test_code' } },
  ].filter(({ key }) => key in (value as Record<string, unknown>))
  if (lists.length === 0) return OTHER
  const edits: SearchReplace[] = []
  for (const { key, keys } of lists) {
    const list = value[key]
    if (!Array.isArray(list)) return { kind: 'broken', reason: `${key} is not a list` }
    for (const [index, entry] of list.entries()) {
      const edit = readJsonEdit(entry, keys)
      if (typeof edit === 'string') return { kind: 'broken', reason: `${key}[${index}] ${edit}` }
      edits.push(edit)
    }
  }
  return { kind: 'edits', edits }
}

export const looksLikeJson = (text: string): boolean =>
  /^\s*\{/.test(text) && /"(?:code_edits|test_cases)"/.test(text)

/** Reads one fenced block. `lead`: the line before it. */
export function readBlock(block: { info: string; lead: string; content: string }): Block {
  const { info, lead, content } = block
  const path = readInfoPath(info) ?? readPathLine(lead)
  if (looksLikeJson(content)) return readJson(content)
  if (hasEdits(content)) return readEdits(content, path)
  const language = info.split(/\s+/)[0]?.toLowerCase()
  const saysDiff = language === 'diff' || language === 'patch'
  if (isDiff(content) && (saysDiff || path === undefined))
    return { kind: 'diff', diffs: [Buffer.from(content, 'utf8')] }
  if (saysDiff)
    return content.trim() === ''
      ? OTHER
      : { kind: 'broken', reason: 'a diff without the header lines --- a/PATH and +++ b/PATH' }
  if (path === undefined || content.trim() === '') return OTHER
  const file: WholeFile = { path, content }
  return { kind: 'files', files: [file] }
}
