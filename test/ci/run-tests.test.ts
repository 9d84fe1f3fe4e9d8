import { describe, expect, test } from 'vitest'
import { RunnerUnavailableError } from '../../src/errors.ts'
import { RUN_FILE, RUN_TESTS } from '../helpers/line-language.ts'
import { changesOf, preparedTask } from '../helpers/prepared-task.ts'
import { createTestCi, type TestCi } from '../helpers/test-ci.ts'

const FILES = {
  'run-tests.sh': RUN_TESTS,
  'run-file.sh': RUN_FILE,
  'value.txt': 'one\n',
  'tests/a.t': 'is_one: grep -q one value.txt\n',
}

const WORKFLOW = `on: push
env:
  LEVEL: workflow
jobs:
  test:
    runs-on: ubuntu-latest
    steps:
      - run: grep -q one value.txt && echo MARK=set >> "$GITHUB_ENV"
      - name: Test
        env:
          LEVEL: step
        run: sh run-tests.sh
`

const taskIn = (world: TestCi, workflow = WORKFLOW) =>
  preparedTask(world.folder('task'), { files: FILES, workflow, jobs: ['test'] })

async function outcomes(world: TestCi, text: string, cases: readonly string[], changes = changesOf({})) {
  const file = 'tests/new.t'
  const run = await world.ci.runTests({
    task: taskIn(world),
    changes,
    tests: changesOf({ [file]: text }),
    cases: cases.map((name) => ({ file, case: name })),
  })
  return run.legs[0]?.files[0]?.cases.map((one) => one.outcome)
}

