import { z } from 'zod'
import { parseInput, parseJson } from '../schema/parse.ts'
import { VerdictKind } from '../schema/verdict.ts'

/** `examples/expected.json`: what every round of the demo must end in, by the quality of its patch and its tests. */
const Expected = z.object({
  /** Competitor or control → quality of its patch. */
  patches: z.record(z.string(), z.string()),
  /** Competitor or control → quality of its tests. */
  tests: z.record(z.string(), z.string()),
  /** Patch quality → tests quality → verdict. */
  verdicts: z.record(z.string(), z.record(z.string(), VerdictKind)),
  /** Task → submitter → reviewer → verdict, where a task differs. */
  exceptions: z.record(z.string(), z.record(z.string(), z.record(z.string(), VerdictKind))).default({}),
})
export type Expected = z.infer<typeof Expected>

export const parseExpected = (text: string, place: string): Expected =>
  parseInput(Expected, parseJson(text, place), place)

/** Undefined when the table does not speak of these two. */
export function expectedVerdict(
  expected: Expected,
  task: string,
  submitter: string,
  reviewer: string,
): VerdictKind | undefined {
  const exception = expected.exceptions[task]?.[submitter]?.[reviewer]
  if (exception) return exception
  const patch = expected.patches[submitter]
  const tests = expected.tests[reviewer]
  return patch === undefined || tests === undefined ? undefined : expected.verdicts[patch]?.[tests]
}
