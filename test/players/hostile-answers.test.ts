import { describe, expect, it } from 'vitest'
import { readAnswer } from '../../src/players/read-answer.ts'

const MANY = 300_000

// Each of these made a naive reader search for hours or run out of stack; the test's own time limit is the judge.
describe('an answer made to be slow is read all the same', () => {
  it.each<[string, string]>([
    ['decoration', `${'*'.repeat(MANY)}x\n\`\`\`\nx\n\`\`\`\n`],
    ['decoration before an edit', `${'*_'.repeat(200)}x\n<<<<<<< SEARCH\na\n=======\nb\n>>>>>>> REPLACE\n`],
    ['backticks', `${'`'.repeat(MANY)}\rx\n`],
    ['tildes', `${'~'.repeat(MANY)}\rx`],
    ['fences', '```\n'.repeat(MANY)],
    ['think tags', '<think>\n'.repeat(MANY)],
    ['closing tags', '</think>\n'.repeat(MANY)],
    ['braces', '{"code_edits": '.repeat(MANY / 10)],
    ['nested lists', `{"code_edits": ${'['.repeat(MANY)}`],
    ['blanks', ' '.repeat(MANY)],
    ['one line', 'x'.repeat(MANY)],
    ['lines', '\n'.repeat(MANY)],
    ['apology', `${'-'.repeat(MANY)} sorry`],
    ['search marks', '<<<<<<< SEARCH\n'.repeat(MANY / 10)],
  ])('%s', (_name, text) => {
    expect(readAnswer(text, 'stop').kind).toMatch(/^(empty|truncated|unusable|refusal|edits|files)$/)
  })
  it('and one that is too long is not read', () => {
    expect(readAnswer('x'.repeat(9 * 1024 * 1024), 'stop').kind).toBe('unusable')
  })
})
