import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readAnswer } from '../../src/players/read-answer.ts'
import type { Answer } from '../../src/schema/answer.ts'

const diffOf = (path: string, to = 'new'): string =>
  `--- a/${path}\n+++ b/${path}\n@@ -1,2 +1,2 @@\n context\n-old\n+${to}\n`
const fenced = (content: string, info = 'diff'): string => `\`\`\`${info}\n${content}\`\`\`\n`

const read = (text: string | null, stopReason: string | null = 'stop'): Answer => readAnswer(text, stopReason)

const diffsIn = (answer: Answer): string[] => {
  if (answer.kind !== 'diff') throw new Error(`${answer.kind}: ${'reason' in answer ? answer.reason : ''}`)
  return answer.diffs.map((diff) => diff.toString('utf8'))
}

describe('diffs', () => {
  it('fenced, with prose around', () => {
    expect(diffsIn(read(`Here is it:\n\n${fenced(diffOf('a.py'))}\nIt works.`))).toEqual([diffOf('a.py')])
  })
  it.each(['patch', '', 'diff --git', 'text'])('in a fence that says "%s"', (info) => {
    expect(diffsIn(read(fenced(diffOf('a.py'), info)))).toEqual([diffOf('a.py')])
  })
  it('bare', () => {
    expect(diffsIn(read(`Sure.\n\n${diffOf('a.py')}`))[0]).toContain(diffOf('a.py'))
  })
  it('several fences are all kept, in order', () => {
    const answer = read(fenced(diffOf('a.py')) + fenced(diffOf('b.py')) + fenced(diffOf('a.py', 'newer')))
    expect(diffsIn(answer)).toEqual([diffOf('a.py'), diffOf('b.py'), diffOf('a.py', 'newer')])
  })
  it('a fence inside a hunk stays in it', () => {
    const diff = '--- a/R.md\n+++ b/R.md\n@@ -1,3 +1,4 @@\n ```\n-old\n+new\n+```python\n ```\n'
    expect(diffsIn(read(fenced(diff)))).toEqual([diff])
    expect(diffsIn(read(diff))).toEqual([diff])
  })
  it('in an indented fence', () => {
    const lines = fenced(diffOf('a.py')).trimEnd().split('\n')
    expect(diffsIn(read(`1. So:\n${lines.map((line) => `   ${line}`).join('\n')}\n`))).toEqual([
      diffOf('a.py'),
    ])
  })
  it('with CRLF', () => {
    const answer = fenced(diffOf('a.py')).replaceAll('\n', '\r\n')
    expect(diffsIn(read(answer))).toEqual([diffOf('a.py').replaceAll('\n', '\r\n')])
  })
  it('beside shell commands and quotations, which ask for nothing', () => {
    const answer = `${fenced('pytest -q\n', 'bash')}${fenced(diffOf('a.py'))}${fenced('x = 1\n', 'python')}`
    expect(diffsIn(read(answer))).toEqual([diffOf('a.py')])
  })
  it('without header lines are unusable', () => {
    expect(read(fenced('@@ -1 +1 @@\n-a\n+b\n'))).toMatchObject({
      kind: 'unusable',
      reason: expect.stringContaining('header lines'),
    })
  })
})

describe('thoughts', () => {
  it('are cut, with the drafts in them', () => {
    const answer = read(`<think>\ndraft\n${fenced(diffOf('draft.py'))}</think>\n${fenced(diffOf('a.py'))}`)
    expect(diffsIn(answer)).toEqual([diffOf('a.py')])
    expect(answer.notes.map((note) => note.reason)).toContain('1 think blocks were cut')
  })
  it('may have begun before the answer', () => {
    expect(diffsIn(read(`draft\n${fenced(diffOf('draft.py'))}</think>\n${fenced(diffOf('a.py'))}`))).toEqual([
      diffOf('a.py'),
    ])
  })
  it('may end on their own line', () => {
    expect(diffsIn(read(`<think>short</think>${diffOf('a.py')}`))).toEqual([diffOf('a.py')])
  })
  it('cut inside: no answer', () => {
    expect(read(`<think>\n${fenced(diffOf('draft.py'))}and so`)).toMatchObject({ kind: 'truncated' })
  })
  it('and nothing behind them', () => {
    expect(read('<think>hm</think>\n').kind).toBe('empty')
    expect(read('<think>hm</think>\n', 'length').kind).toBe('truncated')
  })
  it('in the lines of a diff are code', () => {
    const diff = '--- a/t.py\n+++ b/t.py\n@@ -1,2 +1,3 @@\n <think>\n+x = "<think>"\n </think>\n'
    expect(diffsIn(read(fenced(diff)))).toEqual([diff])
  })
})

