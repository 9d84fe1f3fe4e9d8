import type { TestCase } from '../adapter.ts'
import { lineOf, linesOf } from '../shared/mask-code.ts'
import { attributedItems, testKind } from './items.ts'

export interface RustCase extends TestCase {
  readonly functionName: string
  readonly isParametrised: boolean
  /** White space before the function's first attribute. */
  readonly indent: string
}

/** Test functions by their path inside the file: `module::name`. */
export function rustCases(text: string): readonly RustCase[] {
  return attributedItems(text).flatMap((item) => {
    const kind = item.kind === 'fn' ? testKind(item.attributes) : undefined
    if (kind === undefined || item.name === '') return []
    const startLine = lineOf(text, item.start)
    const endLine = lineOf(text, item.end - 1)
    const lines = linesOf(text, startLine, endLine)
    return [
      {
        name: [...item.modules, item.name].join('::'),
        startLine,
        endLine,
        text: lines,
        functionName: item.name,
        isParametrised: kind === 'parametrised',
        indent: /^\s*/.exec(lines)?.[0] ?? '',
      },
    ]
  })
}
