import { randomUUID } from 'node:crypto'
import { mkdtemp } from 'node:fs/promises'
import { homedir, tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { removeTree } from '../../src/ci/remove-tree.ts'
import { createBubblewrapRunner } from '../../src/ci/runners/bubblewrap.ts'
import { findToolchains } from '../../src/ci/toolchains.ts'
import { RUN_FILE, RUN_TESTS } from '../helpers/line-language.ts'
import { changesOf, preparedTask } from '../helpers/prepared-task.ts'
import { needs } from '../helpers/require.ts'
import { createTestCi } from '../helpers/test-ci.ts'

const toolchains = await findToolchains({ path: process.env.PATH ?? '', home: homedir() })
const scratch = await mkdtemp(join(tmpdir(), 'ci-hostile-'))
const runner = createBubblewrapRunner({ workFolder: join(scratch, 'sandboxes') })
const probe = await runner.probe()
const asRoot = process.getuid?.() === 0

afterAll(() => removeTree(scratch))

const WORKFLOW = `on: push
jobs:
  test:
    runs-on: ubuntu-latest
    steps:
      - run: sh build.sh
      - run: sh run-tests.sh
      - run: echo after
`

const FILES = {
  'build.sh': 'true\n',
  'run-tests.sh': RUN_TESTS,
  'run-file.sh': RUN_FILE,
  'tests/a.t': 'good: sh build.sh\n',
}

/** Fills the folder that host and sandbox share, as far as it goes. */
const FILL = 'head -c 400000000 /dev/zero > /arena/io/fill || true\n'

const worldOf = () =>
  createTestCi({
    runner,
    toolchains,
    newId: randomUUID,
    limits: { memoryMiB: 512, pids: 64, cpus: 1, diskMiB: 256 },
    timeouts: { stepMs: 60_000, buildMs: 60_000, caseMs: 60_000 },
  })

describe.skipIf(needs('bubblewrap as root', asRoot && probe.ok))(
  'a candidate that fills the shared folder',
  () => {
    test('has failed: the machine is not to blame, and the next run is clean', {
      timeout: 120_000,
    }, async () => {
      await using world = await worldOf()
      const task = preparedTask(world.folder('task'), { files: FILES, workflow: WORKFLOW, jobs: ['test'] })
      const changes = changesOf({ 'build.sh': FILL })
      const run = await world.ci.runWorkflow({ task, changes, legs: 'all' })
      expect(run.legs[0]).toMatchObject({ status: 'failure', infra: null })
      expect(run.legs[0]?.armed?.processes[0]?.sentinel).not.toBe('failed')
      const tests = changesOf({ 'tests/new.t': 'fills: sh build.sh\nnext: true\n' })
      const cases = ['fills', 'next'].map((name) => ({ file: 'tests/new.t', case: name }))
      const onPatch = await world.ci.runTests({ task, changes, tests, cases })
      expect(onPatch.legs[0]?.infra).toBeNull()
      expect(onPatch.legs[0]?.files[0]?.cases.some((one) => one.outcome === 'passed')).toBe(false)
      const base = await world.ci.runWorkflow({ task, changes: null, legs: 'all' })
      expect(base.legs[0]).toMatchObject({ status: 'success', infra: null })
    })
  },
)
