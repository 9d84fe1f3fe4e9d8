import type { Answer, AnswerContent, SearchReplace, WholeFile } from '../schema/answer.ts'
import type { PatchNote } from '../schema/tree.ts'
import { type Fences, findFences } from './find-fences.ts'
import { type Block, hasEdits, isDiff, looksLikeJson, readBlock, readEdits, readJson } from './read-blocks.ts'
import { stripThoughts } from './strip-thoughts.ts'

/** Answers longer than this are not read: no fix is that long. */
export const MAX_ANSWER_CHARACTERS = 8 * 1024 * 1024

const REFUSAL =
  /^\W*(?:i(?:['’]m| am) (?:sorry|unable|not able)|sorry\b|i (?:can(?:['’]t|not)|won['’]t|will not|must decline)|as an ai\b|unfortunately,? i (?:can|am))/i

const note = (reason: string): PatchNote => ({ action: 'normalised', path: '', reason })

const isContent = (block: Block): block is AnswerContent => block.kind !== 'other' && block.kind !== 'broken'

/** Later whole files of the same path win; edits and diffs are kept in order. */
function joinBlocks(blocks: readonly AnswerContent[], notes: PatchNote[]): AnswerContent | undefined {
  const kind = blocks.at(-1)?.kind
  const same = blocks.filter((block) => block.kind === kind)
  if (same.length < blocks.length)
    notes.push(note(`${blocks.length - same.length} blocks of another form than the last one were left out`))
  if (kind === 'diff')
    return { kind, diffs: same.flatMap((block) => (block.kind === 'diff' ? block.diffs : [])) }
  if (kind === 'edits') {
    const edits: SearchReplace[] = same.flatMap((block) => (block.kind === 'edits' ? block.edits : []))
    return edits.length === 0 ? undefined : { kind, edits }
  }
  if (kind !== 'files') return undefined
  const files = new Map<string, WholeFile>()
  for (const block of same)
    for (const file of block.kind === 'files' ? block.files : []) {
      if (files.has(file.path))
        notes.push({ ...note('replaced by a later block of the same answer'), path: file.path })
      files.set(file.path, file)
    }
  return { kind, files: [...files.values()] }
}

/** An answer, or a part of one, without fences. */
function readBare(text: string): Block {
  const json = text.slice(text.indexOf('{'), text.lastIndexOf('}') + 1)
  if (looksLikeJson(json)) return readJson(json)
  if (hasEdits(text)) return readEdits(text, undefined)
  return isDiff(text) ? { kind: 'diff', diffs: [Buffer.from(text, 'utf8')] } : { kind: 'other' }
}

/** A bare diff may hold fences in its lines; then the whole text is the diff. */
const startsAsDiff = (text: string): boolean => /^\s*(?:diff --git |--- .*\r?\n\+\+\+ )/.test(text)

function candidates(text: string, fences: Fences): readonly Block[] {
  if (startsAsDiff(text)) return [readBare(text)]
  const fenced = fences.blocks.map(readBlock)
  return fenced.some((block) => block.kind !== 'other') ? fenced : [readBare(fences.prose)]
}

/**
 * Reads a model's answer by the grammar of docs/answers.md. `stopReason`: as the endpoint said, null when it said nothing.
 * Never throws: whatever the text is, the result says what it asks for or why it cannot be used.
 */
export function readAnswer(answer: string | null, stopReason: string | null): Answer {
  const notes: PatchNote[] = []
  const failed = (kind: 'empty' | 'refusal' | 'truncated' | 'unusable', reason: string): Answer => ({
    kind,
    reason,
    notes,
  })
  const cutByLength = stopReason === 'length' || stopReason === 'max_tokens'
  if (stopReason === 'content_filter' || stopReason === 'refusal')
    return failed('refusal', `the endpoint ended the answer with "${stopReason}"`)
  if (answer === null || answer.trim() === '')
    return cutByLength
      ? failed('truncated', 'the answer was cut before its first word')
      : failed('empty', 'the answer is empty')
  if (answer.length > MAX_ANSWER_CHARACTERS)
    return failed('unusable', `the answer has more than ${MAX_ANSWER_CHARACTERS} characters`)
  const thoughts = stripThoughts(answer)
  if (thoughts.cut > 0) notes.push(note(`${thoughts.cut} think blocks were cut`))
  if (thoughts.open) return failed('truncated', 'the answer ends inside its think block')
  if (thoughts.text.trim() === '')
    return cutByLength
      ? failed('truncated', 'the answer was cut after its think block')
      : failed('empty', 'there is nothing after the think block')
  const fences = findFences(thoughts.text)
  const bareDiff = startsAsDiff(thoughts.text)
  if (fences.unclosed && !bareDiff) return failed('truncated', 'the answer ends inside a fenced block')
  const blocks = candidates(thoughts.text, fences)
  const broken = blocks.findLast((block) => block.kind === 'broken')
  const content = joinBlocks(blocks.filter(isContent), notes)
  const isFenced = !bareDiff && fences.blocks.length > 0 && blocks.length === fences.blocks.length
  if (cutByLength && !(isFenced && content))
    return failed('truncated', 'the answer was cut at its token limit')
  if (broken?.kind === 'broken') return failed('unusable', broken.reason)
  if (content) return { ...content, notes }
  if (blocks.some((block) => block.kind === 'edits')) return failed('empty', 'the answer lists no edits')
  if (REFUSAL.test(thoughts.text.trim())) return failed('refusal', 'the model declines')
  return failed('unusable', 'no diff, no search and replace block and no whole file with its path was found')
}
