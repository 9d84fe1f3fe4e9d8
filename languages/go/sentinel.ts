import type { FileChange } from '../../src/schema/tree.ts'
import { insertAfterLine } from '../shared/mask-code.ts'
import { writeText } from '../shared/paths.ts'
import { type GoCase, goCases, packageOf } from './cases.ts'

interface Sentinel {
  readonly change: FileChange
  readonly name: string
}

export type TestingCase = GoCase & { readonly parameter: string }

/** The last wanted case that takes a *testing.T: a sentinel can stand beside it. */
export function chooseGoCase(text: string, isWanted: (name: string) => boolean): TestingCase | undefined {
  return goCases(text).findLast(
    (found): found is TestingCase => found.parameter !== undefined && isWanted(found.name),
  )
}

/** Behind the given case, its name beginning alike, so that `-run` and a build constraint select both. */
export function addSentinelBeside(path: string, text: string, beside: TestingCase, word: string): Sentinel {
  const { name, lines } = failingTest(beside, word)
  return { change: writeText(path, insertAfterLine(text, beside.endLine, ['', ...lines])), name }
}

/**
 * In a file of its own that sorts behind `path`, so that it runs behind the file's tests: named as the last of them is, and
 * parallel where that one is. A case may still run behind it (an example, a parallel test): one that then ends the process
 * with 0 has not passed, since with a failed test the exit code is not 0. A file without tests has an example of that kind.
 * Undefined for a file without a package clause.
 */
export function addSentinelAfter(path: string, text: string, word: string): Sentinel | undefined {
  const clause = packageOf(text)
  if (clause === undefined) return undefined
  const beside = chooseGoCase(text, () => true)
  const { name, lines } = beside ? failingTest(beside, word) : failingExample(word)
  const whole = [`package ${clause}`, '', `import "${beside ? 'testing' : 'fmt'}"`, '', ...lines, '']
  return { change: writeText(path.replace(/\.go$/, `_${word}_test.go`), whole.join('\n')), name }
}

interface Function {
  readonly name: string
  readonly lines: readonly string[]
}

function failingTest(beside: TestingCase, word: string): Function {
  const name = `${beside.name}${word.slice(0, 1).toUpperCase()}${word.slice(1)}`
  const { parameter } = beside
  const isParallel = new RegExp(`^\\t${parameter}\\.Parallel\\(\\)`, 'm').test(beside.text)
  const lines = [
    `func ${name}(${parameter} *testing.T) {`,
    ...(isParallel ? [`\t${parameter}.Parallel()`] : []),
    `\tvalue := "${word}"`,
    '\tif got, want := len(value), 2*len(value); got != want {',
    `\t\t${parameter}.Errorf("got %d, want %d", got, want)`,
    '\t}',
    '}',
  ]
  return { name, lines }
}

function failingExample(word: string): Function {
  const name = `Example_${word}`
  return { name, lines: [`func ${name}() {`, `\tfmt.Println(len("${word}"))`, '\t// Output: 0', '}'] }
}
