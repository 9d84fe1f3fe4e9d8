import type { TestCase } from '../adapter.ts'
import { closingBracket, lineOf, linesOf, maskCode } from '../shared/mask-code.ts'

export interface CppCase extends TestCase {
  readonly macro: 'TEST' | 'TEST_F' | 'TEST_P' | 'TYPED_TEST' | 'TYPED_TEST_P'
  readonly suite: string
  readonly test: string
}

const CASE = /^[ \t]*(TEST|TEST_F|TEST_P|TYPED_TEST|TYPED_TEST_P)\s*\(\s*(\w+)\s*,\s*(\w+)\s*\)\s*\{/gm

/** GoogleTest-like cases by their names in the source: `Suite.Name`. */
export function cppCases(text: string): readonly CppCase[] {
  const masked = maskCode(text, 'cpp')
  return [...masked.matchAll(CASE)].flatMap((match) => {
    const [whole, macro = '', suite = '', test = ''] = match
    const close = closingBracket(masked, match.index + whole.length - 1)
    if (close === undefined) return []
    const startLine = lineOf(text, match.index)
    const endLine = lineOf(text, close)
    return [
      {
        name: `${suite}.${test}`,
        startLine,
        endLine,
        text: linesOf(text, startLine, endLine),
        macro: macro as CppCase['macro'],
        suite,
        test,
      },
    ]
  })
}

/** What selects a case and its parameters with `--gtest_filter`. */
export function filterOf(found: CppCase | undefined, name: string): string {
  const [suite = '', test = ''] = name.split('.')
  if (found?.macro === 'TEST_P') return `*/${name}/*:${name}/*`
  if (found?.macro.startsWith('TYPED')) return `${suite}/*.${test}:*/${suite}/*.${test}`
  return name
}

/** Whether a reported name is the case or one of its parameters. */
export function isPartOf(reported: string, name: string): boolean {
  const [suite = '', test = ''] = name.split('.')
  const [reportedSuite = '', ...rest] = reported.split('.')
  const parts = reportedSuite.split('/')
  const [first = ''] = rest.join('.').split('/')
  return first === test && parts.some((part, at) => part === suite && at <= 1)
}
