/** What a diff may weigh. Far above any human fix; below what would hurt the machine. */
export const PATCH_LIMITS = {
  /** Bytes of the diff as given. */
  diffBytes: 4 * 1024 * 1024,
  /** Files that one diff may name. */
  files: 300,
  /** Hunks of one diff. */
  hunks: 2000,
  /** Bytes that one `GIT binary patch` may unpack to. */
  binaryBytes: 1024 * 1024,
  /** Bytes of one file after the change. */
  fileBytes: 8 * 1024 * 1024,
  /** Bytes of all changed files together. */
  totalBytes: 32 * 1024 * 1024,
} as const
