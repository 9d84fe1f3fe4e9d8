import { z } from 'zod'
import { parseInput, parseJson } from '../schema/parse.ts'
import { VerdictKind } from '../schema/verdict.ts'

/** `examples/expected.json`: task → submitter → reviewer → the verdict that the round must end in. */
const Expected = z.record(z.string(), z.record(z.string(), z.record(z.string(), VerdictKind)))
export type Expected = z.infer<typeof Expected>

export const parseExpected = (text: string, place: string): Expected =>
  parseInput(Expected, parseJson(text, place), place)

/** Undefined when the table does not speak of these two. */
export const expectedVerdict = (
  expected: Expected,
  task: string,
  submitter: string,
  reviewer: string,
): VerdictKind | undefined => expected[task]?.[submitter]?.[reviewer]
