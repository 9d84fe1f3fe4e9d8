import type { LanguageAdapter } from '../../languages/adapter.ts'
import type { RepoView } from '../schema/tree.ts'
import { git } from './git.ts'

/** Why a commit makes no task. */
export type SplitLoss = 'edits-ci' | 'no-source' | 'no-tests' | 'tests-inside-sources' | 'too-large'

export type Split =
  | { readonly kind: 'split'; readonly golden: Buffer; readonly tests: Buffer }
  | { readonly kind: 'loss'; readonly loss: SplitLoss; readonly detail: string }

export interface SplitRequest {
  readonly repo: string
  readonly base: string
  readonly commit: string
  readonly adapter: LanguageAdapter
  readonly before: RepoView
  readonly after: RepoView
}

/** Bytes of either patch. */
const PATCH_BYTES = 1_000_000

const loss = (kind: SplitLoss, detail: string): Split => ({ kind: 'loss', loss: kind, detail })

/**
 * Splits what a commit changes into golden patch and test patch by the language's test conventions: test files make the test
 * patch, everything else the golden patch. Test items inside source files stay as they are at base; where only such items
 * test the change, it makes no task.
 */
export async function splitChange(request: SplitRequest): Promise<Split> {
  const { repo, base, commit, adapter } = request
  const range = ['--no-renames', '--no-color', '--no-ext-diff', '--no-textconv', base, commit]
  const listed = await git(repo, ['diff', '--name-only', '-z', ...range])
  const paths = listed.toString('utf8').split('\0').filter(Boolean)
  const of = (...classes: readonly string[]): readonly string[] =>
    paths.filter((path) => classes.includes(adapter.classify(path)))
  const control = of('workflow', 'runner-control')
  if (control.length > 0) return loss('edits-ci', control.join(', '))
  if (of('source').length === 0) return loss('no-source', paths.slice(0, 5).join(', '))
  const inside = of('source').filter((path) => holdsOtherTests(request, path))
  if (inside.length > 0) return loss('tests-inside-sources', inside.join(', '))
  const tests = of('test')
  const rest = paths.filter((path) => !tests.includes(path))
  if (!tests.some((path) => request.after.read(path) !== undefined)) return loss('no-tests', '')
  const diffOf = (only: readonly string[]): Promise<Buffer> =>
    git(repo, [
      'diff',
      '--binary',
      '--full-index',
      ...range,
      '--',
      ...only.map((path) => `:(literal)${path}`),
    ])
  const [golden, testPatch] = await Promise.all([diffOf(rest), diffOf(tests)])
  const bytes = Math.max(golden.length, testPatch.length)
  if (bytes > PATCH_BYTES) return loss('too-large', `${bytes} bytes`)
  return { kind: 'split', golden, tests: testPatch }
}

/** Whether the commit changes test items that stand in a source file. */
function holdsOtherTests({ adapter, before, after }: SplitRequest, path: string): boolean {
  const text = after.read(path)?.toString('utf8')
  if (text === undefined) return false
  return adapter.withTestsOfBase(path, text, before.read(path)?.toString('utf8')) !== text
}
