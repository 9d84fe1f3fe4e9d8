import { readFile, realpath, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { LanguageAdapter } from '../../languages/adapter.ts'
import { languages } from '../../languages/index.ts'
import { openSyntax } from '../../languages/shared/syntax.ts'
import { createBlobCache } from '../context/blob-cache.ts'
import type { Corpus } from '../context/corpus.ts'
import { loadTokenizer } from '../context/count-tokens.ts'
import { cutFile } from '../context/cut.ts'
import { type Explanation, explainPath } from '../context/explain.ts'
import { openFolderCorpus } from '../context/folder-corpus.ts'
import { openGitCorpus } from '../context/git-corpus.ts'
import { createLaneOf } from '../context/lanes.ts'
import { rounded } from '../context/pack.ts'
import type { ScoreParts } from '../context/rank.ts'
import type { NamedReranker } from '../context/rerank-units.ts'
import { type Retrieved, retrieve } from '../context/retrieve.ts'
import { MOST_FILE_BYTES } from '../context/skip-reason.ts'
import { countHere, type IndexWork, indexVersion, openTreeIndex } from '../context/tree-index.ts'
import { InputError } from '../errors.ts'
import { digestOf } from '../schema/canonical.ts'
import type {
  ContextItem,
  ContextLane,
  ContextManifest,
  ContextVariant,
  Tokenizer,
} from '../schema/context.ts'
import type { LanguageId } from '../schema/language.ts'
import { runGit } from '../task/git.ts'
import { findBase } from './find-base.ts'
import { readWasm } from './read-wasm.ts'

export interface ContextQuestion {
  /** A local git repository, a folder in one, or a plain folder; never written. */
  readonly repo: string
  /** HEAD unless given; a plain folder has none. */
  readonly commit?: string | undefined
  /** File with the issue's text. */
  readonly issueFile: string
  readonly budgetTokens: number
  readonly lane: ContextLane
  readonly variant: ContextVariant
  readonly tokenizer: Tokenizer
  /** The task's language; found by each file's name when left out. */
  readonly language?: LanguageId | undefined
  /** A path to say of why it is in the pack or not. */
  readonly explain?: string | undefined
  readonly reranker?: NamedReranker | undefined
  /** Where indexes are kept. */
  readonly dataDir: string
  /** Milliseconds since 1970. */
  readonly now: () => number
  readonly signal?: AbortSignal | undefined
}

/** What a model would see of a repository, and why. */
export interface ContextAnswer {
  readonly ranking: readonly {
    readonly path: string
    readonly part: ContextItem['part']
    readonly score: number
    readonly parts: ScoreParts
  }[]
  readonly items: readonly ContextItem[]
  readonly manifest: ContextManifest
  readonly text: string
  readonly explanation: Explanation | null
  readonly work: IndexWork
  /** Sentences about what was not looked at. */
  readonly remarks: readonly string[]
}

/** Of the best ranked files, so many are told. */
const MOST_TOLD = 50

const NO_WORK: IndexWork = { counted: 0, reused: 0, spoiltBytes: 0, otherFiles: 0 }

async function readIssue(file: string): Promise<string> {
  const text = await readFile(file, 'utf8').catch((cause: unknown) => {
    throw new InputError('the issue cannot be read', { place: file, remedy: 'check the path', cause })
  })
  if (text.trim() === '') throw new InputError('the issue is empty', { place: file })
  return text
}

async function openCorpus(question: ContextQuestion): Promise<{ corpus: Corpus; root: string }> {
  const { repo, commit } = question
  const about = await stat(repo).catch(() => undefined)
  if (!about?.isDirectory()) throw new InputError('--repo: there is no such folder', { place: repo })
  const inGit = await runGit({ cwd: repo, args: ['rev-parse', '--is-bare-repository'] })
  if (inGit.exitCode !== 0) {
    if (commit !== undefined)
      throw new InputError('--commit: this is no git repository', { place: repo, remedy: 'leave it out' })
    return { corpus: await openFolderCorpus(repo, MOST_FILE_BYTES), root: repo }
  }
  const { root, baseCommit } = await findBase(repo, 'commit', commit ?? 'HEAD')
  return { corpus: await openGitCorpus(root, baseCommit), root }
}

/** One index a repository, whatever the commit. */
export async function indexFileOf(dataDir: string, root: string): Promise<string> {
  return join(dataDir, 'context', `${digestOf(await realpath(root)).slice(0, 24)}.idx`)
}

function remarksOf(corpus: Corpus, work: IndexWork, indexed: number): string[] {
  const counts = new Map<string, number>()
  for (const { reason } of corpus.leftOut) counts.set(reason, (counts.get(reason) ?? 0) + 1)
  return [
    ...[...counts].map(([reason, count]) => `not read: ${count} × ${reason}`),
    ...(indexed === 0
      ? [`none of the ${corpus.files.length} files is code that is indexed: the pack is empty`]
      : []),
    ...(work.spoiltBytes > 0
      ? [`the stored index was spoilt or of another version: ${work.spoiltBytes} bytes of it were made anew`]
      : []),
  ]
}

function answerOf(retrieved: Retrieved): Pick<ContextAnswer, 'ranking' | 'items' | 'manifest' | 'text'> {
  const { text, manifest } = retrieved
  const told = (['source', 'test'] as const).flatMap((part) =>
    retrieved.ranking.filter((file) => file.part === part).slice(0, MOST_TOLD),
  )
  const ranking = told.map(({ file, part, score, parts }) => ({
    path: file.path,
    part,
    score: rounded(score),
    parts: {
      content: rounded(parts.content),
      path: rounded(parts.path),
      definition: rounded(parts.definition),
      mention: rounded(parts.mention),
      window: rounded(parts.window),
    },
  }))
  return { ranking, items: manifest.items, manifest, text }
}

/** The issue alone: a pack of nothing, with its manifest. */
function nothing(question: ContextQuestion, issue: string, corpus: Corpus): Retrieved {
  const { lane, tokenizer, budgetTokens } = question
  const manifest: ContextManifest = {
    format: 1,
    variant: 'none',
    lane,
    base: { kind: corpus.kind, id: corpus.id },
    indexVersion,
    weights: '',
    query: digestOf(issue),
    tokenizer,
    budgetTokens,
    tokens: 0,
    items: [],
    rerank: { kind: 'none' },
    packSha256: digestOf(''),
  }
  return { text: '', manifest, ranking: [] }
}

async function answer(question: ContextQuestion, corpus: Corpus, root: string): Promise<ContextAnswer> {
  const { variant, tokenizer, language } = question
  const issue = await readIssue(question.issueFile)
  if (variant === 'none')
    return {
      ...answerOf(nothing(question, issue, corpus)),
      explanation: null,
      work: NO_WORK,
      remarks: ['the variant none shows no files'],
    }
  if (variant === 'whole-files')
    throw new InputError('--variant whole-files: it is for seasons of small tasks', { remedy: 'use ours' })
  const adapter: LanguageAdapter | undefined = language && languages[language]
  const laneOf = createLaneOf(adapter)
  const index = await openTreeIndex({
    corpus,
    laneOf,
    file: await indexFileOf(question.dataDir, root),
    countBlobs: countHere,
    now: question.now,
  })
  const syntax = await openSyntax(readWasm)
  const retrieved = await retrieve({
    ...question,
    index,
    blobs: createBlobCache(corpus),
    issue,
    variant,
    tokenizer,
    countTokens: await loadTokenizer(tokenizer),
    cut: async (file, bytes) => cutFile(syntax, file.outline, bytes),
  })
  const { explain } = question
  return {
    ...answerOf(retrieved),
    explanation: explain === undefined ? null : explainPath(explain, index, laneOf, retrieved),
    work: index.work,
    remarks: remarksOf(corpus, index.work, index.files.length),
  }
}

/**
 * Chooses what a model would see of a repository for an issue. Throws InputError for a folder, commit or file that cannot be
 * used, EnvironmentError when git or the disk fails.
 */
export async function retrieveContext(question: ContextQuestion): Promise<ContextAnswer> {
  const { corpus, root } = await openCorpus(question)
  try {
    return await answer(question, corpus, root)
  } finally {
    await corpus.close()
  }
}