describe('search and replace', () => {
  const block = (search: string, replace: string): string =>
    `<<<<<<< SEARCH\n${search}=======\n${replace}>>>>>>> REPLACE\n`
  const EDIT = { path: 'src/a.py', search: 'x = 1\n', replace: 'x = 2\n' }

  it.each<[string, string]>([
    ['path in the fence', fenced(`src/a.py\n${block('x = 1\n', 'x = 2\n')}`, '')],
    ['path before the fence', `src/a.py\n${fenced(block('x = 1\n', 'x = 2\n'), 'python')}`],
    ['decorated path', `### \`src/a.py\`\n\n${fenced(block('x = 1\n', 'x = 2\n'), 'python')}`],
    ['path in the info string', fenced(block('x = 1\n', 'x = 2\n'), 'python src/a.py')],
    ['no fence', `I change it.\n\nFile: src/a.py\n${block('x = 1\n', 'x = 2\n')}`],
  ])('%s', (_name, text) => {
    expect(read(text)).toMatchObject({ kind: 'edits', edits: [EDIT] })
  })
  it('several in one block, the path carried on', () => {
    const answer = read(fenced(`src/a.py\n${block('a\n', 'b\n')}${block('c\n', '')}`, ''))
    expect(answer).toMatchObject({
      edits: [
        { path: 'src/a.py', search: 'a\n', replace: 'b\n' },
        { path: 'src/a.py', search: 'c\n', replace: '' },
      ],
    })
  })
  it('with nothing to search', () => {
    expect(read(`src/new.py\n${block('', 'x\n')}`)).toMatchObject({ edits: [{ search: '', replace: 'x\n' }] })
  })
  it('without a path, or not ended, are unusable', () => {
    expect(read(fenced(block('a\n', 'b\n'), '')).kind).toBe('unusable')
    expect(read(fenced('src/a.py\n<<<<<<< SEARCH\na\n', '')).kind).toBe('unusable')
  })
})

describe('whole files', () => {
  it.each<[string, string]>([
    ['language and path', fenced('x = 1\n', 'python src/a.py')],
    ['path alone', fenced('x = 1\n', 'src/a.py')],
    ['language:path', fenced('x = 1\n', 'python:src/a.py')],
    ['path=', fenced('x = 1\n', 'python path="src/a.py"')],
    ['heading', `#### src/a.py\n\n${fenced('x = 1\n', 'python')}`],
    ['bold with a colon', `**src/a.py**:\n${fenced('x = 1\n', 'python')}`],
  ])('%s', (_name, text) => {
    expect(read(text)).toMatchObject({ kind: 'files', files: [{ path: 'src/a.py', content: 'x = 1\n' }] })
  })
  it('the last one of a path counts', () => {
    const answer = read(
      fenced('x = 1\n', 'src/a.py') + fenced('x = 2\n', 'src/a.py') + fenced('y\n', 'src/b.py'),
    )
    expect(answer).toMatchObject({
      files: [
        { path: 'src/a.py', content: 'x = 2\n' },
        { path: 'src/b.py', content: 'y\n' },
      ],
    })
  })
  it('with fences of their own in a longer fence', () => {
    const content = 'see\n```\ncode\n```\n'
    expect(read(`\`\`\`\`markdown README.md\n${content}\`\`\`\`\n`)).toMatchObject({
      files: [{ path: 'README.md', content }],
    })
  })
  it('code without a path asks for nothing', () => {
    expect(read(`You could write\n${fenced('x = 1\n', 'python')}`).kind).toBe('unusable')
  })
})

