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
  const name = `${beside.name}${word.slice(0, 1).toUpperCase()}${word.slice(1)}`
  const { parameter } = beside
  const lines = [
    '',
    `func ${name}(${parameter} *testing.T) {`,
    `\tvalue := "${word}"`,
    '\tif got, want := len(value), 2*len(value); got != want {',
    `\t\t${parameter}.Errorf("got %d, want %d", got, want)`,
    '\t}',
    '}',
  ]
  return { change: writeText(path, insertAfterLine(text, beside.endLine, lines)), name }
}

/**
 * In a file of its own that sorts behind `path`: an example, since examples run after all tests, parallel ones too. What a
 * case does to its process is done by then. Undefined for a file without a package clause.
 */
export function addSentinelAfter(path: string, text: string, word: string): Sentinel | undefined {
  const clause = packageOf(text)
  if (clause === undefined) return undefined
  const name = `Example_${word}`
  const lines = [
    `package ${clause}`,
    '',
    'import "fmt"',
    '',
    `func ${name}() {`,
    `\tfmt.Println(len("${word}"))`,
    '\t// Output: 0',
    '}',
    '',
  ]
  return { change: writeText(path.replace(/\.go$/, `_${word}_test.go`), lines.join('\n')), name }
}