describe('the step arena tests', () => {
  test('each case is a process of its own: one that fails or dies takes no other with it', async () => {
    await using world = await createTestCi()
    const text = 'good: true\nbad: false\ndies: kill -9 $$\nlast: true\n'
    expect(await outcomes(world, text, ['good', 'bad', 'dies', 'last'])).toEqual([
      'passed',
      'failed',
      'absent',
      'passed',
    ])
  })

  test('a case that ends its process with exit 0 before the sentinel ran is absent, never passed', async () => {
    await using world = await createTestCi()
    const text = 'forged: echo "passed forged" >> "$out"; kill -9 $$\n'
    expect(await outcomes(world, text, ['forged'])).toEqual(['absent'])
  })

  test('a process that ends with 0 though its report says that the sentinel failed is not believed', async () => {
    await using world = await createTestCi()
    const endsWith0 = changesOf({ 'run-file.sh': RUN_FILE.replace(/exit \$code\n$/, 'exit 0\n') })
    expect(await outcomes(world, 'good: true\n', ['good'], endsWith0)).toEqual(['absent'])
  })

  test('a case that is not in its file is absent', async () => {
    await using world = await createTestCi()
    expect(await outcomes(world, 'good: true\n', ['missing'])).toEqual(['absent'])
  })

  test('a case over its time is timed out', async () => {
    await using world = await createTestCi({ timeouts: { stepMs: 20_000, buildMs: 20_000, caseMs: 300 } })
    expect(await outcomes(world, 'slow: sleep 20\ngood: true\n', ['slow', 'good'])).toEqual([
      'timed_out',
      'passed',
    ])
  })

  test('a file that does not build has cases that are not built', async () => {
    await using world = await createTestCi()
    expect(await outcomes(world, 'one: true # BROKEN\n', ['one'])).toEqual(['not_built'])
  })

  test('a tree whose set-up fails builds no test', async () => {
    await using world = await createTestCi()
    expect(await outcomes(world, 'one: true\n', ['one'], changesOf({ 'value.txt': 'two\n' }))).toEqual([
      'not_built',
    ])
  })

  test('it has the environment of the test step and of the steps before it, and the commands are kept', async () => {
    await using world = await createTestCi()
    const file = 'tests/new.t'
    const run = await world.ci.runTests({
      task: taskIn(world),
      changes: null,
      tests: changesOf({ [file]: 'env: test "$LEVEL $MARK $STEP" = "step set sh run-tests.sh"\n' }),
      cases: [{ file, case: 'env' }],
    })
    const found = run.legs[0]?.files[0]
    expect(found?.cases[0]?.outcome).toBe('passed')
    expect(found?.commands[0]).toContain('grep -q BROKEN')
    expect(found?.commands[1]).toContain('run-file.sh tests/new.t env')
  })

  test('each file has a tree of its own: what one changes the other does not see; helper files are in both', async () => {
    await using world = await createTestCi()
    const run = await world.ci.runTests({
      task: taskIn(world),
      changes: null,
      tests: changesOf({
        'tests/x.t': 'spoils: test -f helper.txt && echo two > value.txt\n',
        'tests/y.t': 'reads: test -f helper.txt && grep -q one value.txt && test ! -f tests/x.t\n',
        'helper.txt': 'x',
      }),
      cases: [
        { file: 'tests/x.t', case: 'spoils' },
        { file: 'tests/y.t', case: 'reads' },
      ],
    })
    expect(run.legs[0]?.files.map((file) => [file.path, file.cases[0]?.outcome])).toEqual([
      ['tests/x.t', 'passed'],
      ['tests/y.t', 'passed'],
    ])
  })

  test('a sandbox that breaks for one file leaves the other files and says so', async () => {
    await using world = await createTestCi({ parallel: 1 })
    const task = taskIn(world)
    await world.ci.runWorkflow({ task, changes: null, legs: 'all' })
    world.runner.failures.push(new RunnerUnavailableError('gone'))
    const run = await world.ci.runTests({
      task,
      changes: null,
      tests: changesOf({ 'tests/x.t': 'x: true\n', 'tests/y.t': 'y: true\n' }),
      cases: [
        { file: 'tests/x.t', case: 'x' },
        { file: 'tests/y.t', case: 'y' },
      ],
    })
    expect(run.legs[0]?.infra?.message).toBe('gone')
    expect(run.legs[0]?.files.map((file) => file.cases[0]?.outcome)).toEqual(['infra', 'passed'])
  })

  test('outputs of a needed job reach the test step', async () => {
    await using world = await createTestCi()
    const workflow = `on: push
jobs:
  first:
    runs-on: ubuntu-latest
    outputs:
      word: \${{ steps.a.outputs.word }}
    steps:
      - id: a
        run: echo word=hello >> "$GITHUB_OUTPUT"
  test:
    needs: first
    runs-on: ubuntu-latest
    env:
      WORD: \${{ needs.first.outputs.word }}
    steps:
      - run: sh run-tests.sh
`
    const task = preparedTask(world.folder('n'), { files: FILES, workflow, jobs: ['test'] })
    const run = await world.ci.runTests({
      task,
      changes: null,
      tests: changesOf({ 'tests/x.t': 'x: test "$WORD" = hello\n' }),
      cases: [{ file: 'tests/x.t', case: 'x' }],
    })
    expect(run.legs.map((leg) => [leg.leg, leg.files[0]?.cases[0]?.outcome])).toEqual([['test', 'passed']])
  })

  test('every leg with a test step runs them, and no other', async () => {
    await using world = await createTestCi()
    const workflow = `on: push
jobs:
  test:
    strategy:
      matrix:
        n: [1, 2]
    runs-on: ubuntu-latest
    steps:
      - run: sh run-tests.sh
  lint:
    runs-on: ubuntu-latest
    steps:
      - run: 'true'
`
    const task = preparedTask(world.folder('m'), { files: FILES, workflow, jobs: ['test', 'lint'] })
    const run = await world.ci.runTests({
      task,
      changes: null,
      tests: changesOf({ 'tests/x.t': 'x: true\n' }),
      cases: [{ file: 'tests/x.t', case: 'x' }],
    })
    expect(run.legs.map((leg) => leg.leg)).toEqual(['test (1)', 'test (2)'])
  })
})
