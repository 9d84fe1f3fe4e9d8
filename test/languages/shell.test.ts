import { describe, expect, it } from 'vitest'
import { languageOf } from '../../languages/index.ts'
import { findPytest, pytestRule } from '../../languages/python/options.ts'
import { splitCommands } from '../../languages/shared/shell.ts'
import { findCommand, headText, keptOptions } from '../../languages/shared/test-command.ts'

const textsOf = (script: string): string[][] =>
  splitCommands(script).map((command) => [...command.assignments, ...command.words].map((word) => word.text))

describe('simple commands of a script', () => {
  it.each([
    ['a && b; c | d & e\nf', [['a'], ['b'], ['c'], ['d'], ['e'], ['f']]],
    [`echo 'a; b' "c && \\"d\\"" e\\ f # g; h`, [['echo', 'a; b', 'c && "d"', 'e f']]],
    ['A=1 B="x y" run \\\n  --flag', [['A=1', 'B=x y', 'run', '--flag']]],
    ['run > out.txt 2>&1 < in &> all', [['run']]],
    ['echo $(a; b) `c; d` "$(e "f; g")"', [['echo', '$(a; b)', '`c; d`', '$(e "f; g")']]],
    ['cat <<EOF > f\npytest\nEOF\nrun', [['cat'], ['run']]],
    ["echo 'open", [['echo', 'open']]],
    ['', []],
  ])('%j', (script, expected) => {
    expect(textsOf(script)).toEqual(expected)
  })

  it('tells how deep a command stands', () => {
    const script = 'a\nif b; then\n  c\nelse d; fi\nfor x in 1 2; do e; done\n( f )\ng'
    expect(splitCommands(script).map((command) => [command.words[0]?.text, command.depth])).toEqual([
      ['a', 0],
      ['b', 1],
      ['c', 1],
      ['d', 1],
      ['e', 1],
      ['f', 1],
      ['g', 0],
    ])
  })
})

describe('the test command of a step', () => {
  it.each([
    ['python', 'python -m pytest -q', true],
    ['python', 'poetry run pytest', true],
    ['python', 'coverage run -m pytest', true],
    ['python', 'pip install pytest', false],
    ['python', 'echo pytest', false],
    ['python', 'if x; then pytest; fi', true],
    ['go', 'go test ./...', true],
    ['go', 'CGO_ENABLED=1 go -C sub test', true],
    ['go', 'go vet ./... # go test', false],
    ['go', 'go install gotest.tools/gotestsum', false],
    ['rust', 'cargo +nightly test --all', true],
    ['rust', 'cargo build --tests', false],
    ['cpp', 'cd build && ctest', true],
    ['cpp', 'cmake --build build --target test', true],
    ['cpp', 'cmake --build build', false],
    ['cpp', 'make test', true],
  ] as const)('%s: %s', (language, script, expected) => {
    expect(languageOf(language).isTestCommand(script)).toBe(expected)
  })

  it('is found with what stands before it, and what of that sets the scene', () => {
    const found = findCommand(
      'set -x\npip install .\ncd lib && A=1 poetry run pytest -q; echo done',
      findPytest,
    )
    expect(found && { before: found.before, scene: found.scene, head: headText(found) }).toEqual({
      before: 'set -x\npip install .\ncd lib',
      scene: 'set -x\ncd lib',
      head: 'A=1 poetry run pytest',
    })
  })

  it('keeps what changes plugins and environment, and drops what selects, stops or shows', () => {
    const script =
      'pytest -x -q --maxfail 2 -k "a or b" -m slow -p no:cacheprovider --ds settings --import-mode=importlib --cov=lib -n auto --runslow tests/ a.py::t'
    const tree = { list: () => ['tests/test_a.py', 'a.py'], read: () => undefined }
    const found = findCommand(script, findPytest)
    expect(keptOptions(found?.args ?? [], pytestRule(tree, '.'))).toEqual([
      '-p',
      'no:cacheprovider',
      '--ds',
      'settings',
      '--import-mode=importlib',
      '--runslow',
    ])
  })
})
