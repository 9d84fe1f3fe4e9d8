import { readdir } from 'node:fs/promises'
import { describe, expect, test } from 'vitest'
import { RunnerUnavailableError } from '../../src/errors.ts'
import { RUN_FILE, RUN_TESTS } from '../helpers/line-language.ts'
import { changesOf, preparedTask } from '../helpers/prepared-task.ts'
import { createTestCi } from '../helpers/test-ci.ts'

const FILES = {
  'run-tests.sh': RUN_TESTS,
  'run-file.sh': RUN_FILE,
  'value.txt': 'one\n',
  'tests/a.t': 'is_one: grep -q one value.txt\nis_there: test -f value.txt\n',
  'tests/b.t': 'always: true\n',
}

const WORKFLOW = `name: CI
on: push
jobs:
  test:
    runs-on: ubuntu-latest
    steps:
      - uses: actions/checkout@v4
      - name: Build
        run: |
          echo built >> built.txt
          echo FROM_BUILD=yes >> "$GITHUB_ENV"
      - name: Test
        run: sh run-tests.sh
      - name: After
        run: test "$FROM_BUILD" = yes && wc -l < built.txt
`

const all = { legs: 'all' } as const

describe('a workflow on a tree', () => {
  test('runs every step and reads every case, and arms what base reported', async () => {
    await using world = await createTestCi()
    const task = preparedTask(world.folder('task'), { files: FILES, workflow: WORKFLOW, jobs: ['test'] })
    const run = await world.ci.runWorkflow({ task, changes: null, ...all })
    const leg = run.legs[0]
    expect(leg).toMatchObject({ leg: 'test', status: 'success', testStep: 2, infra: null })
    expect(leg?.steps.map((step) => [step.name, step.conclusion])).toEqual([
      ['Run actions/checkout@v4', 'success'],
      ['Build', 'success'],
      ['Test', 'success'],
      ['After', 'success'],
    ])
    expect(world.log(leg?.steps[3]?.log).trim()).toBe('1')
    expect(
      leg?.processes.flatMap((process) =>
        process.cases.map((one) => `${one.suite}::${one.name} ${one.status}`),
      ),
    ).toEqual(['tests/a.t::is_one passed', 'tests/a.t::is_there passed', 'tests/b.t::always passed'])
    expect(
      leg?.armed?.processes.map((process) => [process.process, process.sentinel, process.cases.length]),
    ).toEqual([
      ['lines:tests/a.t', 'failed', 2],
      ['lines:tests/b.t', 'failed', 1],
    ])
    expect(leg?.armed?.steps.map((step) => step.conclusion)).toEqual(['failure'])
  })

  test('sets a leg up once for the plain run, the armed run and the test files', async () => {
    await using world = await createTestCi()
    const task = preparedTask(world.folder('task'), { files: FILES, workflow: WORKFLOW, jobs: ['test'] })
    await world.ci.runWorkflow({ task, changes: null, ...all })
    expect(world.runner.opened).toHaveLength(3)
    await world.ci.runTests({
      task,
      changes: null,
      tests: changesOf({ 'tests/new.t': 'good: true\n' }),
      cases: [{ file: 'tests/new.t', case: 'good' }],
    })
    expect(world.runner.opened).toHaveLength(4)
  })

  test('a layer that was evicted is built again, with the same result', async () => {
    await using world = await createTestCi({ layerBytes: 1, parallel: 1 })
    const task = preparedTask(world.folder('task'), { files: FILES, workflow: WORKFLOW, jobs: ['test'] })
    const first = await world.ci.runWorkflow({ task, changes: null, ...all })
    expect(world.runner.opened.length).toBe(4)
    expect(await readdir(`${world.workFolder}/setups`)).toEqual([])
    const second = await world.ci.runWorkflow({ task, changes: null, ...all })
    expect(second).toEqual(first)
  })

  test('base and patches that start together run base once for what they arm', async () => {
    await using world = await createTestCi({ parallel: 4 })
    const task = preparedTask(world.folder('task'), { files: FILES, workflow: WORKFLOW, jobs: ['test'] })
    const trees = [null, changesOf({ 'value.txt': 'two\n' }), changesOf({ 'value.txt': 'one and two\n' })]
    const runs = await Promise.all(trees.map((changes) => world.ci.runWorkflow({ task, changes, ...all })))
    expect(runs.map((run) => run.legs[0]?.armed?.processes.length)).toEqual([2, 2, 2])
    // Three sandboxes a tree: set-up, plain, armed.
    expect(world.runner.opened.length).toBe(9)
  })

  test('of runs that wait for the same sandboxes the first one asked for ends first', async () => {
    await using world = await createTestCi({ parallel: 1 })
    const task = preparedTask(world.folder('task'), { files: FILES, workflow: WORKFLOW, jobs: ['test'] })
    await world.ci.runWorkflow({ task, changes: null, ...all })
    const before = world.runner.opened.length
    const openedAtEnd = ['two', 'three', 'four'].map(async (text) => {
      await world.ci.runWorkflow({ task, changes: changesOf({ 'value.txt': `${text}\n` }), ...all })
      return world.runner.opened.length - before
    })
    const [first = 0, , third = 0] = await Promise.all(openedAtEnd)
    // While a run goes from one sandbox to its next, another one may take the slot; a second one may not.
    expect(first).toBeLessThanOrEqual((2 * third) / 3)
  })

  test('a patch run before base runs base by itself', async () => {
    await using world = await createTestCi()
    const task = preparedTask(world.folder('task'), { files: FILES, workflow: WORKFLOW, jobs: ['test'] })
    const run = await world.ci.runWorkflow({ task, changes: changesOf({ 'value.txt': 'one!\n' }), ...all })
    expect(run.legs[0]?.armed?.processes.map((process) => process.sentinel)).toEqual(['failed', 'failed'])
  })

  test('a patch that breaks a case fails its leg, and its cases say which', async () => {
    await using world = await createTestCi()
    const task = preparedTask(world.folder('task'), { files: FILES, workflow: WORKFLOW, jobs: ['test'] })
    const run = await world.ci.runWorkflow({ task, changes: changesOf({ 'value.txt': 'two\n' }), ...all })
    expect(run.legs[0]?.status).toBe('failure')
    expect(run.legs[0]?.steps.map((step) => step.conclusion)).toEqual([
      'success',
      'success',
      'failure',
      'skipped',
    ])
    const cases = run.legs[0]?.processes.flatMap((process) => process.cases)
    expect(cases?.find((one) => one.name === 'is_one')?.status).toBe('failed')
    expect(run.legs[0]?.armed?.processes.every((process) => process.sentinel === 'failed')).toBe(true)
  })

  test('a patch whose build fails has no test results and absent sentinels', async () => {
    await using world = await createTestCi()
    const workflow = WORKFLOW.replace('echo built >> built.txt', 'grep -q one value.txt')
    const task = preparedTask(world.folder('task'), { files: FILES, workflow, jobs: ['test'] })
    const run = await world.ci.runWorkflow({ task, changes: changesOf({ 'value.txt': 'two\n' }), ...all })
    expect(run.legs[0]).toMatchObject({ status: 'failure', processes: [] })
    expect(run.legs[0]?.armed?.processes.map((process) => process.sentinel)).toEqual(['absent', 'absent'])
  })

  test('a test process that ends before it reports leaves an absent sentinel', async () => {
    await using world = await createTestCi()
    const task = preparedTask(world.folder('task'), {
      files: { ...FILES, 'tests/a.t': 'sources: . ./lib.sh\n', 'lib.sh': 'true\n' },
      workflow: WORKFLOW,
      jobs: ['test'],
    })
    const forging =
      'echo "passed sources" >> "$REPORTS/a.t.txt"; echo "exit 0" >> "$REPORTS/a.t.txt"; kill -9 $$\n'
    const run = await world.ci.runWorkflow({ task, changes: changesOf({ 'lib.sh': forging }), ...all })
    const armed = run.legs[0]?.armed?.processes.find((process) => process.process === 'lines:tests/a.t')
    expect(armed).toMatchObject({ sentinel: 'absent', exitCode: 0 })
  })

  test('git has one clean root commit on every tree, and only its tree differs', async () => {
    await using world = await createTestCi()
    const workflow = `on: push
jobs:
  test:
    runs-on: ubuntu-latest
    steps:
      - run: |
          git status --porcelain
          git rev-list --all --count
          git cat-file commit HEAD | tail -n +2
          test "$(git rev-parse HEAD)" = "$GITHUB_SHA"
`
    const task = preparedTask(world.folder('task'), {
      files: { ...FILES, '.gitignore': '*.log\n' },
      workflow,
      jobs: ['test'],
    })
    const changes = changesOf({ 'value.txt': null, 'value.txt/now-a-folder': 'x', 'ignored.log': 'x' })
    const base = await world.ci.runWorkflow({ task, changes: null, ...all })
    const patched = await world.ci.runWorkflow({ task, changes, ...all })
    expect(patched.legs[0]?.status).toBe('success')
    expect(world.log(patched.legs[0]?.steps[0]?.log)).toMatch(/^1\n/)
    expect(patched.legs[0]?.steps[0]?.log).toBe(base.legs[0]?.steps[0]?.log)
    expect(patched.tree).not.toBe(base.tree)
  })

  test('empty changes are the base tree', async () => {
    await using world = await createTestCi()
    const task = preparedTask(world.folder('task'), { files: FILES, workflow: WORKFLOW, jobs: ['test'] })
    const base = await world.ci.runWorkflow({ task, changes: null, legs: 'lint' })
    const same = await world.ci.runWorkflow({ task, changes: changesOf({}), legs: 'lint' })
    expect(same.tree).toBe(base.tree)
  })

  test('the candidate cannot change the workflow that judges it', async () => {
    await using world = await createTestCi()
    const task = preparedTask(world.folder('task'), { files: FILES, workflow: WORKFLOW, jobs: ['test'] })
    const changes = changesOf({ '.github/workflows/ci.yml': 'on: push\njobs: {}\n', 'value.txt': 'two\n' })
    expect((await world.ci.runWorkflow({ task, changes, ...all })).legs[0]?.status).toBe('failure')
  })

  test('a broken sandbox is a value with its evidence, and the next run is clean', async () => {
    await using world = await createTestCi()
    const task = preparedTask(world.folder('task'), { files: FILES, workflow: WORKFLOW, jobs: ['test'] })
    world.runner.failures.push(new RunnerUnavailableError('the daemon does not answer'))
    const broken = await world.ci.runWorkflow({ task, changes: null, ...all })
    expect(broken.legs[0]).toMatchObject({
      status: 'infra_error',
      testStep: 2,
      infra: { source: 'sandbox', message: 'the daemon does not answer' },
    })
    const next = await world.ci.runWorkflow({ task, changes: null, ...all })
    expect(next.legs[0]?.status).toBe('success')
    expect(next.legs[0]?.armed?.processes).toHaveLength(2)
  })

  test('nothing is left behind: no open sandbox, no shared folder, no layer after close', async () => {
    const world = await createTestCi()
    const task = preparedTask(world.folder('task'), { files: FILES, workflow: WORKFLOW, jobs: ['test'] })
    await world.ci.runWorkflow({ task, changes: null, ...all })
    expect(world.runner.load.now).toBe(0)
    expect(await readdir(`${world.workFolder}/io`)).toEqual([])
    await world.ci.close()
    expect(await readdir(`${world.workFolder}/setups`)).toEqual([])
    await world[Symbol.asyncDispose]()
  })

  test('counts the sandboxes, the commands in them and their CPU time', async () => {
    await using world = await createTestCi()
    const task = preparedTask(world.folder('task'), { files: FILES, workflow: WORKFLOW, jobs: ['test'] })
    expect(world.ci.usage()).toEqual({ sandboxes: 0, commands: 0, cpuMs: 0 })
    await world.ci.runWorkflow({ task, changes: null, ...all })
    // Set-up with the commit of the tree and Build; Test and After; Test armed. The fake gives each sandbox 10 ms.
    expect(world.ci.usage()).toEqual({ sandboxes: 3, commands: 5, cpuMs: 30 })
  })

  test('lint legs are those without a test step, plain', async () => {
    await using world = await createTestCi()
    const workflow = `${WORKFLOW}  lint:
    runs-on: ubuntu-latest
    steps:
      - run: '! grep -rn FORBIDDEN tests'
`
    const task = preparedTask(world.folder('task'), { files: FILES, workflow, jobs: ['test', 'lint'] })
    const changes = changesOf({ 'tests/new.t': 'FORBIDDEN: true\n' })
    const run = await world.ci.runWorkflow({ task, changes, legs: 'lint' })
    expect(run.legs.map((leg) => [leg.leg, leg.status, leg.armed])).toEqual([['lint', 'failure', null]])
  })
})

describe('an aborted run', () => {
  test('ends with the reason, leaves no sandbox open, and spoils no later run', async () => {
    await using world = await createTestCi()
    const workflow = `on: push
jobs:
  test:
    runs-on: ubuntu-latest
    steps:
      - run: test ! -f wait || sleep 30
      - run: sh run-tests.sh
`
    const task = preparedTask(world.folder('task'), { files: FILES, workflow, jobs: ['test'] })
    const abort = new AbortController()
    const waiting = world.ci.runWorkflow({
      task,
      changes: changesOf({ wait: '' }),
      ...all,
      signal: abort.signal,
    })
    const caught = waiting.catch((error: unknown) => error)
    const started = async (): Promise<void> => {
      while (world.runner.opened.length === 0) await new Promise((resolve) => setImmediate(resolve))
    }
    await started()
    abort.abort(new Error('enough'))
    expect(await caught).toMatchObject({ message: 'enough' })
    expect(world.runner.load.now).toBe(0)
    expect((await world.ci.runWorkflow({ task, changes: null, ...all })).legs[0]?.status).toBe('success')
  })
})
