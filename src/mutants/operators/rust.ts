import { type Operators, SHIFTED } from './operators.ts'

const REMOVABLE = ['call_expression', 'assignment_expression', 'compound_assignment_expr']

export const rust: Operators = {
  grammar: 'rust',
  functions: ['function_item'],
  conditional: ['if_expression', 'match_pattern'],
  conditionOf: (node) => {
    const condition = node.childForFieldName('condition')
    return condition === null || condition.type.startsWith('let_') ? null : condition
  },
  negated: (condition) => `!(${condition})`,
  comparing: ['binary_expression', 'range_expression'],
  shifted: { ...SHIFTED, '..': '..=', '..=': '..' },
  integers: ['integer_literal'],
  argumentLists: ['arguments'],
  namedArguments: [],
  statements: ['expression_statement'],
  isRemovable: (statement) => REMOVABLE.includes(statement.namedChild(0)?.type ?? ''),
  nothing: '',
}
