import { z } from 'zod'

/** What may be wrong with a task, by what can be seen without running it. */
export const LintCode = z.enum([
  'unreadable',
  'statement-empty',
  'statement-short',
  'statement-long',
  'statement-only-links',
  'statement-has-diff',
  'statement-leaks-fix',
  'statement-has-images',
  'fix-edits-ci',
  'fix-other-language',
  'fix-small',
  'fix-holds-tests',
  'fix-many-files',
  'fix-size',
  'tests-empty',
  'tests-edit-source',
  'tests-name-hosts',
  'licence-missing',
  'not-verified',
])
export type LintCode = z.infer<typeof LintCode>

export const LintFinding = z.object({
  code: LintCode,
  /** A task with an error is not fit to be played. */
  severity: z.enum(['error', 'warning']),
  message: z.string(),
  remedy: z.string(),
})
export type LintFinding = z.infer<typeof LintFinding>

/** `arena`: the arena's own rules. `swingarena`: the filters that the paper states (arXiv:2505.23932, data construction). */
export const LintProfile = z.enum(['arena', 'swingarena'])
export type LintProfile = z.infer<typeof LintProfile>
