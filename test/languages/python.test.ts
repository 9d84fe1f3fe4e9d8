import { spawnSync } from 'node:child_process'
import { describe, expect, it } from 'vitest'
import { python } from '../../languages/python.ts'
import { needs } from '../helpers/require.ts'
import { armedOutcomes, changesOf, hasTool, runCase, statuses, workplace } from './run-script.ts'

const isPytestAtHand = (interpreter: string): boolean =>
  spawnSync(interpreter, ['-m', 'pytest', '--version'], { cwd: '/' }).status === 0

/** Debian's own Python has no plain `python`. */
const PYTHON = hasTool('python') ? 'python' : 'python3'

const FILES = {
  'shapes/__init__.py': '',
  'shapes/area.py': 'def area(a, b):\n    return a * b\n',
  'tests/test_area.py': [
    'import pytest',
    'from shapes.area import area',
    '',
    'def test_square():',
    '    assert area(2, 2) == 4',
    '',
    '@pytest.mark.parametrize("a", [1, 2])',
    'def test_many(a):',
    '    assert area(a, 1) == a',
    '',
    'def test_wrong():',
    '    assert area(2, 3) == 5',
    '',
    '@pytest.mark.skip(reason="later")',
    'def test_later():',
    '    pass',
    '',
  ].join('\n'),
  'tests/test_other.py': 'def test_square():\n    assert True\n',
}

const QUIET = `${PYTHON} -m pytest -q -p no:cacheprovider`

