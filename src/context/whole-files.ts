import type { LanguageAdapter } from '../../languages/adapter.ts'
import type { RepoView } from '../schema/tree.ts'

/** Bytes a token, at least, for any tokenizer in use: the safe bound when the model's own is not known. */
const BYTES_PER_TOKEN = 3.3

export interface ContextRequest {
  readonly base: RepoView
  readonly adapter: Pick<LanguageAdapter, 'classify'>
  /** Submitters get sources first, reviewers tests first. */
  readonly lane: 'submitter' | 'reviewer'
  readonly budgetTokens: number
}

const isText = (bytes: Buffer): boolean => !bytes.subarray(0, 8192).includes(0)

/**
 * The variant `whole-files`: whole files with line numbers, those of the role's lane first, in path order, as long as they
 * fit the budget. Enough for a small repository; ranking a large one is another variant's work. The same base commit,
 * lane and budget give the same bytes.
 */
export function packWholeFiles(request: ContextRequest): string {
  const first = request.lane === 'submitter' ? 'source' : 'test'
  const paths = request.base
    .list()
    .filter((path) => ['source', 'test'].includes(request.adapter.classify(path)))
  const ordered = [
    ...paths.filter((path) => request.adapter.classify(path) === first),
    ...paths.filter((path) => request.adapter.classify(path) !== first),
  ]
  const parts: string[] = []
  const left: string[] = []
  let budgetBytes = request.budgetTokens * BYTES_PER_TOKEN
  for (const path of ordered) {
    const bytes = request.base.read(path)
    if (!bytes || !isText(bytes)) continue
    const lines = bytes.toString('utf8').replace(/\n$/, '').split('\n')
    const part = `### ${path}\n${lines.map((line, index) => `${index + 1}\t${line}`).join('\n')}\n`
    const size = Buffer.byteLength(part)
    if (size > budgetBytes) {
      left.push(path)
      continue
    }
    budgetBytes -= size
    parts.push(part)
  }
  if (left.length > 0) parts.push(`### Not shown\n${left.slice(0, 100).join('\n')}\n`)
  return parts.join('\n')
}
