import fc from 'fast-check'
import { damaged } from '../patch/arbitrary-diffs.ts'

const path = fc.constantFrom(
  'src/a.py',
  'tests/test_a.py',
  'a.txt',
  'src/lib.rs',
  'x/../../y',
  '.git/config',
  'pkg/a.go',
  'odd name.py',
  'ü.py',
)
const line = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.constantFrom('a', 'b', '', '    return 1', 'def test_new():', '    assert True', '}'),
  },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 30 }) },
)
const body = fc.array(line, { maxLength: 12 }).map((lines) => lines.map((text) => `${text}\n`).join(''))
const mark = fc.constantFrom('```', '~~~', '````', '``')

const edit = fc
  .tuple(body, body)
  .map(([search, replace]) => `<<<<<<< SEARCH\n${search}=======\n${replace}>>>>>>> REPLACE\n`)
const json = fc.oneof(
  fc
    .tuple(path, body, body)
    .map(([file, before, after]) =>
      JSON.stringify({ code_edits: [{ file, code_to_be_modified: before, code_edited: after }] }),
    ),
  fc
    .tuple(path, body)
    .map(([file, code]) => JSON.stringify({ test_cases: [{ file, test_name: 't', test_code: code }] })),
  fc.json(),
  fc.json().map((value) => `{"code_edits": ${value}}`),
)
const whole = fc
  .tuple(path, mark, body)
  .map(([name, fence, text]) => `${fence}python ${name}\n${text}${fence}\n`)
const fenced = (info: string, text: fc.Arbitrary<string>): fc.Arbitrary<string> =>
  fc.tuple(mark, text).map(([fence, inside]) => `${fence}${info}\n${inside}\n${fence}\n`)
const prose = fc.constantFrom(
  'Here is the fix.\n\n',
  "I'm sorry, I can't help with that.\n",
  '### src/a.py\n',
  '**src/a.py**:\n',
  'File: tests/test_a.py\n',
  '\r\n',
  '',
)
const thought = fc
  .tuple(fc.constantFrom('think', 'thinking', 'reasoning'), body, fc.nat(3))
  .map(([tag, text, cut]) => `${cut === 1 ? '' : `<${tag}>\n`}${text}${cut === 2 ? '' : `</${tag}>\n`}`)

/** Whatever a model may say: the forms of docs/answers.md around these diffs, whole, mixed, cut and damaged. */
export const arbitraryAnswer = (diff: fc.Arbitrary<string>): fc.Arbitrary<string> => {
  const part = fc.oneof(
    { weight: 3, arbitrary: fenced('diff', diff) },
    { weight: 1, arbitrary: diff },
    { weight: 2, arbitrary: fc.tuple(prose, fenced('python', edit)).map((texts) => texts.join('')) },
    { weight: 1, arbitrary: edit },
    { weight: 2, arbitrary: whole },
    { weight: 1, arbitrary: fenced('json', json) },
    { weight: 1, arbitrary: json },
    { weight: 2, arbitrary: prose },
    { weight: 1, arbitrary: thought },
    { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 80 }) },
  )
  const said = fc.array(part, { minLength: 1, maxLength: 4 }).map((parts) => parts.join(''))
  return fc.oneof({ weight: 2, arbitrary: said }, { weight: 1, arbitrary: damaged(said, 3) })
}

export const arbitraryStop: fc.Arbitrary<string | null> = fc.constantFrom(
  'stop',
  'stop',
  null,
  'length',
  'content_filter',
  'tool_calls',
  '',
)
