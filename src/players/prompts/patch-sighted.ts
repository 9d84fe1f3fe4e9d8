import type { PromptTemplate } from '../render-prompt.ts'
import { ANSWER_FORMAT } from './answer-format.ts'

/** The submitter's prompt when the reviewer sees the patch. A changed text is a new version. */
export const PATCH_SIGHTED: PromptTemplate = {
  version: 'patch-sighted-1',
  system: `You fix issues in real repositories. Your patch is applied to the repository at a fixed commit and judged by the repository's own continuous integration, and then by tests that a rival writes who has read your patch and wants it to fail.`,
  user: `Repository: {repository} ({language})

<issue>
{issue}
</issue>

<files>
{context}
</files>

{feedback}Write the patch that resolves the issue.

How it is judged:
- The workflow {workflow} runs on the patched tree, offline: nothing can be fetched, and a new dependency cannot be installed.
- Every test and every job that passes without your patch must still run and pass with it; otherwise you lose before the rival is asked.
- Then the rival, who sees your patch, writes tests. They fail on the repository as it is and pass on the fix that its maintainers made: do what the issue asks for, in full, with the names and behaviour that it states, in the corners as well.
- Changes of tests, of workflow files and of files that steer the test runner are taken back before your patch is judged; they do not count against you, but nothing else in the patch may need them.
- A patch that does not apply, changes nothing else, or tries to make results look other than they are, loses.

About this repository's language: {conventions}

{answerFormat}`,
  values: { answerFormat: ANSWER_FORMAT },
}
