import { describe, expect, test } from 'vitest'
import { RunnerUnavailableError } from '../../src/errors.ts'
import { type CellStore, createCells } from '../../src/match/cells.ts'
import { verifyTaskByCi } from '../../src/match/verify-task.ts'
import type { CellRun } from '../../src/schema/ci-run.ts'
import type { PreparedTask } from '../../src/schema/prepared.ts'
import type { Verification } from '../../src/schema/verification.ts'
import { RUN_FILE, RUN_TESTS } from '../helpers/line-language.ts'
import { changesOf, preparedTask } from '../helpers/prepared-task.ts'
import { temporaryFolder } from '../helpers/repository.ts'
import { createTestCi, type TestCi } from '../helpers/test-ci.ts'

const FILES = {
  'run-tests.sh': RUN_TESTS,
  'run-file.sh': RUN_FILE,
  'value.txt': 'one\n',
  'tests/a.t': 'is_there: test -f value.txt\n',
}

const workflow = (test = 'sh run-tests.sh', runsOn = 'ubuntu-latest'): string => `on: push
jobs:
  test:
    runs-on: ${runsOn}
    steps:
      - uses: actions/checkout@v4
      - run: ${test}
`

interface Planted {
  readonly files?: Readonly<Record<string, string>>
  readonly workflow?: string
  readonly golden?: Readonly<Record<string, string>>
  /** `tests/new.t`. */
  readonly upstream?: string
  readonly cases?: readonly string[]
  readonly commentedBase?: Readonly<Record<string, string>>
  readonly failToPass?: readonly string[]
}

function memory(): CellStore {
  const cells = new Map<string, CellRun>()
  return {
    async find(key) {
      const run = cells.get(key)
      return run && { run }
    },
    async put({ key, run }) {
      cells.set(key, run)
    },
  }
}

function plantedTask(world: TestCi, planted: Planted): PreparedTask {
  const task = preparedTask(world.folder('task'), {
    files: { ...FILES, ...planted.files },
    workflow: planted.workflow ?? workflow(),
    jobs: ['test'],
  })
  const { loaded } = task
  return {
    ...task,
    loaded: { ...loaded, task: { ...loaded.task, FAIL_TO_PASS: [...(planted.failToPass ?? [])] } },
    golden: changesOf(planted.golden ?? { 'value.txt': 'two\n' }),
    upstreamTests: changesOf({ 'tests/new.t': planted.upstream ?? 'is_two: grep -q two value.txt\n' }),
    commentedBase: changesOf(planted.commentedBase ?? { 'value.txt': '# Kept as it is.\none\n' }),
  }
}

async function verify(
  planted: Planted,
  store: CellStore = memory(),
): Promise<Verification & { readonly ran: number }> {
  await using world = await createTestCi()
  const ports = { ci: world.ci, store, now: () => 0, onEvent: () => {} }
  const cells = [createCells(ports), createCells(ports), createCells(ports)]
  const oracleCases = (planted.cases ?? ['is_two']).map((name) => ({ file: 'tests/new.t', case: name }))
  const verification = await verifyTaskByCi({ prepared: plantedTask(world, planted), oracleCases }, { cells })
  return { ...verification, ran: cells.reduce((sum, one) => sum + one.counts().miss, 0) }
}

/** A command that succeeds every other time that it runs on a tree. */
const flipping = (folder: string): string => {
  const count = `${folder}/$(cat value.txt)`
  return `echo x >> ${count}; test $(( $(wc -l < ${count}) % 2 )) = 0`
}

const codesOf = ({ findings }: Verification): readonly string[] => findings.map(({ code }) => code)

