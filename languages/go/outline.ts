import type { Outline } from '../outline.ts'

export const goOutline: Outline = {
  id: 'go',
  endings: ['.go'],
  definitions: { keywords: ['func', 'type', 'var', 'const'], receiver: true },
}
