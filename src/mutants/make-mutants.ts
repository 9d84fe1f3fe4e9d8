import type { Node, Syntax } from '../../languages/shared/syntax.ts'
import { toAppliedChanges } from '../schema/applied.ts'
import type { LanguageId } from '../schema/language.ts'
import { type Mutant, MutantOperator } from '../schema/mutant.ts'
import type { AppliedChanges, FileChange, RepoView } from '../schema/tree.ts'
import { type Edit, editsOf, functionsAround, type LineRange } from './edits.ts'
import { operatorsOf } from './operators/index.ts'
import { changedLines, revertHunks } from './revert-hunks.ts'

export interface MutantsRequest {
  readonly base: RepoView
  readonly golden: AppliedChanges
  readonly language: LanguageId
  /** Whether a file is the language's own source: what else golden changes is left as it is. */
  readonly isSource: (path: string) => boolean
  readonly syntax: Syntax
}

type Write = Extract<FileChange, { change: 'write' }>

/** A mutant with how near it is to what golden changed: 0 in its lines, 1 in the functions around them. */
interface Candidate extends Mutant {
  readonly distance: 0 | 1
  readonly start: number
}

const textOf = (bytes: Buffer): string | undefined => {
  const text = bytes.toString('utf8')
  return Buffer.from(text, 'utf8').equals(bytes) ? text : undefined
}

const isIn = (ranges: readonly LineRange[], line: number): boolean =>
  ranges.some(({ first, last }) => first <= line && line <= last)

/** Characters of a mutated part that are shown. */
const MOST_SHOWN = 200

/** Mutants of one file that golden leaves with text. */
async function mutantsOfFile(request: MutantsRequest, file: Write): Promise<readonly Candidate[]> {
  const { base, golden, syntax, language } = request
  const operators = operatorsOf[language]
  const { grammar } = operators
  const now = textOf(Buffer.from(file.contentBase64, 'base64'))
  const old = base.read(file.path)
  const before = old === undefined ? '' : textOf(old)
  if (now === undefined || before === undefined) return []
  const changed = changedLines(before, now)
  const found = await syntax.withTree(grammar, now, (root) => ({
    isWhole: !root.hasError,
    edits: editsOf(root, operators),
    around: functionsAround(root, operators, changed),
  }))
  if (!found?.isWhole) return []
  const make = (
    text: string,
    distance: 0 | 1,
    start: number,
    about: Omit<Mutant, 'id' | 'changes' | 'path'>,
  ) => {
    const changes = toAppliedChanges(
      golden.changes.map((change) =>
        change.path === file.path
          ? { ...file, contentBase64: Buffer.from(text, 'utf8').toString('base64') }
          : change,
      ),
    )
    return { ...about, id: changes.digest, path: file.path, changes, distance, start }
  }
  const ofEdit = (edit: Edit): Candidate | undefined => {
    const distance = changed.has(edit.line) ? 0 : isIn(found.around, edit.line) ? 1 : undefined
    if (distance === undefined) return undefined
    const text = now.slice(0, edit.start) + edit.replacement + now.slice(edit.end)
    return make(text, distance, edit.start, {
      operator: edit.operator,
      line: edit.line + 1,
      before: now.slice(edit.start, edit.end).slice(0, MOST_SHOWN),
      after: edit.replacement.slice(0, MOST_SHOWN),
    })
  }
  const reverted =
    old === undefined
      ? []
      : revertHunks(before, now).map(({ text, line, before: gone, after }) =>
          make(text, 0, 0, {
            operator: 'reverted-hunk',
            line: line + 1,
            before: gone.slice(0, MOST_SHOWN),
            after: after.slice(0, MOST_SHOWN),
          }),
        )
  const candidates = [...found.edits.flatMap((edit) => ofEdit(edit) ?? []), ...reverted]
  const whole: Candidate[] = []
  for (const candidate of candidates) if (await parses(request, candidate, file.path)) whole.push(candidate)
  return whole
}

async function parses(request: MutantsRequest, mutant: Mutant, path: string): Promise<boolean> {
  const change = mutant.changes.changes.find((other) => other.path === path)
  if (change?.change !== 'write') return false
  const text = Buffer.from(change.contentBase64, 'base64').toString('utf8')
  const { grammar } = operatorsOf[request.language]
  return (await request.syntax.withTree(grammar, text, (root: Node) => !root.hasError)) ?? false
}

/** Takes from each operator in turn, nearest to golden's own lines first: a few of them are still of every kind. */
function inTurn(candidates: readonly Candidate[]): readonly Candidate[] {
  const nearest = candidates.toSorted(
    (a, b) =>
      a.distance - b.distance ||
      (a.path < b.path ? -1 : a.path > b.path ? 1 : a.line - b.line || a.start - b.start),
  )
  const queues = MutantOperator.options.map((operator) =>
    nearest.filter((candidate) => candidate.operator === operator),
  )
  const taken: Candidate[] = []
  while (queues.some((queue) => queue.length > 0))
    for (const queue of queues) {
      const next = queue.shift()
      if (next) taken.push(next)
    }
  return taken
}

/**
 * Wrong patches made of the golden one, each with one change that still parses: in the lines that golden changed, and in
 * the functions around them. Not yet known: whether they build, and whether any test can tell. The same input gives the
 * same mutants in the same order.
 */
export async function makeMutants(request: MutantsRequest): Promise<readonly Mutant[]> {
  const { base, golden } = request
  const candidates: Candidate[] = []
  for (const change of golden.changes)
    if (change.change === 'write' && change.mode !== '120000' && request.isSource(change.path))
      candidates.push(...(await mutantsOfFile(request, change)))
  const unchanged = (mutant: Mutant): boolean =>
    mutant.changes.changes
      .filter(({ path }) => request.isSource(path))
      .every(
        (change) =>
          change.change === 'write' &&
          base.read(change.path)?.equals(Buffer.from(change.contentBase64, 'base64')),
      )
  const wrong = candidates.filter((mutant) => mutant.id !== golden.digest && !unchanged(mutant))
  const once = [...new Map(wrong.map((mutant) => [mutant.id, mutant])).values()]
  return inTurn(once).map(({ distance: _distance, start: _start, ...mutant }) => mutant)
}