describe('the verification of a task', () => {
  test('accepts a task whose tests the fix repairs, with the lists of its cases', async () => {
    expect(await verify({})).toMatchObject({
      stage: 'accepted',
      rated: true,
      findings: [],
      FAIL_TO_PASS: ['tests/new.t::is_two'],
      PASS_TO_PASS: ['tests/a.t::is_there'],
      flaky: [],
      admitted: { of: 1, keys: 1 },
      unarmed: [],
    })
  })

  test('runs each tree three times, and nothing again after it was stopped', async () => {
    const store = memory()
    // Four trees by the workflow; the cases on base, commented base, and golden three times.
    expect((await verify({}, store)).ran).toBe(4 * 3 + 5)
    expect((await verify({}, store)).ran).toBe(0)
    // Where nothing can run, one look is enough.
    expect((await verify({ workflow: workflow('true', 'macos-latest') })).ran).toBe(1)
  })

  const losses: readonly (readonly [string, Planted, string, string, RegExp])[] = [
    [
      'tests that pass on base',
      { upstream: 'is_two: test -f value.txt\n' },
      'built',
      'passes-on-base',
      /pass without/,
    ],
    [
      'a fix that does not fix',
      { golden: { 'value.txt': 'three\n' } },
      'failing',
      'golden-fails',
      /tests\/new\.t::is_two/,
    ],
    [
      'jobs that cannot run here',
      { workflow: workflow('sh run-tests.sh', 'windows-latest') },
      'read',
      'unsupported',
      /ci\.yml:\d+: runs-on windows-latest/,
    ],
    ['jobs that run no tests', { workflow: workflow('true') }, 'read', 'no-tests-reported', /no test/],
    ['upstream files without a test function', { cases: [] }, 'stable', 'no-test-command', /upstream files/],
    [
      'upstream tests that read the source',
      { commentedBase: { 'value.txt': '# two\none\n' } },
      'stable',
      'upstream-not-admitted',
      /is_two: it passes when only comments are added/,
    ],
    [
      'lists that are wrong',
      { failToPass: ['tests/a.t::is_there'] },
      'stable',
      'lists-differ',
      /tests\/a\.t::is_there/,
    ],
  ]
  test.each(losses)('refuses %s', async (_, planted, stage, code, message) => {
    const verified = await verify(planted)
    expect([verified.stage, verified.rated, codesOf(verified)]).toEqual([stage, false, [code]])
    expect(verified.findings[0]?.message).toMatch(message)
  })

  test('refuses a task whose deciding test ends now so, now so', async () => {
    using folder = temporaryFolder('flaky')
    const upstream = `is_two: grep -q two value.txt && { ${flipping(folder.path)}; }\n`
    const verified = await verify({ upstream })
    expect([verified.stage, codesOf(verified), verified.flaky]).toEqual([
      'passing',
      ['flaky'],
      ['tests/new.t::is_two'],
    ])
  })

  test('leaves other flaky tests out of the lists, and says what the fix breaks', async () => {
    using folder = temporaryFolder('flaky')
    const flips = flipping(folder.path)
    const verified = await verify({
      files: { 'tests/b.t': `flips: ${flips}\nis_one: grep -q one value.txt\n` },
    })
    expect([verified.stage, verified.flaky, verified.PASS_TO_PASS]).toEqual([
      'accepted',
      ['tests/b.t::flips'],
      ['tests/a.t::is_there'],
    ])
    expect(codesOf(verified)).toEqual(['quarantined', 'broken-by-golden'])
  })

  test('says nothing of a task when the machine breaks', async () => {
    await using world = await createTestCi()
    for (let index = 0; index < 200; index += 1)
      world.runner.failures.push(new RunnerUnavailableError('the daemon is gone'))
    const ports = { ci: world.ci, store: memory(), now: () => 0, onEvent: () => {} }
    const cells = [createCells(ports), createCells(ports), createCells(ports)]
    const inPlay = {
      prepared: plantedTask(world, {}),
      oracleCases: [{ file: 'tests/new.t', case: 'is_two' }],
    }
    const verified = await verifyTaskByCi(inPlay, { cells })
    expect([verified.stage, codesOf(verified)]).toEqual(['read', ['infrastructure']])
  })
})
