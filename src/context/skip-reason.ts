/** Why a file is in no index; the order is part of stored indexes. */
export const SKIP_REASONS = ['large', 'binary', 'lfs-pointer', 'minified'] as const
export type SkipReason = (typeof SKIP_REASONS)[number]

/** Larger files are data, or made by a tool. */
export const MOST_FILE_BYTES = 1_000_000

/** Where a NUL tells that a file is no text. */
const HEAD_BYTES = 8192

/** Bytes of a line, on average over the file, above which nobody wrote it. */
const MEAN_LINE_BYTES = 500

const LFS_HEAD = Buffer.from('version https://git-lfs.github.com/spec/')

const LINE_FEED = 10

/** Why a file with these bytes is not indexed; undefined when it is. */
export function skipReason(bytes: Buffer): SkipReason | undefined {
  if (bytes.length > MOST_FILE_BYTES) return 'large'
  if (bytes.subarray(0, HEAD_BYTES).includes(0)) return 'binary'
  if (bytes.length < 1024 && bytes.subarray(0, LFS_HEAD.length).equals(LFS_HEAD)) return 'lfs-pointer'
  if (bytes.length <= MEAN_LINE_BYTES) return undefined
  // Enough lines end the counting: most files need only their beginning.
  let needed = bytes.length / MEAN_LINE_BYTES
  for (let at = bytes.indexOf(LINE_FEED); at >= 0; at = bytes.indexOf(LINE_FEED, at + 1))
    if (--needed <= 0) return undefined
  return needed > 1 ? 'minified' : undefined
}
