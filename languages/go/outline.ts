import type { Outline } from '../outline.ts'

export const goOutline: Outline = {
  id: 'go',
  endings: ['.go'],
  definitions: { keywords: ['func', 'type', 'var', 'const'], receiver: true },
  tree: {
    grammar: 'go',
    scopes: [
      'function_declaration',
      'method_declaration',
      'type_declaration',
      'const_declaration',
      'var_declaration',
    ],
    leading: ['comment'],
  },
}
