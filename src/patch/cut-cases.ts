import type { TestCase } from '../../languages/adapter.ts'
import type { LanguageId } from '../schema/language.ts'
import type { FileChange, PatchNote } from '../schema/tree.ts'
import { addedLines } from './line-diff.ts'
import { splitLines } from './text-lines.ts'

/** A test file that may be played, with its new cases in the order of the file. */
export interface CountedFile {
  readonly change: FileChange
  readonly text: string
  readonly baseText: string
  readonly added: readonly TestCase[]
}

interface CutFile {
  readonly path: string
  readonly mode: '100644' | '100755'
  /** Undefined when nothing of the file is left. */
  readonly text: string | undefined
  readonly kept: readonly TestCase[]
  readonly cut: readonly TestCase[]
}

/** What must stand where the only member of a block was cut out. */
const PLACEHOLDER: Readonly<Partial<Record<LanguageId, string>>> = { python: 'pass' }

/** Cases of one file that are noted one by one. */
const MOST_NOTES = 50

/** 1-based lines of these cases. */
function linesWithin(cases: readonly TestCase[]): ReadonlySet<number> {
  const lines = new Set<number>()
  for (const { startLine, endLine } of cases)
    for (let line = startLine; line <= endLine; line++) lines.add(line)
  return lines
}

/** The file without some cases: their lines and nothing else. */
function withoutCases(text: string, cut: readonly TestCase[], language: LanguageId): string {
  const lines = splitLines(text)
  const first = new Map(cut.map((testCase) => [testCase.startLine, testCase]))
  const gone = linesWithin(cut)
  return lines
    .flatMap((line, index) => {
      if (!gone.has(index + 1)) return [line]
      const indent = /^[ \t]+/.exec(line)?.[0]
      const placeholder = PLACEHOLDER[language]
      if (first.has(index + 1) && indent !== undefined && placeholder !== undefined)
        return [`${indent}${placeholder}\n`]
      return []
    })
    .join('')
}

/**
 * Counts cases and added lines over all files, by path, then place; from the first case that passes a cap on, every case
 * is cut out whole. Lines outside cases (imports, helpers) count when their file begins.
 */
export function cutToCaps(
  files: readonly CountedFile[],
  caps: { readonly cases: number; readonly addedLines: number },
  language: LanguageId,
): { readonly files: readonly CutFile[]; readonly notes: PatchNote[] } {
  const notes: PatchNote[] = []
  let cases = 0
  let lines = 0
  let full = false
  const results = files.map((file): CutFile => {
    const added = addedLines(splitLines(file.baseText), splitLines(file.text)).map((place) => place + 1)
    const linesOf = ({ startLine, endLine }: TestCase): number =>
      added.filter((line) => line >= startLine && line <= endLine).length
    const inCases = linesWithin(file.added)
    lines += added.filter((line) => !inCases.has(line)).length
    if (lines > caps.addedLines) full = true
    const kept: TestCase[] = []
    const cut: TestCase[] = []
    for (const testCase of file.added) {
      cases++
      // Once a cap is passed nothing more is counted: a set may hold a great many cases.
      if (!full) lines += linesOf(testCase)
      if (cases > caps.cases || lines > caps.addedLines) full = true
      if (full) cut.push(testCase)
      else kept.push(testCase)
    }
    const path = file.change.path
    for (const { name } of cut.slice(0, MOST_NOTES))
      notes.push({
        action: 'cut',
        path,
        reason: `${name} is over the cap of ${caps.cases} cases and ${caps.addedLines} added lines`,
      })
    const mode = file.change.change === 'write' && file.change.mode === '100755' ? '100755' : '100644'
    const nothingLeft = full && kept.length === 0
    if (nothingLeft && cut.length === 0)
      notes.push({
        action: 'cut',
        path,
        reason: `the file is over the cap of ${caps.addedLines} added lines`,
      })
    const text = nothingLeft
      ? undefined
      : cut.length === 0
        ? file.text
        : withoutCases(file.text, cut, language)
    return { path, mode, text, kept, cut }
  })
  return { files: results, notes }
}
