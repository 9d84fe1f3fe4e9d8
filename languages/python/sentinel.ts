import type { PythonCase } from './cases.ts'
import { pythonCases } from './cases.ts'

/** A test file with a sentinel in it, and the sentinel's name as pytest reports it. */
export interface WithSentinel {
  readonly text: string
  readonly name: string
}

/** Marks that only select: the sentinel bears them too, so that `-m` keeps it. */
const PLAIN_MARK =
  /^@pytest\.mark\.(?!parametrize|skip|skipif|xfail|usefixtures|filterwarnings|timeout|asyncio)\w+$/

/**
 * Adds a test that must fail right behind the given one: under the same class and marks and with the same beginning of its
 * name, so that options which select the one select the other.
 */
export function addSentinel(text: string, beside: PythonCase, word: string): WithSentinel {
  const functionName = `${beside.functionName}_${word}`
  const pad = ' '.repeat(beside.indent)
  const lines = [
    ...beside.decorators.filter((decorator) => PLAIN_MARK.test(decorator)),
    `def ${functionName}(${beside.isMethod ? 'self' : ''}):`,
    `    value = "${word}"`,
    '    assert value[::-1] == value + value[:1]',
  ].map((line) => `${pad}${line}`)
  const rows = text.split('\n')
  const before = rows.slice(0, beside.endLine)
  const after = rows.slice(beside.endLine)
  const gap = beside.isMethod ? [''] : ['', '']
  const classes = beside.name.split('::').slice(0, -1)
  return {
    text: [...before, ...gap, ...lines, ...(after.length > 0 ? after : [''])].join('\n'),
    name: [...classes, functionName].join('::'),
  }
}

/** The case that a sentinel is best put beside: the last plain function if there is one. No static or class method. */
export function chooseBeside(text: string, isWanted: (name: string) => boolean): PythonCase | undefined {
  const fit = pythonCases(text).filter(
    (found) => isWanted(found.name) && !found.decorators.some((text) => /^@(static|class)method/.test(text)),
  )
  return (
    fit.findLast((found) => !found.isMethod && found.decorators.length === 0) ??
    fit.findLast((found) => !found.isMethod) ??
    fit.at(-1)
  )
}
