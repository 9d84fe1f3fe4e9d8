import { type Operators, SHIFTED } from './operators.ts'

export const go: Operators = {
  grammar: 'go',
  functions: ['function_declaration', 'method_declaration'],
  conditional: ['if_statement'],
  conditionOf: (node) => node.childForFieldName('condition'),
  negated: (condition) => `!(${condition})`,
  comparing: ['binary_expression'],
  shifted: SHIFTED,
  integers: ['int_literal'],
  argumentLists: ['argument_list'],
  namedArguments: ['variadic_argument'],
  statements: ['expression_statement', 'assignment_statement', 'inc_statement', 'dec_statement'],
  // The head of a loop is no statement of its own.
  isRemovable: (statement) => statement.parent?.type === 'statement_list',
  nothing: '',
}
