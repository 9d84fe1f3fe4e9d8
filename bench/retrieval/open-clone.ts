import { existsSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { openSyntax } from '../../languages/shared/syntax.ts'
import { readWasm } from '../../src/arena/read-wasm.ts'
import { type BlobCache, createBlobCache } from '../../src/context/blob-cache.ts'
import { type Chunk, cutFile } from '../../src/context/cut.ts'
import type { ForwardVectors } from '../../src/context/forward-vectors.ts'
import { openGitCorpus } from '../../src/context/git-corpus.ts'
import { readIndexFile } from '../../src/context/index-file.ts'
import { createLaneOf } from '../../src/context/lanes.ts'
import type { CutFile } from '../../src/context/make-units.ts'
import { countHere, indexTree, indexVersion, type TreeIndex } from '../../src/context/tree-index.ts'

export const laneOf = createLaneOf(undefined)

/** A clone's name for tables: `owner+name` of a folder above where there is one, else the folder's own. */
export function nameOf(clone: string): string {
  const path = resolve(clone)
  const parts = [basename(path), basename(dirname(path))]
  const named = parts.find((part) => part.includes('+'))
  return (named?.split('+')[1] ?? parts[0] ?? clone).replace(/\.git$/, '')
}

/** Cuts once a blob, whatever the commit. */
export async function cachedCut(): Promise<CutFile> {
  const syntax = await openSyntax(readWasm)
  const cuts = new Map<string, readonly Chunk[]>()
  return async (file, bytes) => {
    const known = cuts.get(file.blob)
    if (known) return known
    const made = await cutFile(syntax, file.outline, bytes)
    cuts.set(file.blob, made)
    return made
  }
}

/** Indexes one commit after the other on the same vectors, in memory. */
export async function indexer(clone: string): Promise<{
  readonly vectors: ForwardVectors
  at<T>(commit: string, use: (index: TreeIndex, blobs: BlobCache) => Promise<T>): Promise<T>
}> {
  const loaded = await readIndexFile(join(clone, 'there-is-no-such-file'), indexVersion)
  return {
    vectors: loaded.vectors,
    async at(commit, use) {
      const corpus = await openGitCorpus(clone, commit)
      try {
        const index = await indexTree({ corpus, laneOf, loaded, countBlobs: countHere })
        return await use(index, createBlobCache(corpus))
      } finally {
        await corpus.close()
      }
    },
  }
}

/** Throws where an argument is no folder. */
export function checkClones(clones: readonly string[]): void {
  if (clones.length === 0) throw new Error('name at least one clone')
  for (const clone of clones) if (!existsSync(clone)) throw new Error(`${clone}: there is no such folder`)
}

export const mean = (values: readonly number[]): number =>
  values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length

export function percentile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0
}
