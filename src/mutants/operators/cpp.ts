import { type Operators, SHIFTED } from './operators.ts'

export const cpp: Operators = {
  grammar: 'cpp',
  functions: ['function_definition'],
  conditional: ['if_statement', 'conditional_expression'],
  conditionOf: (node) => {
    const condition = node.childForFieldName('condition')
    const value = condition?.type === 'condition_clause' ? condition.childForFieldName('value') : condition
    return value?.type === 'declaration' ? null : (value ?? null)
  },
  negated: (condition) => `!(${condition})`,
  comparing: ['binary_expression'],
  shifted: SHIFTED,
  integers: ['number_literal'],
  argumentLists: ['argument_list'],
  namedArguments: ['parameter_pack_expansion'],
  statements: ['expression_statement'],
  isRemovable: (statement) => statement.namedChildCount > 0,
  // A branch may consist of this statement alone.
  nothing: ';',
}
