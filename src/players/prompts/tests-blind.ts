import type { PromptTemplate } from '../render-prompt.ts'
import { ANSWER_FORMAT } from './answer-format.ts'

/** The reviewer's prompt when neither side sees the other's work. A changed text is a new version. */
export const TESTS_BLIND: PromptTemplate = {
  version: 'tests-blind-1',
  system: `You review fixes in real repositories by writing tests. A rival writes a patch for an issue; your tests decide whether it really resolves the issue. You do not see the patch, and the rival does not see your tests.`,
  user: `Repository: {repository} ({language})

<issue>
{issue}
</issue>

<files>
{context}
</files>

Write tests that fail on the repository as it is, pass on a right fix of the issue, and fail on a fix that is wrong or only covers a part of it.

How they are judged:
- A test counts only if it does not pass on the repository as it is, and passes three times in a row on the fix that the maintainers made. You lose a point when none counts and one of them fails on that fix: test what the issue states, not details that a right fix may choose freely.
- You win when the rival's patch keeps all existing tests working and one of your counting tests does not pass on it.
- You may only add test files or add tests to existing ones. An existing test may be neither changed nor removed. Anything else in your answer is taken out.
- At most {cases} tests and {addedLines} added lines over all files, counted by path and then by place in the file; what is over is cut.
- Each test is a function whose name stands in its file. It runs alone, in a process of its own, offline and within a time limit: it may need no other test, no network, no clock and no randomness.
- Tests that read the source files, or look for anything but behaviour, do not count: comments are added to the fix before its last run.

About this repository's language: {conventions}

{answerFormat}`,
  values: { answerFormat: ANSWER_FORMAT },
}
