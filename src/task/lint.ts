import type { LanguageAdapter } from '../../languages/adapter.ts'
import type { LintFinding, LintProfile } from '../schema/lint.ts'
import type { PreparedTask } from '../schema/prepared.ts'
import type { AppliedChanges, FileChange, RepoView } from '../schema/tree.ts'

/** Characters of a statement: long reports with logs are real. */
const STATEMENT = { least: 30, most: 30_000 }
const STATEMENT_OF_PAPER = { least: 30, most: 3_000 }
/** Changed lines that are more than space, comment or bracket. */
const LEAST_LINES = 3
/** Filters of the paper. */
const MOST_FILES = 5
const PATCH_CHARACTERS = { least: 50, most: 200_000 }
/** A line of the fix that is as long as this and new to the repository is no chance find in an issue. */
const TELLING_CHARACTERS = 40

/** Lines of a file that another version of it does not have, each as often as it has more of it. */
interface LineChange {
  readonly path: string
  readonly added: readonly string[]
  readonly removed: readonly string[]
}

/**
 * What is wrong with a task as far as its files tell. Pure. `profile`: whose rules. Findings come in the order of the rules,
 * errors and warnings mixed.
 */
export function lintTask(
  task: PreparedTask,
  adapter: LanguageAdapter,
  profile: LintProfile = 'arena',
): readonly LintFinding[] {
  const { base, golden, upstreamTests, loaded } = task
  const fix = golden === null ? [] : lineChanges(base, golden)
  return [
    ...lintStatement(loaded.statements.original, fix, base, profile),
    ...(golden === null ? [] : lintFix(fix, golden, adapter, profile)),
    ...(golden === null ? [] : lintSize(loaded.goldenPatch, profile)),
    ...(golden === null ? [] : lintTests(upstreamTests, base, adapter)),
    ...(loaded.task.licence === undefined && profile === 'arena'
      ? [
          warning(
            'licence-missing',
            'no licence is noted',
            'set licence in task.json to the repository’s SPDX id',
          ),
        ]
      : []),
  ]
}

const error = (code: LintFinding['code'], message: string, remedy: string): LintFinding => ({
  ...{ code, severity: 'error', message, remedy },
})
const warning = (code: LintFinding['code'], message: string, remedy: string): LintFinding => ({
  ...{ code, severity: 'warning', message, remedy },
})

const IMAGE = /!\[[^\]]*\]\([^)]*\)|<img\b[^>]*>/gi
const LINK = /\[([^\]]*)\]\([^)]*\)|https?:\/\/\S+/gi

function lintStatement(
  text: string,
  fix: readonly LineChange[],
  base: RepoView,
  profile: LintProfile,
): LintFinding[] {
  const rewrite = 'give the issue as its author wrote it, as statements.original'
  const { least, most } = profile === 'swingarena' ? STATEMENT_OF_PAPER : STATEMENT
  const length = [...text.trim()].length
  const own = text.replace(IMAGE, ' ').replace(LINK, ' ')
  const findings: LintFinding[] = []
  if (length === 0) return [error('statement-empty', 'the issue says nothing', rewrite)]
  if (length < least)
    findings.push(
      error('statement-short', `the issue has ${length} characters; ${least} are the least`, rewrite),
    )
  if (length > most)
    findings.push(
      error('statement-long', `the issue has ${length} characters; ${most} are the most`, rewrite),
    )
  if (length >= least && (own.match(/\p{L}/gu) ?? []).length < least)
    findings.push(
      error(
        'statement-only-links',
        'the issue is only links or pictures',
        'leave the task out: players see text alone',
      ),
    )
  if (profile === 'swingarena' && text.match(IMAGE))
    findings.push(error('statement-has-images', 'the issue shows a picture', 'leave the task out'))
  if (/^(diff --git |--- a\/|\+\+\+ b\/|@@ -\d+(,\d+)? \+\d+)/m.test(text))
    findings.push(
      error('statement-has-diff', 'the issue contains a diff', 'cut what was written after the fix'),
    )
  const leaked = leakedLine(text, fix, base)
  if (leaked !== undefined)
    findings.push(
      error(
        'statement-leaks-fix',
        `the issue contains the fix: ${leaked}`,
        'cut what was written after the fix',
      ),
    )
  return findings
}

/** A line that the fix adds, that base does not have, and that the text contains: a long one, or two in a row. */
function leakedLine(text: string, fix: readonly LineChange[], base: RepoView): string | undefined {
  const said = new Set(text.split('\n').map(squeezed))
  const whole = squeezed(text)
  for (const { path, added } of fix) {
    const known = new Set((base.read(path)?.toString('utf8') ?? '').split('\n').map(squeezed))
    const fresh = added.map(squeezed).filter((line) => isMeaningful(line) && !known.has(line))
    for (const [index, line] of fresh.entries()) {
      if (line.length >= TELLING_CHARACTERS && whole.includes(line)) return line
      const next = fresh[index + 1]
      if (
        next !== undefined &&
        line.length + next.length >= TELLING_CHARACTERS / 2 &&
        said.has(line) &&
        said.has(next)
      )
        return line
    }
  }
  return undefined
}

