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

const nameOf = (testCase: TestCase): string => testCase.name
const textOf = (testCase: TestCase): string => `${testCase.name}\0${testCase.text.trimEnd()}`

function countBy(
  cases: readonly TestCase[],
  key: (testCase: TestCase) => string,
): ReadonlyMap<string, number> {
  const counts = new Map<string, number>()
  for (const testCase of cases) counts.set(key(testCase), (counts.get(key(testCase)) ?? 0) + 1)
  return counts
}

/** Cases over the caps that are named in the result. */
const MOST_OVER_CAP = 1000

/** An existing case that is gone or reads differently; undefined when all stay. */
function touchedCase(before: readonly TestCase[], after: readonly TestCase[]): string | undefined {
  const namesAfter = countBy(after, nameOf)
  const textsAfter = countBy(after, textOf)
  const textsBefore = countBy(before, textOf)
  const lost = before.find((testCase) => {
    const text = textOf(testCase)
    return (textsAfter.get(text) ?? 0) < (textsBefore.get(text) ?? 0)
  })
  if (lost)
    return namesAfter.has(lost.name)
      ? `changes the existing test ${lost.name}; add a new test instead`
      : `removes the existing test ${lost.name}`
  const namesBefore = countBy(before, nameOf)
  const twice = before.find(({ name }) => (namesAfter.get(name) ?? 0) > (namesBefore.get(name) ?? 0))
  return twice && `defines the existing test ${twice.name} a second time`
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
    overCap: named((file) => file.cut).slice(0, MOST_OVER_CAP),
    notes: [...notes, ...cut.notes],
  }
}
