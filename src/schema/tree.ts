import { z } from 'zod'
import { Digest, RepoPath } from './ids.ts'

/** One file that differs from the base commit. Bytes are whole files, never hunks. */
export const FileChange = z.discriminatedUnion('change', [
  z.object({
    change: z.literal('write'),
    path: RepoPath,
    /** 100644, 100755, or 120000 for a symlink whose target is the content. */
    mode: z.enum(['100644', '100755', '120000']),
    /** Base64, since a patch may carry any bytes. */
    contentBase64: z.string(),
  }),
  z.object({ change: z.literal('delete'), path: RepoPath }),
])
export type FileChange = z.infer<typeof FileChange>

/** A patch or a test set after it was read, cleaned by the path policy and applied on the base commit. */
export const AppliedChanges = z.object({
  /** Digest of the sorted changes: two patches with the same effect are the same tree. */
  digest: Digest,
  changes: z.array(FileChange),
})
export type AppliedChanges = z.infer<typeof AppliedChanges>

/** What the path policy or the reader did, in words for the verdict page. */
export const PatchNote = z.object({
  action: z.enum(['normalised', 'stripped', 'refused', 'cut']),
  path: z.string(),
  reason: z.string(),
})
export type PatchNote = z.infer<typeof PatchNote>

/** A read-only look at one tree's files, from git objects and changes: never from a folder that a candidate can write. */
export interface RepoView {
  /** Every file path, sorted by code units; no folders, no submodules. */
  list(): readonly string[]
  /** The file's bytes, undefined when there is no such file. */
  read(path: string): Buffer | undefined
}