describe("the original arena's JSON", () => {
  const edits = {
    reasoning_trace: 'because',
    code_edits: [{ file: 'src/a.py', code_to_be_modified: 'x = 1', code_edited: 'x = 2' }],
  }
  it.each<[string, string]>([
    ['fenced', fenced(`${JSON.stringify(edits, null, 2)}\n`, 'json')],
    ['bare', JSON.stringify(edits)],
    ['with prose around', `Here:\n${JSON.stringify(edits)}\nDone.`],
  ])('code_edits, %s', (_name, text) => {
    expect(read(text)).toMatchObject({
      kind: 'edits',
      edits: [{ path: 'src/a.py', search: 'x = 1', replace: 'x = 2' }],
    })
  })
  it('test_cases add at the end of their file', () => {
    const tests = {
      test_cases: [
        {
          file: 'tests/test_a.py',
          test_name: 'test_x',
          test_code: 'def test_x():\n    pass',
          test_description: '',
        },
      ],
    }
    expect(read(fenced(`${JSON.stringify(tests)}\n`, 'json'))).toMatchObject({
      kind: 'edits',
      edits: [{ path: 'tests/test_a.py', search: '', replace: '\ndef test_x():\n    pass\n' }],
    })
  })
  it.each<[string, string]>([
    ['{"code_edits": [{"file": "a.py"}]}', 'has no text code_to_be_modified'],
    ['{"code_edits": {"file": "a.py"}}', 'is not a list'],
    ['{"code_edits": [{"file": "a.py" "x"}]}', 'JSON cannot be read'],
  ])('%s is unusable', (text, reason) => {
    expect(read(text)).toMatchObject({ kind: 'unusable', reason: expect.stringContaining(reason) })
  })
  it('an empty list is an empty answer', () => {
    expect(read('{"code_edits": []}').kind).toBe('empty')
  })
})

describe('no answer', () => {
  it.each([null, '', ' \n'])('%j is empty', (text) => {
    expect(read(text).kind).toBe('empty')
  })
  it.each([
    "I'm sorry, but I can't help with that.",
    'I cannot assist with this request.',
    'As an AI language model, I do not write exploits.',
    'Unfortunately, I am unable to do that.',
  ])('a refusal: %s', (text) => {
    expect(read(text).kind).toBe('refusal')
  })
  it('a refusal by the endpoint', () => {
    expect(read('', 'content_filter').kind).toBe('refusal')
  })
  it('an apology before a diff is no refusal', () => {
    expect(read(`Sorry, the first one was wrong.\n${fenced(diffOf('a.py'))}`).kind).toBe('diff')
  })
  it('prose is unusable', () => {
    expect(read('The bug is in the parser.').kind).toBe('unusable')
  })
  it('cut inside a fence', () => {
    expect(read(`\`\`\`diff\n${diffOf('a.py')}`).kind).toBe('truncated')
    expect(read(`${fenced(diffOf('a.py'))}\`\`\`diff\n--- a/b.py\n`).kind).toBe('truncated')
  })
  it('a bare diff at the token limit may be cut anywhere', () => {
    expect(read(diffOf('a.py'), 'length').kind).toBe('truncated')
  })
  it('closed fences before the token limit are whole', () => {
    expect(read(`${fenced(diffOf('a.py'))}As you can`, 'length').kind).toBe('diff')
  })
})

it('reading never fails, whatever stands in an answer', () => {
  const piece = fc.constantFrom(
    '<think>\n',
    '</think>\n',
    '```\n',
    '```diff\n',
    '````python a.py\n',
    '~~~\n',
    '   ```\n',
    diffOf('a.py'),
    'diff --git a/x b/x\n',
    '--- a/x\n',
    '+++ b/x\n',
    '@@ -1 +1 @@\n',
    '<<<<<<< SEARCH\n',
    '=======\n',
    '>>>>>>> REPLACE\n',
    '{"code_edits": [',
    '{"file": "a", "code_to_be_modified": "x", "code_edited": null}',
    ']}\n',
    '{"test_cases": null}\n',
    'src/a.py\n',
    "I can't\n",
    '\0\ud800\r\n',
  )
  const stop = fc.constantFrom(null, 'stop', 'length', 'content_filter', 'tool_calls')
  const parts = fc.array(fc.oneof(piece, fc.string()), { maxLength: 20 })
  fc.assert(
    fc.property(parts, stop, (texts, stopReason) => {
      const text = texts.join('')
      const answer = readAnswer(text, stopReason)
      expect(['diff', 'edits', 'files', 'empty', 'refusal', 'truncated', 'unusable']).toContain(answer.kind)
      expect(readAnswer(text, stopReason)).toEqual(answer)
    }),
    { numRuns: 2000, seed: 20_260_101 },
  )
})
