import { z } from 'zod'
import { Digest, RepoPath } from './ids.ts'
import { AppliedChanges } from './tree.ts'

/** How a mutant was made of the golden patch. */
export const MutantOperator = z.enum([
  'negated-condition',
  'off-by-one',
  'removed-statement',
  'swapped-arguments',
  'reverted-hunk',
])
export type MutantOperator = z.infer<typeof MutantOperator>

/** A wrong patch: the golden one with one small change. */
export const Mutant = z.object({
  /** Of its changes: the same mutant is made but once. */
  id: Digest,
  operator: MutantOperator,
  path: RepoPath,
  /** 1-based, in the file as golden leaves it. */
  line: z.number().int().positive(),
  before: z.string(),
  after: z.string(),
  /** On the base commit. */
  changes: AppliedChanges,
})
export type Mutant = z.infer<typeof Mutant>
