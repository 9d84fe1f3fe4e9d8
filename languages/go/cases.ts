import type { TestCase } from '../adapter.ts'
import { closingBracket, lineOf, linesOf, maskCode } from '../shared/mask-code.ts'

const FUNCTION = /^func\s+((?:Test|Fuzz|Example)(?![a-z])\w*)\s*\(([^)]*)\)\s*\{/gm

export interface GoCase extends TestCase {
  /** Of the form `func TestX(t *testing.T)`: a sentinel can be written beside it. */
  readonly parameter: string | undefined
}

/** Test, fuzz and example functions: what `go test -run` selects by name. TestMain runs tests and is none. */
export function goCases(text: string): readonly GoCase[] {
  const masked = maskCode(text, 'go')
  return [...masked.matchAll(FUNCTION)].flatMap((match) => {
    const [whole, name = '', parameters = ''] = match
    const close = closingBracket(masked, match.index + whole.length - 1)
    if (close === undefined || name === 'TestMain') return []
    const startLine = lineOf(text, match.index)
    const endLine = lineOf(text, close)
    const parameter = /^\s*(\w+)\s+\*testing\.T\s*$/.exec(parameters)?.[1]
    return [{ name, startLine, endLine, text: linesOf(text, startLine, endLine), parameter }]
  })
}

/** The package that a file belongs to. */
export const packageOf = (text: string): string | undefined =>
  /^package\s+(\w+)/m.exec(maskCode(text, 'go'))?.[1]
