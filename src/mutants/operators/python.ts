import { type Operators, SHIFTED } from './operators.ts'

export const python: Operators = {
  grammar: 'python',
  functions: ['function_definition'],
  conditional: ['if_statement', 'elif_clause', 'conditional_expression', 'if_clause'],
  conditionOf: (node) => {
    if (node.type === 'conditional_expression') return node.namedChild(1)
    return node.type === 'if_clause' ? node.namedChild(0) : node.childForFieldName('condition')
  },
  negated: (condition) => `not (${condition})`,
  comparing: ['comparison_operator'],
  shifted: SHIFTED,
  integers: ['integer'],
  argumentLists: ['argument_list'],
  namedArguments: ['keyword_argument', 'list_splat', 'dictionary_splat', 'generator_expression'],
  statements: ['expression_statement', 'raise_statement'],
  // A text alone is documentation.
  isRemovable: (statement) => !['string', 'ellipsis'].includes(statement.namedChild(0)?.type ?? ''),
  nothing: 'pass',
}