describe.skipIf(needs('pytest', isPytestAtHand(PYTHON)))('python in a real pytest', () => {
  it('reports each case by file and whole name, and the exit code that the kernel gave', () => {
    using place = workplace(python, FILES)
    const ran = place.run(QUIET)
    expect(statuses(python, ran)).toEqual({
      'tests/test_area.py::test_square': 'passed',
      'tests/test_area.py::test_many[1]': 'passed',
      'tests/test_area.py::test_many[2]': 'passed',
      'tests/test_area.py::test_wrong': 'failed',
      'tests/test_area.py::test_later': 'skipped',
      'tests/test_other.py::test_square': 'passed',
    })
    const [report] = python.readReports(ran.reports)
    expect(report).toMatchObject({ process: 'pytest:1', exitCode: 1, signal: null, complete: true })
    expect(report?.cases.find((test) => test.name === 'test_wrong')?.message).toContain('assert 6 == 5')
    expect(ran.exitCode).toBe(1)
  })

  it('keeps what the step sets itself, on the command line or in its environment', () => {
    using place = workplace(python, {
      'src/deep.py': 'X = 1\n',
      'tests/test_deep.py': 'import deep\ndef test_x():\n    assert deep.X == 1\n',
    })
    const found = { 'tests/test_deep.py::test_x': 'passed' }
    expect(statuses(python, place.run(`PYTHONPATH=src ${QUIET}`))).toEqual(found)
    expect(statuses(python, place.run('PYTHONPATH=src pytest'))).toEqual(found)
    const env = { PYTHONPATH: 'src', PYTEST_ADDOPTS: '-v' }
    const ran = place.run('pytest', env)
    expect(statuses(python, ran)).toEqual(found)
    expect(ran.output).toContain('test_x PASSED')
  })

  it('counts two calls of a step apart, and names files from the repository when the step runs in a folder', () => {
    using place = workplace(python, {
      'lib/tests/test_a.py': 'def test_a(): pass\n',
      'lib/pytest.ini': '[pytest]\n',
    })
    const ran = place.run(`${QUIET}; cd tests; ${QUIET} test_a.py`, {}, 'lib')
    const reports = python.readReports(ran.reports)
    expect(reports.map((report) => report.process)).toEqual(['pytest:1', 'pytest:2'])
    expect(reports.flatMap((report) => report.cases.map((test) => test.suite))).toEqual([
      'lib/tests/test_a.py',
      'lib/tests/test_a.py',
    ])
  })

  it('reports a file that does not import, a crash by signal and a session without an end', () => {
    using place = workplace(python, {
      'tests/test_broken.py': 'import nowhere\n',
      'tests/test_crash.py':
        'import os, signal\ndef test_ok(): pass\ndef test_crash(): os.kill(os.getpid(), signal.SIGKILL)\n',
    })
    expect(statuses(python, place.run(`${QUIET} tests/test_broken.py || true`))).toEqual({
      'tests/test_broken.py::(collection)': 'errored',
    })
    const crashed = place.run(`${QUIET} tests/test_crash.py || true`)
    expect(python.readReports(crashed.reports)).toMatchObject([
      {
        exitCode: null,
        signal: 'SIGKILL',
        complete: false,
        cases: [{ name: 'test_ok', status: 'passed' }],
      },
    ])
  })

  it.each([
    ['a whole run that stops at the first failure', `${QUIET} -x`],
    ['one file', `${QUIET} tests/test_other.py`],
    ['a name filter', `${QUIET} -k square`],
  ])('arms %s: its sentinel is reported failed', (_, script) => {
    using place = workplace(python, FILES)
    const plain = place.run(script)
    const { outcomes } = armedOutcomes(python, place, plain, script)
    expect(outcomes).toEqual({ 'pytest:1': 'failed, exit 1' })
  })

  it('arms methods of test classes', () => {
    using place = workplace(python, {
      'tests/test_k.py':
        'import unittest\nclass K(unittest.TestCase):\n    def test_a(self):\n        pass\n',
    })
    const script = `${QUIET} tests/test_k.py::K`
    expect(armedOutcomes(python, place, place.run(script), script).outcomes).toEqual({
      'pytest:1': 'failed, exit 1',
    })
  })

  it('does not report the sentinel failed when an import ends the process with exit code 0 and a report of its own', () => {
    using place = workplace(python, FILES)
    const plain = place.run(QUIET)
    place.write(
      changesOf({
        'shapes/area.py': [
          'import os, sys',
          'for argument in sys.argv:',
          '    if argument.startswith("--junitxml="):',
          '        open(argument[11:], "w").write("<testsuite tests=\'1\'/>")',
          'print("6 passed in 0.01s")',
          'os._exit(0)',
        ].join('\n'),
      }),
    )
    const forged = place.run(QUIET)
    expect(forged.exitCode).toBe(0)
    expect(statuses(python, forged)).toEqual({})
    const { outcomes } = armedOutcomes(python, place, plain, QUIET)
    expect(outcomes).toEqual({ 'pytest:1': 'absent, exit 0' })
  })

  it('keeps the kernel’s exit code whatever the tests write in the place of its record', () => {
    using place = workplace(python, {
      'tests/test_a.py': [
        'import os',
        'import arena_pytest',
        'folder = os.path.dirname(arena_pytest._recorder.path)',
        'def test_line():',
        '    with open(folder + "/exit.json", "w") as file:',
        '        file.write("{\\"code\\": 1, \\"signal\\": null}\\n")',
        'def test_folder():',
        '    os.mkdir(folder + "/exit.json")',
        '',
      ].join('\n'),
    })
    for (const name of ['test_line', 'test_folder']) {
      const ran = place.run(`${QUIET} tests/test_a.py::${name}`)
      expect(ran.exitCode, ran.output).toBe(0)
      expect(python.readReports(ran.reports)).toMatchObject([
        { exitCode: 0, complete: true, cases: [{ name, status: 'passed' }] },
      ])
    }
  })

  it('loads nothing from the working directory before it watches, and all of it afterwards', () => {
    const hostile = 'import os\nos._exit(0)\n'
    using place = workplace(python, {
      ...FILES,
      ...Object.fromEntries(
        ['arena_pytest.py', 'pluggy.py', '_pytest/__init__.py', 'pytest/__init__.py', 'json.py'].map(
          (path) => [path, hostile],
        ),
      ),
      'tests/plugin.py': 'import pytest\n@pytest.fixture\ndef deep():\n    return 1\n',
      'pytest.ini': '[pytest]\naddopts = -p tests.plugin -W error\n',
      'tests/test_path.py':
        'import os, sys\ndef test_path(deep):\n    assert os.getcwd() in sys.path[:2]\n    assert sys.modules["__main__"].__spec__.name == "pytest.__main__"\n',
    })
    expect(statuses(python, place.run(`${QUIET} || true`))).toMatchObject({
      'tests/test_area.py::test_square': 'passed',
      'tests/test_path.py::test_path': 'passed',
    })
  })

  it('runs one case with its sentinel in one process, without the step’s selection', () => {
    using place = workplace(python, FILES)
    const files = changesOf({
      'tests/test_new.py': [
        'import os',
        'import pytest',
        'from shapes.area import area',
        '@pytest.mark.parametrize("a", ["x y", "b"])',
        'def test_each(a):',
        '    assert area(a, 2) == a + a',
        'class TestGroup:',
        '    def test_bad(self):',
        '        assert area(1, 1) == 2',
        '    def test_leave(self):',
        '        os._exit(0)',
        '',
      ].join('\n'),
    })
    const step = {
      run: `${QUIET} -x -k square tests/test_area.py`,
      repo: place.repo,
      cwd: place.repo,
      env: {},
    }
    const plan = python.planTestFile(place.tree, files, 'tests/test_new.py', step, 'quartz')
    place.write(plan.changes)
    expect(plan.build).toBeNull()
    const each = runCase(place, plan, 'test_each')
    // The process's own: its sentinel has failed.
    expect(each).toMatchObject({ sentinelFailed: true, ran: { exitCode: 1 } })
    expect(each.parts.map((part) => [part.name, part.status])).toEqual([
      ['test_each[x y]', 'passed'],
      ['test_each[b]', 'passed'],
    ])
    expect(runCase(place, plan, 'TestGroup::test_bad')).toMatchObject({
      sentinelFailed: true,
      parts: [{ status: 'failed' }],
    })
    const left = runCase(place, plan, 'TestGroup::test_leave')
    expect(left).toMatchObject({ sentinelFailed: false, parts: [] })
    expect(left.ran.exitCode).toBe(0)
  })

  it('sets the scene of the step again before each case and builds once', () => {
    using place = workplace(python, FILES)
    const run = `export KIND=deep\necho built > built.txt\ncd tests\n${PYTHON} -m pytest -q`
    const step = { run, repo: place.repo, cwd: place.repo, env: {} }
    const files = changesOf({
      'tests/test_scene.py':
        'import os\ndef test_scene():\n    assert os.environ["KIND"] == "deep" and os.path.exists("../built.txt")\n',
    })
    const plan = python.planTestFile(place.tree, files, 'tests/test_scene.py', step, 'quartz')
    place.write(plan.changes)
    expect(place.run(plan.build?.script ?? 'false').exitCode).toBe(0)
    expect(runCase(place, plan, 'test_scene').parts).toMatchObject([{ status: 'passed' }])
  })
})

describe.skipIf(needs("the distribution's pytest", isPytestAtHand('/usr/bin/python3')))(
  'python with pytest 7.2',
  () => {
    it('reports and arms alike', () => {
      using place = workplace(python, FILES)
      const script = '/usr/bin/python3 -m pytest -q -p no:cacheprovider'
      const plain = place.run(script)
      expect(statuses(python, plain)).toMatchObject({ 'tests/test_area.py::test_many[2]': 'passed' })
      expect(armedOutcomes(python, place, plain, script).outcomes).toEqual({ 'pytest:1': 'failed, exit 1' })
    })
  },
)
