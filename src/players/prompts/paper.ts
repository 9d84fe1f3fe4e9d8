import type { PromptTemplate } from '../render-prompt.ts'
import { PATCH_SIGHTED } from './patch-sighted.ts'
import { TESTS_SIGHTED } from './tests-sighted.ts'

const TEN_ROUNDS =
  ' You play ten rounds on the same issue, five in each role. After a round you are told what came of your part in it.'

/** The submitter's prompt in the paper's protocol: the sighted one, with what CI said of the rounds before. */
export const PATCH_PAPER: PromptTemplate = {
  ...PATCH_SIGHTED,
  version: 'patch-paper-1',
  system: PATCH_SIGHTED.system + TEN_ROUNDS,
}

/** The reviewer's prompt in the paper's protocol, with hints on what the patch changed most. */
export const TESTS_PAPER: PromptTemplate = {
  ...TESTS_SIGHTED,
  version: 'tests-paper-1',
  system: TESTS_SIGHTED.system + TEN_ROUNDS,
}
