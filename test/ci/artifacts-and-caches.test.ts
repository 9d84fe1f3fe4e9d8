import { describe, expect, test } from 'vitest'
import { preparedTask } from '../helpers/prepared-task.ts'
import { createTestCi } from '../helpers/test-ci.ts'

async function run(workflow: string, jobs: readonly string[]) {
  await using world = await createTestCi()
  const files = { 'a.txt': 'a\n', 'docs/b.txt': 'b\n', 'docs/.hidden': 'h\n', 'docs/deep/c.md': 'c\n' }
  const task = preparedTask(world.folder('task'), { files, workflow, jobs: [...jobs] })
  const { legs } = await world.ci.runWorkflow({ task, changes: null, legs: 'all' })
  return legs
}

/** A job that uploads, and one that needs it, downloads and lists what came. */
const handOver = (upload: string, download: string, check: string): string => `on: push
jobs:
  make:
    runs-on: ubuntu-latest
    steps:
      - run: |
          echo made > made.txt
          chmod 755 made.txt
      - uses: actions/upload-artifact@v4
        with:
${upload.replace(/^/gm, '          ')}
  use:
    needs: make
    runs-on: ubuntu-latest
    steps:
      - uses: actions/download-artifact@v4
        with:
${download.replace(/^/gm, '          ')}
      - run: |
          ls -R got
${check.replace(/^/gm, '          ')}
`

const outcome = async (upload: string, download: string, check: string): Promise<unknown> => {
  const legs = await run(handOver(upload, download, check), ['use'])
  return legs.map((leg) => [leg.leg, leg.status])
}
const GOOD = [
  ['make', 'success'],
  ['use', 'success'],
]

describe('artifacts', () => {
  test('a file goes by its own name, without the permission to run it', async () => {
    expect(
      await outcome(
        'name: one\npath: made.txt',
        'name: one\npath: got',
        'grep made got/made.txt\ntest ! -x got/made.txt',
      ),
    ).toEqual(GOOD)
  })

  test('paths are kept from the folder that all patterns share; hidden files are left out', async () => {
    const check = 'test "$(cd got && find . -type f | sort | xargs)" = "./deep/c.md"\ntest ! -e got/b.txt'
    expect(
      await outcome('name: one\npath: |\n  docs/**\n  !docs/b.txt', 'name: one\npath: got', check),
    ).toEqual(GOOD)
    const both =
      'test "$(cd got && find . -type f | sort | xargs)" = "./docs/.hidden ./docs/b.txt ./made.txt"'
    const paths = 'name: one\ninclude-hidden-files: true\npath: |\n  made.txt\n  docs/*\n  !docs/deep'
    expect(await outcome(paths, 'name: one\npath: got', both)).toEqual(GOOD)
  })

  test('without a name every artifact comes, each in a folder of its name', async () => {
    expect(await outcome('name: one\npath: made.txt', 'path: got', 'test -f got/one/made.txt')).toEqual(GOOD)
    expect(
      await outcome(
        'name: one\npath: made.txt',
        'path: got\npattern: o*\nmerge-multiple: true',
        'test -f got/made.txt',
      ),
    ).toEqual(GOOD)
  })

  test('one that is missing fails the step; no files to upload are only told, unless that is an error', async () => {
    expect(await outcome('name: one\npath: made.txt', 'name: two\npath: got', 'true')).toEqual([
      ['make', 'success'],
      ['use', 'failure'],
    ])
    expect(await outcome('name: one\npath: none/*', 'pattern: o*\npath: got', 'test ! -e got/one')).toEqual([
      ['make', 'success'],
      ['use', 'failure'],
    ])
    expect(await outcome('name: one\npath: none/*\nif-no-files-found: error', 'path: got', 'true')).toEqual([
      ['make', 'failure'],
      ['use', 'skipped'],
    ])
  })
})

describe('caches', () => {
  const job = (name: string, needs: string, key: string, restoreKeys = ''): string => `
  ${name}:
    runs-on: ubuntu-latest${needs === '' ? '' : `\n    needs: ${needs}`}
    steps:
      - id: cache
        uses: actions/cache@v4
        with:
          path: |
            ~/.cache/thing
            built
          key: ${key}
          restore-keys: ${restoreKeys}
      - run: |
          echo "${name} <\${{ steps.cache.outputs.cache-hit }}> <\${{ steps.cache.outputs.cache-matched-key }}>"
          cat built/by ~/.cache/thing/x || true
          mkdir -p built ~/.cache/thing
          echo ${name} > built/by
          echo x > ~/.cache/thing/x
`

  test('what a job saved at its end is found by the jobs that need it, by the key or the beginning of one', async () => {
    await using world = await createTestCi()
    const workflow = `on: push\njobs:${job('first', '', 'k-1')}${job('second', 'first', 'k-1')}${job('third', 'second', 'k-2', 'k-')}`
    const task = preparedTask(world.folder('task'), { files: { a: '' }, workflow, jobs: ['third'] })
    const { legs } = await world.ci.runWorkflow({ task, changes: null, legs: 'all' })
    expect(
      legs.map((leg) =>
        world
          .log(leg.steps[1]?.log)
          .split('\n')
          .filter((line) => !/cat:/.test(line)),
      ),
    ).toEqual([
      ['first <> <>', ''],
      ['second <true> <k-1>', 'first', 'x', ''],
      ['third <false> <k-1>', 'first', 'x', ''],
    ])
  })

  test('a job that is not needed leaves nothing behind: what it does first or last changes no other', async () => {
    await using world = await createTestCi({ parallel: 1 })
    const workflow = `on: push\njobs:${job('first', '', 'k')}${job('second', '', 'k')}`
    const task = preparedTask(world.folder('task'), { files: { a: '' }, workflow, jobs: ['first', 'second'] })
    const { legs } = await world.ci.runWorkflow({ task, changes: null, legs: 'all' })
    expect(legs.map((leg) => leg.steps[0]?.notes)).toEqual([['no cache k'], ['no cache k']])
  })
})
