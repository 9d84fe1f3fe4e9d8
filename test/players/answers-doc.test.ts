import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { findFences } from '../../src/players/find-fences.ts'
import { readAnswer } from '../../src/players/read-answer.ts'

const text = readFileSync(fileURLToPath(new URL('../../docs/answers.md', import.meta.url)), 'utf8')

it('every example of the documented grammar is read as it says', () => {
  const examples = findFences(text)
    .blocks.filter((block) => block.info !== 'bash')
    .map((block) => readAnswer(block.content, 'stop'))
  expect(examples.map((answer) => answer.kind)).toEqual(['diff', 'edits', 'edits', 'edits'])
  expect(examples.slice(1)).toMatchObject([
    { edits: [{ path: 'src/parse.py', search: '    return lines\n' }] },
    { edits: [{ path: 'src/parse.py', search: 'return lines' }] },
    { edits: [{ path: 'tests/test_parse.py', search: '' }] },
  ])
})
