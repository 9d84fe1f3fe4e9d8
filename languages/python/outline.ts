import type { Outline } from '../outline.ts'

export const pythonOutline: Outline = {
  id: 'python',
  endings: ['.py', '.pyi', '.pyx', '.pxd'],
  definitions: { keywords: ['def', 'class', 'cdef', 'cpdef'] },
}
