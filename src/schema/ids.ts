import { z } from 'zod'

/** SHA-256 in lower-case hex: the name of every content-addressed thing. */
export const Digest = z
  .string()
  .regex(/^[0-9a-f]{64}$/, 'expected a SHA-256 in lower-case hex')
  .brand<'Digest'>()
export type Digest = z.infer<typeof Digest>

/** A git object id (SHA-1, or SHA-256 in repositories that use it). */
export const CommitId = z.string().regex(/^([0-9a-f]{40}|[0-9a-f]{64})$/, 'expected a full git commit id')

/** Names in files and URLs: lower-case letters, digits, dots, dashes, underscores. */
export const Slug = z
  .string()
  .max(100)
  .regex(/^[a-z0-9][a-z0-9._-]*$/, 'expected lower-case letters, digits, dots, dashes or underscores')

/** `competitor` or `competitor@version`: what is rated. */
export const CompetitorId = z
  .string()
  .max(140)
  .regex(/^[a-z0-9][a-z0-9._-]*(@[a-z0-9._-]+)?$/, 'expected name or name@version')
  .brand<'CompetitorId'>()
export type CompetitorId = z.infer<typeof CompetitorId>

/** A path inside a repository: relative, forward slashes, never `..`, never `.git`. */
export const RepoPath = z
  .string()
  .min(1)
  .max(4096)
  .refine(
    (path) =>
      !path.startsWith('/') &&
      !path.includes('\0') &&
      path
        .split('/')
        .every((part) => part !== '' && part !== '.' && part !== '..' && part.toLowerCase() !== '.git'),
    'expected a relative path inside the repository',
  )
