import { describe, expect, test } from 'vitest'
import { python } from '../../languages/python.ts'
import type { LintFinding, LintProfile } from '../../src/schema/lint.ts'
import { lintTask } from '../../src/task/lint.ts'
import { changesOf, preparedTask } from '../helpers/prepared-task.ts'
import { temporaryFolder } from '../helpers/repository.ts'

const BASE = 'def area(side):\n    return side + side\n'
const FIX = `def area(side):
    if side < 0:
        raise ValueError("a side is not negative: got " + str(side))
    return side * side
`
const ISSUE = 'area(3) gives 6 where 9 is right, and a negative side is not refused at all.'

interface Planted {
  readonly issue?: string
  readonly golden?: Readonly<Record<string, string | null>>
  readonly tests?: Readonly<Record<string, string | null>> | null
  readonly licence?: string | null
  readonly patchLength?: number
}

function lint(planted: Planted, profile: LintProfile = 'arena'): readonly LintFinding[] {
  using folder = temporaryFolder('lint')
  const task = preparedTask(folder.path, {
    files: {
      'shapes/area.py': BASE,
      'README.md': 'Shapes\n',
      'tests/test_old.py': 'def test_old():\n    pass\n',
    },
    workflow: 'on: push\n',
    jobs: ['test'],
  })
  const { loaded } = task
  const { licence = 'MIT' } = planted
  const { tests = { 'tests/test_area.py': 'def test_area():\n    assert area(3) == 9\n' } } = planted
  return lintTask(
    {
      ...task,
      loaded: {
        ...loaded,
        task: { ...loaded.task, ...(licence === null ? {} : { licence }) },
        statements: { original: planted.issue ?? ISSUE, refined: null },
        goldenPatch: Buffer.alloc(planted.patchLength ?? 400, 'x'),
      },
      golden: changesOf(planted.golden ?? { 'shapes/area.py': FIX }),
      upstreamTests: tests === null ? null : changesOf(tests),
    },
    python,
    profile,
  )
}

const codesOf = (findings: readonly LintFinding[]): readonly string[] =>
  findings.map(({ code, severity }) => `${severity}: ${code}`)

const LINKS = 'https://forge.example/issues/1 ![screen](https://forge.example/1.png)'

describe('lint of a task', () => {
  test('finds nothing in a good task, by either profile', () => {
    expect(lint({})).toEqual([])
    expect(lint({}, 'swingarena')).toEqual([])
  })

  const cases: readonly (readonly [string, Planted, string])[] = [
    ['an issue without text', { issue: ' \n' }, 'error: statement-empty'],
    ['a short issue', { issue: 'area is wrong' }, 'error: statement-short'],
    ['an endless issue', { issue: `${ISSUE}${'x'.repeat(30_000)}` }, 'error: statement-long'],
    ['an issue behind links', { issue: LINKS }, 'error: statement-only-links'],
    ['an issue with a diff', { issue: `${ISSUE}\n@@ -1,2 +1,4 @@\n` }, 'error: statement-has-diff'],
    [
      'an issue with a long line of the fix',
      { issue: `${ISSUE}\n\n    raise  ValueError("a side is not negative: got " + str(side))` },
      'error: statement-leaks-fix',
    ],
    [
      'an issue with two lines of the fix in a row',
      {
        issue: `${ISSUE}\n\nif side < 0:\n  return refuse(side)\n`,
        golden: { 'shapes/area.py': `${BASE}\nif side < 0:\n    return refuse(side)\nprint(1)\n` },
      },
      'error: statement-leaks-fix',
    ],
    [
      'a fix of the workflow',
      { golden: { 'shapes/area.py': FIX, '.github/workflows/ci.yml': 'on: pull_request\n' } },
      'error: fix-edits-ci',
    ],
    [
      'a fix of the test runner',
      { golden: { 'shapes/area.py': FIX, 'conftest.py': 'x = 1\n' } },
      'error: fix-edits-ci',
    ],
    [
      'a fix of Markdown alone',
      { golden: { 'README.md': 'One\nTwo\nThree\nFour\n' } },
      'error: fix-other-language',
    ],
    [
      'a fix of one line',
      { golden: { 'shapes/area.py': `${BASE}# done\n\nprint(1)\n` } },
      'error: fix-small',
    ],
    [
      'a fix with tests in it',
      { golden: { 'shapes/area.py': FIX, 'tests/test_old.py': 'def test_old():\n    assert 1\n' } },
      'warning: fix-holds-tests',
    ],
    ['no test patch', { tests: null }, 'error: tests-empty'],
    ['a test patch without a test', { tests: { 'README.md': 'Tests\n' } }, 'error: tests-empty'],
    [
      'a test patch that edits sources',
      { tests: { 'tests/test_a.py': 'def test_a():\n    pass\n', 'shapes/area.py': FIX } },
      'error: tests-edit-source',
    ],
    [
      'tests that ask a host',
      { tests: { 'tests/test_a.py': 'def test_a():\n    get("https://forge.io/x")\n' } },
      'warning: tests-name-hosts',
    ],
    ['no licence', { licence: null }, 'warning: licence-missing'],
  ]
  test.each(cases)('tells %s', (_, planted, expected) => {
    const findings = lint(planted)
    expect(codesOf(findings)).toEqual([expected])
    expect(findings[0]?.remedy).not.toBe('')
  })

  test('does not take lines that the repository has for a leak, nor hosts that are nobody’s', () => {
    expect(lint({ issue: `${ISSUE}\n\ndef area(side):\n    return side + side\n` })).toEqual([])
    const tests = {
      'tests/test_a.py': 'def test_a():\n    get("http://localhost:80/a", "https://api.example.com/x")\n',
    }
    expect(lint({ tests })).toEqual([])
  })

  test.each([
    ['a long issue', { issue: `${ISSUE}${'x'.repeat(3000)}` }, 'error: statement-long'],
    ['a picture', { issue: `${ISSUE} <img src="a.png">` }, 'error: statement-has-images'],
    [
      'many files',
      {
        golden: Object.fromEntries(['a', 'b', 'c', 'd', 'e', 'f'].map((name) => [`shapes/${name}.py`, FIX])),
      },
      'error: fix-many-files',
    ],
    ['a tiny patch', { patchLength: 20 }, 'error: fix-size'],
  ])('by the paper’s filters tells %s', (_, planted, expected) => {
    expect(codesOf(lint(planted, 'swingarena'))).toEqual([expected])
    expect(lint(planted)).toEqual([])
  })
})
