import type { Node } from '../../languages/shared/syntax.ts'
import type { MutantOperator } from '../schema/mutant.ts'
import type { Operators } from './operators/operators.ts'

/** A part of a text and what stands there instead; places are offsets. */
export interface Edit {
  readonly operator: MutantOperator
  readonly start: number
  readonly end: number
  readonly replacement: string
  /** 0-based. */
  readonly line: number
}

/** A range of lines, 0-based, inclusive. */
export interface LineRange {
  readonly first: number
  readonly last: number
}

const nodesOf = (root: Node, types: readonly string[]): readonly Node[] =>
  root.descendantsOfType([...types]).filter((node) => node !== null)

const replacing = (operator: MutantOperator, node: Node, replacement: string): Edit => ({
  operator,
  start: node.startIndex,
  end: node.endIndex,
  replacement,
  line: node.startPosition.row,
})

function negations(root: Node, operators: Operators): Edit[] {
  return nodesOf(root, operators.conditional).flatMap((node) => {
    const condition = operators.conditionOf(node)
    return condition ? [replacing('negated-condition', condition, operators.negated(condition.text))] : []
  })
}

function shifts(root: Node, operators: Operators): Edit[] {
  const signs = nodesOf(root, operators.comparing).flatMap((node) =>
    node.children.flatMap((child) => {
      const shifted = child && !child.isNamed ? operators.shifted[child.type] : undefined
      return child && shifted !== undefined ? [replacing('off-by-one', child, shifted)] : []
    }),
  )
  const numbers = nodesOf(root, operators.integers)
    .filter((node) => /^(0|[1-9]\d{0,8})$/.test(node.text))
    .map((node) => replacing('off-by-one', node, String(Number(node.text) + 1)))
  return [...signs, ...numbers]
}

const removals = (root: Node, operators: Operators): Edit[] =>
  nodesOf(root, operators.statements)
    .filter(operators.isRemovable)
    .map((node) => replacing('removed-statement', node, operators.nothing))

function swaps(root: Node, operators: Operators): Edit[] {
  return nodesOf(root, operators.argumentLists).flatMap((list) => {
    const [first, second] = list.namedChildren.filter((child) => child !== null && child.type !== 'comment')
    if (!first || !second || first.text === second.text) return []
    if ([first, second].some(({ type }) => operators.namedArguments.includes(type))) return []
    const between = list.text.slice(first.endIndex - list.startIndex, second.startIndex - list.startIndex)
    const replacement = second.text + between + first.text
    return [{ ...replacing('swapped-arguments', first, replacement), end: second.endIndex }]
  })
}

/** Every small change that makes a text wrong, in the order of the text. */
export const editsOf = (root: Node, operators: Operators): readonly Edit[] =>
  [negations, shifts, removals, swaps]
    .flatMap((find) => find(root, operators))
    .sort((a, b) => a.start - b.start || a.end - b.end)

/** Lines of the innermost functions around these lines. */
export function functionsAround(
  root: Node,
  operators: Operators,
  lines: ReadonlySet<number>,
): readonly LineRange[] {
  const ranges = nodesOf(root, operators.functions).map((node) => ({
    first: node.startPosition.row,
    last: node.endPosition.row,
  }))
  const isAround = (range: LineRange, line: number): boolean => range.first <= line && line <= range.last
  return [...lines].flatMap((line) => {
    const around = ranges.filter((range) => isAround(range, line))
    const innermost = around.toSorted((a, b) => a.last - a.first - (b.last - b.first))[0]
    return innermost ? [innermost] : []
  })
}
