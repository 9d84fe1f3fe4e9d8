import type { Outline } from '../outline.ts'

export const rustOutline: Outline = {
  id: 'rust',
  endings: ['.rs'],
  definitions: {
    keywords: [
      'fn',
      'struct',
      'enum',
      'trait',
      'union',
      'type',
      'mod',
      'impl',
      'macro_rules',
      'const',
      'static',
    ],
  },
  tree: {
    grammar: 'rust',
    scopes: [
      'mod_item',
      'impl_item',
      'trait_item',
      'struct_item',
      'enum_item',
      'function_item',
      'macro_definition',
    ],
    leading: ['line_comment', 'block_comment', 'attribute_item', 'inner_attribute_item'],
  },
}
