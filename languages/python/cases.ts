import type { TestCase } from '../adapter.ts'
import { type LogicalLine, logicalLines } from './logical-lines.ts'

/** A test function with what a sentinel beside it needs to know. */
export interface PythonCase extends TestCase {
  readonly indent: number
  /** The function's own name, without its classes. */
  readonly functionName: string
  readonly isMethod: boolean
  /** Decorators as written, one a logical line. */
  readonly decorators: readonly string[]
}

interface Scope {
  readonly indent: number
  readonly kind: 'tests' | 'other'
  readonly names: readonly string[]
}

const CLASS = /^class\s+(\w+)\s*(\(.*\))?/s
const FUNCTION = /^(?:async\s+)?def\s+(\w+)\s*\(/s

const isTestClass = (name: string, bases: string): boolean =>
  name.startsWith('Test') || /TestCase\b/.test(bases)

/** Test functions at module level and methods of test classes, by pytest's own default names. */
export function pythonCases(text: string): readonly PythonCase[] {
  const lines = logicalLines(text)
  const rows = text.split('\n')
  const found: PythonCase[] = []
  let scopes: Scope[] = []
  let decorators: LogicalLine[] = []
  for (const [index, line] of lines.entries()) {
    scopes = scopes.filter((scope) => scope.indent < line.indent)
    const inside = scopes.at(-1)
    if (line.code.startsWith('@')) {
      decorators.push(line)
      continue
    }
    const above = decorators
    decorators = []
    const [, className, bases = ''] = CLASS.exec(line.code) ?? []
    const [, functionName] = FUNCTION.exec(line.code) ?? []
    if (className !== undefined) {
      const ok = inside?.kind !== 'other' && isTestClass(className, bases)
      const names = [...(inside?.names ?? []), className]
      scopes.push({ indent: line.indent, kind: ok ? 'tests' : 'other', names })
    } else if (functionName !== undefined) {
      scopes.push({ indent: line.indent, kind: 'other', names: [] })
      if (inside?.kind === 'other' || !functionName.startsWith('test')) continue
      if (inside === undefined && line.indent > 0) continue
      const startLine = above[0]?.startLine ?? line.startLine
      const endLine = endOfBlock(lines, index)
      found.push({
        name: [...(inside?.names ?? []), functionName].join('::'),
        startLine,
        endLine,
        text: rows.slice(startLine - 1, endLine).join('\n'),
        indent: line.indent,
        functionName,
        isMethod: inside !== undefined,
        decorators: above.map((decorator) =>
          rows
            .slice(decorator.startLine - 1, decorator.endLine)
            .join('\n')
            .trim(),
        ),
      })
    }
  }
  return found
}

/** The last line of the block that the logical line at `index` opens. */
function endOfBlock(lines: readonly LogicalLine[], index: number): number {
  const opener = lines[index]
  let end = opener?.endLine ?? 0
  for (const line of lines.slice(index + 1)) {
    if (opener === undefined || line.indent <= opener.indent) break
    end = line.endLine
  }
  return end
}
