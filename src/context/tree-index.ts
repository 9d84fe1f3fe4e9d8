import type { Outline } from '../../languages/outline.ts'
import { outlineOf, outlines } from '../../languages/outlines.ts'
import { digestOfValue } from '../schema/canonical.ts'
import type { Corpus } from './corpus.ts'
import type { ForwardVectors, VectorPlace } from './forward-vectors.ts'
import { appendIndexFile, type LoadedIndex, readIndexFile } from './index-file.ts'
import type { Lane } from './lanes.ts'
import { buildPostings, type Postings } from './postings.ts'
import { MOST_FILE_BYTES, skipReason } from './skip-reason.ts'
import { TermCounter } from './term-counter.ts'

/** Any change of how terms are made is a new number: stored indexes of another one are not read. */
const TERMS_VERSION = 1

/** The version that a stored index carries: how terms are made, and which words define. */
export const indexVersion: string = digestOfValue({ TERMS_VERSION, outlines }).slice(0, 16)

export interface IndexedFile {
  readonly path: string
  readonly blob: string
  readonly lane: Exclude<Lane, 'other'>
  readonly outline: Outline
  readonly place: VectorPlace
}

/** A blob that has to be counted. */
export interface MissingBlob {
  readonly key: string
  readonly blob: string
  readonly outline: Outline
}

/** Counts blobs into vectors; may do so in other threads. */
export type CountBlobs = (
  corpus: Corpus,
  missing: readonly MissingBlob[],
  vectors: ForwardVectors,
) => Promise<void>

/** What an opening did, for reports. */
export interface IndexWork {
  /** Blobs that were counted now, and that were there already. */
  readonly counted: number
  readonly reused: number
  /** Bytes of a stored index that could not be used. */
  readonly spoiltBytes: number
  /** Files of the tree that are no code of the project: documentation, data, vendored code. */
  readonly otherFiles: number
}

/** The index of one tree: its code files, numbered by path, and their postings. */
export interface TreeIndex {
  readonly corpus: Corpus
  readonly files: readonly IndexedFile[]
  readonly vectors: ForwardVectors
  readonly content: Postings
  readonly paths: Postings
  /** Counts texts in the terms of this index. */
  readonly counter: TermCounter
  readonly work: IndexWork
}

export interface TreeIndexRequest {
  readonly corpus: Corpus
  readonly laneOf: (path: string) => Lane
  readonly loaded: LoadedIndex
  readonly countBlobs: CountBlobs
}

/** Counts in this thread. */
export const countHere: CountBlobs = async (corpus, missing, vectors) => {
  const counter = new TermCounter(vectors.terms, outlines)
  let next = 0
  await corpus.read(
    missing.map(({ blob }) => blob),
    MOST_FILE_BYTES,
    (_blob, bytes) => {
      const { key, outline } = missing[next++] as MissingBlob
      const skipped = bytes ? skipReason(bytes) : 'large'
      if (skipped) vectors.addSkipped(key, skipped)
      else if (bytes) vectors.add(key, counter.count(bytes, 0, bytes.length, outline))
    },
  )
}

/** A path's own terms are kept beside those of the blobs; the name of the file counts twice. */
function countPaths(paths: readonly string[], vectors: ForwardVectors, counter: TermCounter): VectorPlace[] {
  return paths.map((path) => {
    const key = `path ${path}`
    if (!vectors.has(key)) {
      const bytes = Buffer.from(`${path} ${path.slice(path.lastIndexOf('/') + 1)}`)
      vectors.add(key, counter.count(bytes, 0, bytes.length))
    }
    return vectors.find(key) as VectorPlace
  })
}

/** Indexes a tree: counts what is not yet counted, and sorts all into postings. */
export async function indexTree(request: TreeIndexRequest): Promise<TreeIndex> {
  const { corpus, loaded } = request
  const { vectors } = loaded
  const listed = corpus.files.flatMap(({ path, blob }) => {
    const lane = request.laneOf(path)
    const outline = outlineOf(path)
    return lane === 'other' || !outline ? [] : [{ path, blob, lane, outline, key: `${outline.id} ${blob}` }]
  })
  const missing = new Map<string, MissingBlob>()
  for (const { key, blob, outline } of listed) if (!vectors.has(key)) missing.set(key, { key, blob, outline })
  await request.countBlobs(corpus, [...missing.values()], vectors)
  const counter = new TermCounter(vectors.terms, outlines)
  const paths = countPaths(
    listed.map(({ path }) => path),
    vectors,
    counter,
  )
  const files = listed.map(({ key, ...file }) => ({ ...file, place: vectors.find(key) as VectorPlace }))
  return {
    corpus,
    files,
    vectors,
    content: buildPostings(
      vectors,
      files.map(({ place }) => place),
    ),
    paths: buildPostings(vectors, paths),
    counter,
    work: {
      counted: missing.size,
      reused: new Set(listed.map(({ key }) => key)).size - missing.size,
      spoiltBytes: loaded.state.spoiltBytes,
      otherFiles: corpus.files.length - files.length,
    },
  }
}

export interface StoredIndexRequest {
  readonly corpus: Corpus
  readonly laneOf: (path: string) => Lane
  /** Where the index is kept. */
  readonly file: string
  readonly countBlobs: CountBlobs
  /** Milliseconds since 1970. */
  readonly now: () => number
}

/** Indexes a tree on top of what is stored, and stores what is new. */
export async function openTreeIndex(request: StoredIndexRequest): Promise<TreeIndex> {
  const loaded = await readIndexFile(request.file, indexVersion)
  const index = await indexTree({ ...request, loaded })
  if (loaded.vectors.size > loaded.state.entries)
    await appendIndexFile(request.file, indexVersion, loaded, request.now)
  return index
}
