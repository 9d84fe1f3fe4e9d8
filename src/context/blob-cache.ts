import type { Corpus } from './corpus.ts'
import { MOST_FILE_BYTES } from './skip-reason.ts'

/** Bytes of files that are kept between queries. */
const MOST_KEPT_BYTES = 64 * 2 ** 20

/** Files' bytes, read when asked for and kept as long as there is room; the oldest go first. */
export interface BlobCache {
  /** The blobs in the order given; a blob that cannot be read is empty. */
  get(blobs: readonly string[]): Promise<readonly Buffer[]>
}

export function createBlobCache(corpus: Pick<Corpus, 'read'>): BlobCache {
  const kept = new Map<string, Buffer>()
  let keptBytes = 0
  return {
    async get(blobs) {
      const found = new Map<string, Buffer>()
      for (const blob of blobs) {
        const bytes = kept.get(blob)
        if (bytes) found.set(blob, bytes)
      }
      const missing = [...new Set(blobs)].filter((blob) => !found.has(blob))
      await corpus.read(missing, MOST_FILE_BYTES, (blob, bytes = Buffer.alloc(0)) => {
        found.set(blob, bytes)
        kept.set(blob, bytes)
        keptBytes += bytes.length
      })
      for (const [blob, bytes] of kept) {
        if (keptBytes <= MOST_KEPT_BYTES) break
        kept.delete(blob)
        keptBytes -= bytes.length
      }
      return blobs.map((blob) => found.get(blob) ?? Buffer.alloc(0))
    },
  }
}
