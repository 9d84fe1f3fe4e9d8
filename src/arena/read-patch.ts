import { readFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import type { LanguageAdapter } from '../../languages/adapter.ts'
import { languages } from '../../languages/index.ts'
import { InputError } from '../errors.ts'
import { type Borrowed, withBorrowedRepository } from '../patch/borrow-repository.ts'
import { isContent } from '../players/generate.ts'
import { readAnswer } from '../players/read-answer.ts'
import type { LanguageId } from '../schema/language.ts'
import { Season } from '../schema/match.ts'
import type { AppliedChanges, PatchNote, RepoView } from '../schema/tree.ts'
import type { ForfeitReason } from '../schema/verdict.ts'
import { git } from '../task/git.ts'
import { gitRepoView } from '../task/repo-view.ts'
import { applyForRole } from './apply-for-role.ts'
import { findBase } from './find-base.ts'
import { guessLanguage } from './guess-language.ts'

export interface ReadPatchRequest {
  /** File with a model's answer, or a plain diff. */
  readonly file: string
  /** A local git repository, or a folder in one; never written. */
  readonly repo: string
  /** HEAD unless given. */
  readonly commit?: string | undefined
  readonly role: 'submitter' | 'reviewer'
  /** Found when left out. */
  readonly language?: LanguageId | undefined
}

type Case = { readonly file: string; readonly case: string }

/** What the arena makes of an answer. */
export interface PatchReading {
  /** `patch`: a round would play it. */
  readonly kind: 'patch' | 'empty' | 'refusal' | 'truncated' | 'unusable'
  /** Why it is no patch, in the sentence that a model is told; null for a patch. */
  readonly reason: string | null
  /** The word that stands in a verdict when a role forfeits with such an answer; null for a patch. */
  readonly forfeit: ForfeitReason | null
  readonly form: 'diff' | 'edits' | 'files' | null
  readonly role: 'submitter' | 'reviewer'
  /** Null when the repository is in none that the arena knows. */
  readonly language: LanguageId | null
  readonly commit: string
  /** What would be played, by path. */
  readonly files: readonly {
    readonly path: string
    readonly change: 'added' | 'modified' | 'deleted'
    /** git's mode after the change; null for a deleted file. */
    readonly mode: string | null
  }[]
  /** A reviewer's test cases that would run, and those that the caps cut. */
  readonly cases: readonly Case[]
  readonly overCap: readonly Case[]
  /** What was normalised, stripped, refused and cut. */
  readonly notes: readonly PatchNote[]
  /** What would be played, as a diff; empty when there is nothing. */
  readonly diff: string
}

type RoleAdapter = Pick<
  LanguageAdapter,
  'id' | 'classify' | 'withTestsOfBase' | 'casesIn' | 'refusesTestFile'
>

/** Where no language's rules hold, only what is a workflow in every repository is taken back. */
const NO_LANGUAGE: RoleAdapter = {
  id: 'python',
  classify: (path) => (path.startsWith('.github/') ? 'workflow' : 'other'),
  withTestsOfBase: (_path, patched) => patched,
  casesIn: () => [],
  refusesTestFile: () => undefined,
}

function adapterFor(request: ReadPatchRequest, base: RepoView): { adapter: RoleAdapter; known: boolean } {
  const language = request.language ?? guessLanguage(base)
  if (language !== undefined) return { adapter: languages[language], known: true }
  if (request.role === 'reviewer')
    throw new InputError('--role reviewer: which files are tests cannot be told here', {
      place: request.repo,
      remedy: `give --language ${Object.keys(languages).join(', ')}`,
    })
  return { adapter: NO_LANGUAGE, known: false }
}

async function readGiven(file: string): Promise<{ text: string; notes: PatchNote[] }> {
  const bytes = await readFile(file).catch((cause: unknown) => {
    throw new InputError('the answer cannot be read', { place: file, remedy: 'check the path', cause })
  })
  const text = bytes.toString('utf8')
  const isText = Buffer.from(text, 'utf8').equals(bytes)
  const reason = 'bytes that are not UTF-8 became replacement characters: an answer is text'
  return { text, notes: isText ? [] : [{ action: 'normalised', path: '', reason }] }
}

/** What an answer comes to that has a form but cannot be played. */
const KIND_OF: Readonly<Record<'does-not-apply' | 'malformed' | 'empty' | 'no-cases', 'unusable' | 'empty'>> =
  { 'does-not-apply': 'unusable', malformed: 'unusable', empty: 'empty', 'no-cases': 'empty' }

function filesOf(base: RepoView, { changes }: AppliedChanges): PatchReading['files'] {
  const existing = new Set(base.list())
  return changes.map((change) =>
    change.change === 'delete'
      ? { path: change.path, change: 'deleted', mode: null }
      : {
          path: change.path,
          change: existing.has(change.path) ? 'modified' : 'added',
          mode: change.mode,
        },
  )
}

/** A repository at a commit that shares nothing with the given one but its objects. */
async function borrow(root: string, commit: string): Promise<Borrowed> {
  const said = async (what: string): Promise<string> =>
    (await git(root, ['rev-parse', what])).toString('utf8').replace(/\n$/, '')
  return {
    objects: join(resolve(root, await said('--git-common-dir')), 'objects'),
    objectFormat: (await said('--show-object-format')) === 'sha256' ? 'sha256' : 'sha1',
    commit,
  }
}

async function judge(
  request: ReadPatchRequest,
  text: string,
  template: string,
  commit: string,
): Promise<PatchReading> {
  const { role } = request
  const base = await gitRepoView(template, commit)
  const { adapter, known } = adapterFor(request, base)
  const answer = readAnswer(text, null)
  const about = { role, language: known ? adapter.id : null, commit }
  const nothing = { files: [], cases: [], overCap: [], diff: '' }
  if (!isContent(answer)) {
    const { kind, reason, notes } = answer
    return { kind, reason, forfeit: kind, form: null, ...about, ...nothing, notes }
  }
  const outcome = await applyForRole({
    kind: role === 'submitter' ? 'patch' : 'tests',
    template,
    base,
    adapter,
    caps: Season.shape.caps.parse(undefined),
    content: answer,
  })
  const form = answer.kind
  const notes = [...answer.notes, ...outcome.notes]
  if (outcome.kind === 'rejected') {
    const { reason: forfeit, detail: reason } = outcome
    return { kind: KIND_OF[forfeit], reason, forfeit, form, ...about, ...nothing, notes }
  }
  const { changes, cases, overCap, applied: diff } = outcome
  const files = filesOf(base, changes)
  return { kind: 'patch', reason: null, forfeit: null, form, ...about, files, cases, overCap, notes, diff }
}

/**
 * Reads an answer and tries it on a commit, by the same functions as a round, with the caps of a season that states none.
 * Throws InputError for a file, repository, commit or language that cannot be used; the answer's own faults are values.
 */
export async function readPatch(request: ReadPatchRequest): Promise<PatchReading> {
  const { text, notes } = await readGiven(request.file)
  const { root, baseCommit } = await findBase(resolve(request.repo), 'commit', request.commit ?? 'HEAD')
  const reading = await withBorrowedRepository(await borrow(root, baseCommit), (template) =>
    judge(request, text, template, baseCommit),
  )
  return { ...reading, notes: [...notes, ...reading.notes] }
}
