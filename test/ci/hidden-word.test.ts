import { expect, test } from 'vitest'
import { wordOf } from '../../src/ci/word.ts'
import { RUN_FILE, RUN_TESTS } from '../helpers/line-language.ts'
import { changesOf, preparedTask } from '../helpers/prepared-task.ts'
import { createTestCi, type TestCi } from '../helpers/test-ci.ts'

const FILES = {
  'run-tests.sh': RUN_TESTS,
  'run-file.sh': RUN_FILE,
  'tests/a.t': 'good: true\n',
}

const WORKFLOW = `on: push
jobs:
  test:
    runs-on: ubuntu-latest
    steps:
      - name: Test
        run: sh run-tests.sh
`

/** Prints each sentinel's name as it stands in the files, and with other capitals; one step tells it as a warning too. */
const TELLS = `sed -n 's/:.*//p' tests/*.t
sed -n 's/^check_//p' tests/*.t | sed 's/:.*//; s/^./\\U&/; p; s/.*/\\U&/; s/^/::warning::/'
`

const taskIn = (world: TestCi) =>
  preparedTask(world.folder('task'), { files: FILES, workflow: WORKFLOW, jobs: ['test'] })

test('what a competitor may see of a run does not tell the sentinels’ names, whatever its code printed', async () => {
  await using world = await createTestCi({ secret: 'a secret' })
  const task = taskIn(world)
  const changes = changesOf({ 'run-file.sh': TELLS + RUN_FILE })
  const run = await world.ci.runWorkflow({ task, changes, legs: 'all' })
  const file = 'tests/new.t'
  const tests = changesOf({ [file]: 'good: true\n' })
  const run2 = await world.ci.runTests({ task, changes, tests, cases: [{ file, case: 'good' }] })
  const armed = run.legs[0]?.armed
  const ofCase = run2.legs[0]?.files[0]
  expect(armed?.processes[0]?.sentinel).toBe('failed')
  expect(ofCase?.cases[0]?.outcome).toBe('passed')
  expect(ofCase?.commands.at(-1)).toBe('sh run-file.sh tests/new.t good check_***')
  const logs = [armed?.steps[0]?.log, ofCase?.cases[0]?.log].map(world.log)
  expect(logs[0]).toContain('check_***\n***\n::warning::***\n')
  expect(logs[1]).toContain('check_***\n')
  const kept = [JSON.stringify([run, run2]), ...logs].join('\n')
  expect(kept.toLowerCase()).not.toContain(wordOf('a secret', task.loaded.digest, world.ci.environmentDigest))
})

test('the environment of a run, by which cells are found again, does not hang on the secret', async () => {
  await using one = await createTestCi({ secret: 'one' })
  await using two = await createTestCi({ secret: 'two' })
  expect(one.ci.environmentDigest).toBe(two.ci.environmentDigest)
})
