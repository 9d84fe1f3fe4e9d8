import { expect, test } from 'vitest'
import { keptFolders, keptVariables } from '../../src/ci/runner-variables.ts'
import { RUN_FILE, RUN_TESTS } from '../helpers/line-language.ts'
import { changesOf, preparedTask } from '../helpers/prepared-task.ts'
import { createTestCi } from '../helpers/test-ci.ts'

const namesKept = (names: readonly string[], script: string): readonly string[] =>
  keptVariables(
    names.map((name) => [name, 'x'] as const),
    script,
  ).kept.map(([name]) => name)

test.each([
  'ARENA_ARMED',
  'BASH_ENV',
  'BASH_FUNC_go%%',
  'BASHOPTS',
  'ENV',
  'SHELLOPTS',
  'LD_PRELOAD',
  'LD_AUDIT',
  'PYTHONSTARTUP',
  'PYTHONHOME',
  'PYTEST_PLUGINS',
  'PYTEST_ADDOPTS',
])('%s is kept from nobody', (name) => {
  expect(namesKept([name, 'MY_ENV'], `echo "${name}=x" >> "$GITHUB_ENV"`)).toEqual(['MY_ENV'])
})

test.each([
  'PATH',
  'LD_LIBRARY_PATH',
  'PYTHONPATH',
  'GTEST_FILTER',
  'GOFLAGS',
  'RUSTC_WRAPPER',
  'RUSTDOC',
  'RUSTFLAGS',
  'CARGO_TARGET_X86_64_UNKNOWN_LINUX_GNU_RUNNER',
])('%s is kept only where the step itself names it', (name) => {
  expect(namesKept([name], `echo "${name}=x" >> "$GITHUB_ENV"`)).toEqual([name])
  expect(namesKept([name], `echo "MY_${name}=x" >> "$GITHUB_ENV"; echo "$GITHUB_PATH"; sh build.sh`)).toEqual(
    [],
  )
})

test('what steers no test is kept, whoever wrote it', () => {
  const names = [
    'VERSION',
    'CC',
    'MY_LD_PRELOAD',
    'ENVIRONMENT',
    'RUST_BACKTRACE',
    'GOPATH',
    'CARGO_TERM_COLOR',
  ]
  expect(namesKept(names, 'sh build.sh')).toEqual(names)
})

test('a note tells the names that were dropped, once each and not too many', () => {
  const entries = ['ENV', 'ENV', ...Array.from({ length: 30 }, (_, index) => `LD_${index}`)]
  const { notes } = keptVariables(
    entries.map((name) => [name, 'x'] as const),
    '',
  )
  expect(notes).toHaveLength(1)
  expect(notes[0]).toMatch(/^GITHUB_ENV: not kept.*: ENV, LD_0, .*LD_8 and 21 more$/)
})

test('folders go before PATH only where the step itself writes them', () => {
  expect(keptFolders(['/a'], 'echo /a >> "$GITHUB_PATH"').kept).toEqual(['/a'])
  expect(keptFolders(['/a'], 'echo /a >> $' + '{{ github.path }}').kept).toEqual(['/a'])
  expect(keptFolders(['/a'], 'sh build.sh').kept).toEqual([])
})

const WORKFLOW = `on: push
jobs:
  test:
    runs-on: ubuntu-latest
    env:
      ARENA_ARMED: step
    steps:
      - run: sh build.sh
      - name: Test
        run: sh run-tests.sh
`

/** Each of these would run in later steps what the candidate likes. */
const HOSTILE = `mkdir -p "$HOME/mine"
printf '#!/bin/bash\\necho taken >> "$HOME/taken"\\nexec /bin/bash "$@"\\n' > "$HOME/mine/bash"
chmod +x "$HOME/mine/bash"
echo 'echo taken >> "$HOME/taken"' > "$HOME/first.sh"
echo "BASH_ENV=$HOME/first.sh" >> "$GITHUB_ENV"
echo "ARENA_ARMED=step" >> "$GITHUB_ENV"
echo "PATH=$HOME/mine:$PATH" >> "$GITHUB_ENV"
echo "$HOME/mine" >> "$GITHUB_PATH"
echo HONEST=yes >> "$GITHUB_ENV"
`

test('a candidate’s build cannot steer the shells and tools of later steps, the armed run or arena tests', async () => {
  await using world = await createTestCi()
  const clean = 'clean: test ! -e "$HOME/taken" && test -z "$ARENA_ARMED$BASH_ENV"\n'
  const task = preparedTask(world.folder('task'), {
    files: { 'build.sh': 'true\n', 'run-tests.sh': RUN_TESTS, 'run-file.sh': RUN_FILE, 'tests/a.t': clean },
    workflow: WORKFLOW,
    jobs: ['test'],
  })
  const changes = changesOf({ 'build.sh': HOSTILE })
  const { legs } = await world.ci.runWorkflow({ task, changes, legs: 'all' })
  expect(legs[0]?.status).toBe('success')
  expect(legs[0]?.armed?.processes[0]?.cases.map((test) => test.status)).toEqual(['passed'])
  const notes = legs[0]?.steps[0]?.notes ?? []
  expect(notes[0]).toContain('BASH_ENV, ARENA_ARMED, PATH')
  expect(notes[1]).toContain('GITHUB_PATH: not kept')
  const file = 'tests/new.t'
  const tests = changesOf({ [file]: clean.replace('test !', 'test "$HONEST" = yes && test !') })
  const run = await world.ci.runTests({ task, changes, tests, cases: [{ file, case: 'clean' }] })
  expect(run.legs[0]?.files[0]?.cases[0]?.outcome).toBe('passed')
})
