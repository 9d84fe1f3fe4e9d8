import { insertAfterLine } from '../shared/mask-code.ts'
import { type RustCase, rustCases } from './cases.ts'

/** A file with a sentinel in it, and the sentinel's path inside the file. */
export interface WithSentinel {
  readonly text: string
  readonly name: string
}

const body = (name: string, word: string): readonly string[] => [
  '#[test]',
  `fn ${name}() {`,
  `    let value = "${word}";`,
  '    assert_eq!(value.len(), value.len() * 2);',
  '}',
]

/** Behind the given case in the same module, its name beginning alike, so that filters select both. */
export function addSentinel(text: string, beside: RustCase, word: string): WithSentinel {
  const functionName = `${beside.functionName}_${word}`
  const lines = ['', ...body(functionName, word).map((line) => `${beside.indent}${line}`)]
  const modules = beside.name.split('::').slice(0, -1)
  return {
    text: insertAfterLine(text, beside.endLine, lines),
    name: [...modules, functionName].join('::'),
  }
}

/** In a module of its own at the end of the file, for cases that stand nowhere literally. */
export function addSentinelModule(text: string, word: string): WithSentinel {
  const name = `holds_${word}`
  const module = [
    '#[cfg(test)]',
    `mod ${word}_tests {`,
    ...body(name, word).map((line) => `    ${line}`),
    '}',
  ]
  const gap = text === '' || text.endsWith('\n') ? '' : '\n'
  return { text: `${text}${gap}\n${module.join('\n')}\n`, name: `${word}_tests::${name}` }
}

/** The wanted case whose name sorts last: libtest runs by name, so the sentinel behind it comes last of all. */
export function chooseRustCase(text: string, isWanted: (name: string) => boolean): RustCase | undefined {
  return rustCases(text)
    .filter((found) => isWanted(found.name))
    .reduce<RustCase | undefined>((last, found) => (last && last.name > found.name ? last : found), undefined)
}