const squeezed = (line: string): string => line.trim().replace(/\s+/g, ' ')

/** More than space, brackets, or a comment. */
const isMeaningful = (line: string): boolean =>
  /[\p{L}\p{N}]/u.test(line) && !/^\s*(\/\/|#(?!include|define|if|endif)|\/?\*|--|<!--)/.test(line)

function lintFix(
  fix: readonly LineChange[],
  golden: AppliedChanges,
  adapter: LanguageAdapter,
  profile: LintProfile,
): LintFinding[] {
  const findings: LintFinding[] = []
  const of = (wanted: ReturnType<LanguageAdapter['classify']>): readonly string[] =>
    golden.changes.map(({ path }) => path).filter((path) => adapter.classify(path) === wanted)
  const control = [...of('workflow'), ...of('runner-control')]
  if (control.length > 0)
    findings.push(
      error('fix-edits-ci', `the fix changes what judges it: ${control.join(', ')}`, 'leave the task out'),
    )
  const sources = of('source')
  if (sources.length === 0)
    findings.push(
      error(
        'fix-other-language',
        `the fix changes no ${adapter.label} source: ${golden.changes.map(({ path }) => path).join(', ')}`,
        'leave the task out, or set its language',
      ),
    )
  const tests = of('test')
  if (tests.length > 0)
    findings.push(
      warning('fix-holds-tests', `the fix changes tests: ${tests.join(', ')}`, 'move them to testPatch'),
    )
  const lines = fix
    .filter(({ path }) => sources.includes(path))
    .flatMap(({ added, removed }) => (profile === 'swingarena' ? added : [...added, ...removed]))
    .filter(isMeaningful)
  if (sources.length > 0 && lines.length < LEAST_LINES)
    findings.push(
      error(
        'fix-small',
        `the fix changes ${lines.length} lines; ${LEAST_LINES} are the least`,
        'leave the task out',
      ),
    )
  if (profile === 'swingarena' && golden.changes.length > MOST_FILES)
    findings.push(
      error(
        'fix-many-files',
        `the fix changes ${golden.changes.length} files; ${MOST_FILES} are the most`,
        'leave the task out',
      ),
    )
  return findings
}

function lintSize(patch: Buffer | null, profile: LintProfile): LintFinding[] {
  const length = patch?.toString('utf8').length ?? 0
  const { least, most } = PATCH_CHARACTERS
  return profile === 'swingarena' && (length < least || length > most)
    ? [
        error(
          'fix-size',
          `the golden patch has ${length} characters, not ${least} to ${most}`,
          'leave the task out',
        ),
      ]
    : []
}

/** A host that answers only over a network; names that are reserved for documents are none. */
const HOST =
  /https?:\/\/(?!localhost\b|127\.|0\.0\.0\.0|\[::1\]|(?:[\w-]+\.)*(?:example(?:\.com|\.org|\.net)?|invalid|test)\b)[\w.-]+\.\w+/i

function lintTests(tests: AppliedChanges | null, base: RepoView, adapter: LanguageAdapter): LintFinding[] {
  const changes = tests?.changes ?? []
  const written = changes.filter(
    (change) => change.change === 'write' && adapter.classify(change.path) === 'test',
  )
  if (tests === null || written.length === 0)
    return [
      error('tests-empty', 'the test patch holds no test file', 'give the tests that came with the fix'),
    ]
  const sources = changes.map(({ path }) => path).filter((path) => adapter.classify(path) === 'source')
  const hosts = lineChanges(base, tests).flatMap(({ added }) =>
    added.flatMap((line) => HOST.exec(line)?.[0] ?? []),
  )
  return [
    ...(sources.length > 0
      ? [
          error(
            'tests-edit-source',
            `the test patch changes sources: ${sources.join(', ')}`,
            'move them to goldenPatch',
          ),
        ]
      : []),
    ...(hosts.length > 0
      ? [
          warning(
            'tests-name-hosts',
            `the tests name ${[...new Set(hosts)].slice(0, 3).join(', ')}; nothing outside the sandbox answers them`,
            'arena task verify tells whether they need it',
          ),
        ]
      : []),
  ]
}

function lineChanges(base: RepoView, changes: AppliedChanges): readonly LineChange[] {
  return changes.changes.map((change) => {
    const before = linesOf(base.read(change.path))
    const after = change.change === 'delete' ? [] : linesOf(contentOf(change))
    return { path: change.path, added: without(after, before), removed: without(before, after) }
  })
}

const contentOf = (change: Extract<FileChange, { change: 'write' }>): Buffer =>
  Buffer.from(change.contentBase64, 'base64')

/** None of a binary file. */
function linesOf(bytes: Buffer | undefined): readonly string[] {
  if (bytes === undefined || bytes.includes(0)) return []
  return bytes.toString('utf8').split('\n')
}

/** The lines of one that the other does not have, in order. */
function without(lines: readonly string[], others: readonly string[]): readonly string[] {
  const left = new Map<string, number>()
  for (const line of others) left.set(line, (left.get(line) ?? 0) + 1)
  return lines.filter((line) => {
    const count = left.get(line) ?? 0
    if (count > 0) left.set(line, count - 1)
    return count === 0
  })
}
