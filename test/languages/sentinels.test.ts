import { describe, expect, it } from 'vitest'
import { languageOf } from '../../languages/index.ts'
import { changesOf } from './run-script.ts'

const WORD = 'quartz'

/** What a plan adds to the given file: the test files as written into the tree, and how `name` is run there. */
function planned(
  id: 'cpp' | 'go',
  path: string,
  lines: readonly string[],
  name: string,
): { readonly text: string; readonly script: string } {
  const text = lines.join('\n')
  const tree = { list: () => [], read: () => undefined }
  const step = { run: id === 'cpp' ? 'ctest' : 'go test ./...', repo: '/repo', cwd: '/repo', env: {} }
  const plan = languageOf(id).planTestFile(tree, changesOf({ [path]: text }), path, step, WORD)
  const written = plan.changes.flatMap((change) =>
    change.change === 'write' ? [Buffer.from(change.contentBase64, 'base64').toString('utf8')] : [],
  )
  return { text: written.join('\n'), script: plan.runCase(name).script }
}

describe('a sentinel in arena tests looks like the cases beside it', () => {
  it('c++: it is in the suite that runs last, by the macro of that suite', () => {
    const { text, script } = planned(
      'cpp',
      'tests/a_test.cpp',
      [
        'TEST(Area, One) {}',
        'TEST_F(Volume, Two) {}',
        'TEST(AreaDeathTest, Ends) {}',
        'TEST(Area, Three) {}',
        '#ifdef DEEP',
        'TEST(Deep, Four) {}',
        '#endif',
        '',
      ],
      'Area.One',
    )
    expect(text).toContain('TEST_F(Volume, Two) {}\n\nTEST_F(Volume, TwoQuartz) {')
    expect(script).toContain('Area.One:Volume.TwoQuartz')
  })

  it('c++: without a plain case its whole name is the word', () => {
    const { text, script } = planned('cpp', 'tests/a_test.cpp', ['TEST_P(Each, One) {}', ''], 'Each.One')
    expect(text).toContain('TEST(Qua, Rtz) {')
    expect(script).toContain(':Qua.Rtz')
  })

  it('go: it is a test named as the last one, and parallel where that one is', () => {
    const lines = [
      'package a',
      'import "testing"',
      'func TestOne(t *testing.T) {}',
      'func TestTwo(tt *testing.T) {',
      '\ttt.Parallel()',
      '}',
    ]
    const { text, script } = planned('go', 'a_test.go', lines, 'TestOne')
    expect(text).toContain('func TestTwoQuartz(tt *testing.T) {\n\ttt.Parallel()\n')
    expect(script).toContain("-test.run='^(TestOne|TestTwoQuartz)$'")
    expect(planned('go', 'a_test.go', lines.slice(0, 3), 'TestOne').text).not.toContain('Parallel')
  })

  it('go: among examples it is an example', () => {
    const { text } = planned('go', 'a_test.go', ['package a', 'func ExampleOne() {', '}'], 'ExampleOne')
    expect(text).toContain('func Example_quartz() {')
  })
})
