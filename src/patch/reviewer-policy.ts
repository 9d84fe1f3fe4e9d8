import type { LanguageAdapter, TestCase } from '../../languages/adapter.ts'
import { toAppliedChanges } from '../schema/applied.ts'
import type { AppliedChanges, FileChange, PatchNote, RepoView } from '../schema/tree.ts'
import { type CountedFile, cutToCaps } from './cut-cases.ts'
import { readText, toBase64 } from './read-text.ts'

export interface ReviewerCaps {
  readonly cases: number
  /** Added lines of the whole set. */
  readonly addedLines: number
}

export type ReviewerAdapter = Pick<LanguageAdapter, 'id' | 'classify' | 'casesIn' | 'refusesTestFile'>

export interface ReviewerPolicyRequest {
  readonly changes: AppliedChanges
  readonly base: RepoView
  readonly adapter: ReviewerAdapter
  readonly caps: ReviewerCaps
}

export interface NamedCase {
  readonly file: string
  readonly case: string
}

export interface ReviewerPolicyResult {
  readonly changes: AppliedChanges
  /** The reviewer's cases that are left, by path, then place in the file. */
  readonly cases: NamedCase[]
  /** Those that the caps cut. */
  readonly overCap: NamedCase[]
  readonly notes: PatchNote[]
}

/** An existing case that is gone or reads differently; undefined when all stay. */
function touchedCase(before: readonly TestCase[], after: readonly TestCase[]): string | undefined {
  const left = after.map((testCase) => `${testCase.name}\0${testCase.text.trimEnd()}`)
  const added = new Set(after.map((testCase) => testCase.name))
  for (const testCase of before) {
    const place = left.indexOf(`${testCase.name}\0${testCase.text.trimEnd()}`)
    if (place === -1)
      return added.has(testCase.name)
        ? `changes the existing test ${testCase.name}; add a new test instead`
        : `removes the existing test ${testCase.name}`
    left.splice(place, 1)
  }
  const known = new Set(before.map((testCase) => testCase.name))
  const twice = left.map((entry) => entry.split('\0')[0] ?? '').find((name) => known.has(name))
  return twice === undefined ? undefined : `defines the existing test ${twice} a second time`
}

type Judged =
  | { readonly kind: 'kept'; readonly file: CountedFile }
  | { readonly kind: 'dropped'; readonly note: PatchNote }

function judgeFile(change: FileChange, { base, adapter }: ReviewerPolicyRequest): Judged {
  const { path } = change
  const drop = (action: 'stripped' | 'refused', reason: string): Judged => ({
    kind: 'dropped',
    note: { action, path, reason },
  })
  const kind = adapter.classify(path)
  if (kind !== 'test')
    return drop('stripped', `a reviewer may only add or extend test files; this is a ${kind} file`)
  const before = base.read(path)
  if (change.change === 'delete') return drop('refused', 'an existing test file may not be removed')
  if (change.mode === '120000') return drop('refused', 'a test file may not be a symlink')
  const reason = adapter.refusesTestFile(path, before !== undefined)
  if (reason !== undefined) return drop('refused', reason)
  const text = readText(Buffer.from(change.contentBase64, 'base64'))
  const baseText = before && readText(before)
  if (text === undefined || (before && baseText === undefined))
    return drop('refused', 'the file is not UTF-8 text')
  const baseCases = adapter.casesIn(path, baseText ?? '')
  const cases = adapter.casesIn(path, text)
  const touched = touchedCase(baseCases, cases)
  if (touched !== undefined) return drop('refused', touched)
  const known = new Set(baseCases.map((testCase) => testCase.name))
  const added = cases
    .filter((testCase) => !known.has(testCase.name))
    .sort((a, b) => a.startLine - b.startLine || a.endLine - b.endLine)
  return { kind: 'kept', file: { change, text, baseText: baseText ?? '', added } }
}

/**
 * What of a reviewer's answer is played: new test cases in files that the language allows, within the caps. Source parts
 * are stripped, changes of existing tests refused, cases over the caps cut out whole; each is noted.
 */
export function applyReviewerPolicy(request: ReviewerPolicyRequest): ReviewerPolicyResult {
  const notes: PatchNote[] = []
  const files: CountedFile[] = []
  for (const change of request.changes.changes) {
    const judged = judgeFile(change, request)
    if (judged.kind === 'kept') files.push(judged.file)
    else notes.push(judged.note)
  }
  const cut = cutToCaps(files, request.caps, request.adapter.id)
  notes.push(...cut.notes)
  const named = (pick: (file: (typeof cut.files)[number]) => readonly TestCase[]): NamedCase[] =>
    cut.files.flatMap((file) => pick(file).map(({ name }) => ({ file: file.path, case: name })))
  const writes = cut.files.flatMap((file): FileChange[] =>
    file.text === undefined
      ? []
      : [{ change: 'write', path: file.path, mode: file.mode, contentBase64: toBase64(file.text) }],
  )
  return {
    changes: toAppliedChanges(writes),
    cases: named((file) => file.kept),
    overCap: named((file) => file.cut),
    notes,
  }
}
