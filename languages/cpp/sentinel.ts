import { insertAfterLine } from '../shared/mask-code.ts'
import { type CppCase, cppCases } from './cases.ts'

/** A test source with a sentinel in it, and the sentinel's `Suite.Name`. */
export interface WithSentinel {
  readonly text: string
  readonly name: string
}

/** Behind the given case, in its suite and by its macro, its name beginning alike. */
export function addSentinelBeside(text: string, beside: CppCase, word: string): WithSentinel {
  const test = `${beside.test}${capital(word)}`
  const lines = ['', ...failingCase(`${beside.macro}(${beside.suite}, ${test})`)]
  return { text: insertAfterLine(text, beside.endLine, lines), name: `${beside.suite}.${test}` }
}

/**
 * Behind the last case of the suite that is first seen last, so that it runs behind every other plain case: suites run in the
 * order in which they are first seen, but for death tests, which run first. Where no such case stands in the file it gets
 * a suite of its own at the end, named by the word alone.
 */
export function addLastSentinel(text: string, word: string): WithSentinel {
  const plain = cppCases(text).filter(
    ({ macro, suite, startLine }) =>
      (macro === 'TEST' || macro === 'TEST_F') &&
      !suite.endsWith('DeathTest') &&
      !isConditional(text, startLine),
  )
  const lastSuite = [...new Set(plain.map(({ suite }) => suite))].at(-1)
  const beside = plain.findLast(({ suite }) => suite === lastSuite)
  if (beside !== undefined) return addSentinelBeside(text, beside, word)
  const half = Math.ceil(word.length / 2)
  const [suite, test] = [capital(word.slice(0, half)), capital(word.slice(half))]
  const end = text === '' || text.endsWith('\n') ? '' : '\n'
  const lines = failingCase(`TEST(${suite}, ${test})`)
  return { text: `${text}${end}\n${lines.join('\n')}\n`, name: `${suite}.${test}` }
}

/** Whether a line stands between `#if` and `#endif`: what is written there may not be compiled. */
function isConditional(text: string, line: number): boolean {
  const above = text.split('\n').slice(0, line - 1)
  const count = (directive: RegExp): number => above.filter((row) => directive.test(row)).length
  return count(/^\s*#\s*if/) > count(/^\s*#\s*endif/)
}

const capital = (word: string): string => `${word.slice(0, 1).toUpperCase()}${word.slice(1)}`

/** A case that fails whatever the tree holds. */
const failingCase = (head: string): readonly string[] => [
  `${head} {`,
  '  const int value = 6;',
  '  EXPECT_EQ(value * 2, value + 2);',
  '}',
]
