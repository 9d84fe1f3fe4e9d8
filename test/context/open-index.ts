import { join } from 'node:path'
import { openSyntax } from '../../languages/shared/syntax.ts'
import { readWasm } from '../../src/arena/read-wasm.ts'
import { createBlobCache } from '../../src/context/blob-cache.ts'
import type { Corpus } from '../../src/context/corpus.ts'
import { loadTokenizer } from '../../src/context/count-tokens.ts'
import { cutFile } from '../../src/context/cut.ts'
import { createLaneOf } from '../../src/context/lanes.ts'
import { type Retrieved, type RetrieveRequest, retrieve } from '../../src/context/retrieve.ts'
import { countHere, openTreeIndex, type TreeIndex } from '../../src/context/tree-index.ts'

const syntax = openSyntax(readWasm)

export const laneOf = createLaneOf(undefined)

/** Indexes a tree with its stored index in `folder`. */
export const indexIn = (folder: string, corpus: Corpus): Promise<TreeIndex> =>
  openTreeIndex({
    corpus,
    laneOf,
    file: join(folder, 'kept', 'index.idx'),
    countBlobs: countHere,
    now: Date.now,
  })

/** What a submitter is shown of an indexed tree, unless `more` says otherwise. */
export const retrieveFrom = async (
  index: TreeIndex,
  issue: string,
  more: Partial<RetrieveRequest> = {},
): Promise<Retrieved> =>
  retrieve({
    index,
    blobs: createBlobCache(index.corpus),
    issue,
    lane: 'submitter',
    variant: 'ours',
    budgetTokens: 2000,
    tokenizer: 'bytes',
    countTokens: await loadTokenizer('bytes'),
    cut: async (file, bytes) => cutFile(await syntax, file.outline, bytes),
    ...more,
  })
