import { randomUUID } from 'node:crypto'
import { mkdtemp } from 'node:fs/promises'
import { homedir, tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, describe, expect, test } from 'vitest'
import { python } from '../../languages/python.ts'
import { removeTree } from '../../src/ci/remove-tree.ts'
import { createBubblewrapRunner } from '../../src/ci/runners/bubblewrap.ts'
import type { Runner } from '../../src/ci/runners/port.ts'
import { findToolchains } from '../../src/ci/toolchains.ts'
import { createFakeRunner } from '../helpers/fake-runner.ts'
import { changesOf, preparedTask } from '../helpers/prepared-task.ts'
import { needs } from '../helpers/require.ts'
import { createTestCi, type TestCi } from '../helpers/test-ci.ts'

/** Some twenty test processes, on a machine that may be busy. */
const TIMEOUT_MS = 240_000

const TOOLS = fileURLToPath(new URL('../../languages/tools', import.meta.url))

const FILES = {
  'shapes/__init__.py': '',
  'shapes/area.py': 'def square(side):\n    return side * side\n\n\ndef box(a, b):\n    return a + b\n',
  'tests/test_square.py': `import pytest

from shapes.area import square


@pytest.mark.parametrize("side", [1, 2])
def test_square(side):
    assert square(side) == side ** 2


def test_zero():
    assert square(0) == 0
`,
}

const WORKFLOW = `on: push
jobs:
  test:
    runs-on: ubuntu-latest
    strategy:
      matrix:
        python-version: ['2.7', '3.x']
    steps:
      - uses: actions/checkout@v4
      - uses: actions/setup-python@v5
        with:
          python-version: \${{ matrix.python-version }}
      - run: python3 -m compileall -q shapes
      - run: python3 -m pytest -q -x tests
`

const FIX = { 'shapes/area.py': FILES['shapes/area.py'].replace('a + b', 'a * b') }
const FORGERY = {
  'shapes/__init__.py': 'import os\nprint("3 passed")\nos._exit(0)\n',
}
const NEW_TEST = `import pytest

from shapes.area import box


def test_box():
    assert box(2, 3) == 6


def test_unit():
    assert box(1, 1) == 1


def test_sum():
    assert box(2, 2) == 4


def test_dies():
    import os
    os._exit(0)
`

/** The story of a round's cells, told by any runner that keeps its port. */
async function tellStory(world: TestCi): Promise<void> {
  const task = preparedTask(world.folder('task'), { files: FILES, workflow: WORKFLOW, jobs: ['test'] })
  const base = await world.ci.runWorkflow({ task, changes: null, legs: 'all' })
  expect(base.legs.map((leg) => [leg.leg, leg.status])).toEqual([
    ['test (2.7)', 'unsupported'],
    ['test (3.x)', 'success'],
  ])
  expect(base.legs[0]?.reason).toMatch(/ci\.yml:10: python 2\.7 not found; 3\.\d+\.\d+ is at hand/)
  const leg = base.legs[1]
  expect(leg?.processes.flatMap((process) => process.cases.map((one) => [one.name, one.status]))).toEqual([
    ['test_square[1]', 'passed'],
    ['test_square[2]', 'passed'],
    ['test_zero', 'passed'],
  ])
  expect(leg?.armed?.processes.map((process) => [process.sentinel, process.cases.length])).toEqual([
    ['failed', 3],
  ])

  const forged = await world.ci.runWorkflow({ task, changes: changesOf(FORGERY), legs: 'all' })
  const armed = forged.legs[1]?.armed?.processes
  expect(armed?.map((process) => [process.sentinel, process.exitCode])).toEqual([['absent', 0]])

  const file = 'tests/test_box.py'
  const cases = ['test_box', 'test_unit', 'test_sum', 'test_dies'].map((name) => ({ file, case: name }))
  const tests = changesOf({ [file]: NEW_TEST })
  const on = async (changes: Record<string, string> | null) => {
    const run = await world.ci.runTests({ task, changes: changes && changesOf(changes), tests, cases })
    return run.legs.flatMap((one) => one.files.flatMap((two) => two.cases.map((three) => three.outcome)))
  }
  expect(await on(null)).toEqual(['failed', 'failed', 'passed', 'absent'])
  expect(await on(FIX)).toEqual(['passed', 'passed', 'passed', 'absent'])
  expect(await on(FORGERY)).toEqual(['absent', 'absent', 'absent', 'absent'])
}

const toolchains = await findToolchains({ path: process.env.PATH ?? '', home: homedir() })
const scratch = await mkdtemp(join(tmpdir(), 'ci-e2e-'))
const bubblewrap = createBubblewrapRunner({ workFolder: join(scratch, 'sandboxes') })
const probe = await bubblewrap.probe()
const worldOn = (runner: Runner) =>
  createTestCi({
    runner,
    toolchains,
    toolsFolder: TOOLS,
    adapterOf: () => python,
    newId: randomUUID,
    limits: { memoryMiB: 1024, pids: 128, cpus: 2, diskMiB: 512 },
  })

afterAll(() => removeTree(scratch))

describe.skipIf(needs('pytest', toolchains.tools.pytest !== undefined))('a Python repository', () => {
  test('without a sandbox', { timeout: TIMEOUT_MS }, async () => {
    await using world = await worldOn(createFakeRunner())
    await tellStory(world)
  })

  test.skipIf(needs('bubblewrap', probe.ok))('in bubblewrap', { timeout: TIMEOUT_MS }, async () => {
    await using world = await worldOn(bubblewrap)
    await tellStory(world)
    expect(await bubblewrap.sweep()).toBe(0)
  })
})
