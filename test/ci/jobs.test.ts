import { describe, expect, test } from 'vitest'
import { preparedTask } from '../helpers/prepared-task.ts'
import { createTestCi } from '../helpers/test-ci.ts'

const FILES = { 'value.txt': 'one\n' }
const all = { legs: 'all' } as const

describe('legs and jobs', () => {
  test('a matrix runs all its legs, and one that fails stops no other', async () => {
    await using world = await createTestCi()
    const workflow = `on: push
jobs:
  test:
    strategy:
      matrix:
        word: [one, two]
    runs-on: ubuntu-latest
    steps:
      - run: grep -q \${{ matrix.word }} value.txt
`
    const task = preparedTask(world.folder('task'), { files: FILES, workflow, jobs: ['test'] })
    const run = await world.ci.runWorkflow({ task, changes: null, ...all })
    expect(run.legs.map((leg) => [leg.leg, leg.status])).toEqual([
      ['test (one)', 'success'],
      ['test (two)', 'failure'],
    ])
    const chosen = preparedTask(world.folder('chosen'), {
      files: FILES,
      workflow,
      jobs: ['test'],
      matrix: { word: 'one' },
    })
    expect(
      (await world.ci.runWorkflow({ task: chosen, changes: null, ...all })).legs.map((leg) => leg.leg),
    ).toEqual(['test (one)'])
  })

  test('outputs reach the jobs that need them, a dynamic matrix included', async () => {
    await using world = await createTestCi()
    const workflow = `on: push
jobs:
  list:
    runs-on: ubuntu-latest
    outputs:
      words: \${{ steps.make.outputs.words }}
    steps:
      - id: make
        run: echo 'words=["x","y"]' >> "$GITHUB_OUTPUT"
  use:
    needs: list
    runs-on: ubuntu-latest
    strategy:
      matrix:
        word: \${{ fromJSON(needs.list.outputs.words) }}
    steps:
      - run: echo got \${{ matrix.word }}
`
    const task = preparedTask(world.folder('task'), { files: FILES, workflow, jobs: ['use'] })
    const run = await world.ci.runWorkflow({ task, changes: null, ...all })
    expect(run.legs.map((leg) => leg.leg)).toEqual(['list', 'use (x)', 'use (y)'])
    expect(world.log(run.legs[2]?.steps[0]?.log)).toBe('got y\n')
  })

  test('a job behind a failed one is skipped unless it asks for always()', async () => {
    await using world = await createTestCi()
    const workflow = `on: push
jobs:
  first:
    runs-on: ubuntu-latest
    steps:
      - run: exit 3
  second:
    needs: first
    runs-on: ubuntu-latest
    steps:
      - run: echo never
  third:
    needs: first
    if: always()
    runs-on: ubuntu-latest
    steps:
      - run: echo \${{ needs.first.result }}
`
    const task = preparedTask(world.folder('task'), { files: FILES, workflow, jobs: ['second', 'third'] })
    const run = await world.ci.runWorkflow({ task, changes: null, ...all })
    expect(run.legs.map((leg) => [leg.leg, leg.status])).toEqual([
      ['first', 'failure'],
      ['second', 'skipped'],
      ['third', 'success'],
    ])
    expect(run.legs[1]?.reason).toContain('.github/workflows/ci.yml:')
    expect(world.log(run.legs[2]?.steps[0]?.log)).toBe('failure\n')
  })

  test('never more sandboxes at once than asked for', async () => {
    await using world = await createTestCi({ parallel: 2 })
    const workflow = `on: push
jobs:
  test:
    strategy:
      matrix:
        n: [1, 2, 3, 4, 5, 6]
    runs-on: ubuntu-latest
    steps:
      - run: 'true'
`
    const task = preparedTask(world.folder('task'), { files: FILES, workflow, jobs: ['test'] })
    await world.ci.runWorkflow({ task, changes: null, ...all })
    expect(world.runner.load.most).toBe(2)
  })

  test('a job behind one that cannot run here cannot either, unless that is taken to have passed', async () => {
    const workflow = (more: string): string => `on: push
jobs:
  lint:
    runs-on: ubuntu-latest
    steps:
      - uses: someone/linter@v1
  build:
    strategy:
      matrix:
        os: [ubuntu-latest, windows-latest]
    runs-on: \${{ matrix.os }}
    outputs:
      word: \${{ steps.word.outputs.word }}
    steps:
      - id: word
        run: echo word=built >> "$GITHUB_OUTPUT"
  test:
    needs: [lint, build]
    runs-on: ubuntu-latest
    steps:
      - run: test "\${{ needs.build.outputs.word }}${more}" = built
`
    const outcome = async (substitute: boolean, more = '') => {
      await using world = await createTestCi({ substitute })
      const task = preparedTask(world.folder('task'), {
        files: FILES,
        workflow: workflow(more),
        jobs: ['test'],
      })
      const { legs } = await world.ci.runWorkflow({ task, changes: null, ...all })
      return legs.find(({ job }) => job === 'test')
    }
    expect(await outcome(false)).toMatchObject({
      status: 'unsupported',
      reason: expect.stringMatching(/^needs lint: .*action someone\/linter@v1 has no mapping/),
    })
    const taken = await outcome(true)
    expect(taken?.status).toBe('success')
    expect(taken?.steps[0]?.notes).toEqual([
      expect.stringMatching(/^substituted: lint, which this job needs, is taken to have passed/),
      expect.stringMatching(/^substituted: build, .* runs-on windows-latest/),
    ])
    expect(await outcome(true, `\${{ needs.lint.outputs.none }}`)).toMatchObject({
      status: 'unsupported',
      reason: expect.stringContaining('needs lint'),
    })
  })
})
