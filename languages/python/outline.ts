import type { Outline } from '../outline.ts'

export const pythonOutline: Outline = {
  id: 'python',
  endings: ['.py', '.pyi', '.pyx', '.pxd'],
  definitions: { keywords: ['def', 'class', 'cdef', 'cpdef'] },
  tree: {
    grammar: 'python',
    scopes: ['class_definition', 'function_definition'],
    leading: ['comment', 'decorator'],
  },
}
