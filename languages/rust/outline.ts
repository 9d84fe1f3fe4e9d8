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
}
