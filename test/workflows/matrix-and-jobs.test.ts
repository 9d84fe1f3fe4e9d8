import { describe, expect, test } from 'vitest'
import { planJob } from '../../workflows/plan.ts'
import { inputOf, job, legsOf, plan } from './helpers.ts'

describe('strategy.matrix', () => {
  test('a job runs for every combination of its variables, the first one varying slowest', () => {
    expect(legsOf(job('strategy:\n  matrix:\n    python: [3.10, 3.11]\n    mode: [debug, release]'))).toEqual(
      ['test (3.1, debug)', 'test (3.1, release)', 'test (3.11, debug)', 'test (3.11, release)'],
    )
  })

  test('quoted versions stay as they are written', () => {
    expect(legsOf(job("strategy:\n  matrix:\n    python: ['3.10']"))).toEqual(['test (3.10)'])
  })

  test('exclude removes every combination that has the values it names', () => {
    const matrix = `strategy:
  matrix:
    os: [a, b]
    v: [1, 2]
    exclude:
      - os: b
      - os: a
        v: 2`
    expect(legsOf(job(matrix))).toEqual(['test (a, 1)'])
  })

  test('include adds its values to every combination when it overwrites none of them', () => {
    const matrix = 'strategy:\n  matrix:\n    v: [1, 2]\n    include:\n      - color: green'
    expect(plan(job(matrix)).legs.map((leg) => leg.matrix)).toEqual([
      { v: 1, color: 'green' },
      { v: 2, color: 'green' },
    ])
  })

  test('include adds values only to the combinations that it matches', () => {
    const matrix =
      'strategy:\n  matrix:\n    v: [1, 2]\n    include:\n      - v: 2\n        experimental: true'
    expect(plan(job(matrix)).legs.map((leg) => leg.matrix)).toEqual([{ v: 1 }, { v: 2, experimental: true }])
  })

  test('an include that would overwrite an original value is a combination of its own', () => {
    const matrix = 'strategy:\n  matrix:\n    v: [1]\n    include:\n      - v: 9\n        w: x'
    expect(plan(job(matrix)).legs.map((leg) => leg.matrix)).toEqual([{ v: 1 }, { v: 9, w: 'x' }])
  })

  test('the documentation’s example: later includes may overwrite added values, not original ones', () => {
    const matrix = `strategy:
  matrix:
    fruit: [apple, pear]
    animal: [cat, dog]
    include:
      - color: green
      - color: pink
        animal: cat
      - fruit: apple
        shape: circle
      - fruit: banana
      - fruit: banana
        animal: cat`
    expect(plan(job(matrix)).legs.map((leg) => leg.matrix)).toEqual([
      { fruit: 'apple', animal: 'cat', color: 'pink', shape: 'circle' },
      { fruit: 'apple', animal: 'dog', color: 'green', shape: 'circle' },
      { fruit: 'pear', animal: 'cat', color: 'pink' },
      { fruit: 'pear', animal: 'dog', color: 'green' },
      { fruit: 'banana' },
      { fruit: 'banana', animal: 'cat' },
    ])
  })

  test('a matrix of include alone has one leg for each entry', () => {
    const matrix = 'strategy:\n  matrix:\n    include:\n      - name: x\n      - name: y'
    expect(legsOf(job(matrix))).toEqual(['test (x)', 'test (y)'])
  })

  test('exclusions come before inclusions, so an excluded combination can be added again', () => {
    const matrix = `strategy:
  matrix:
    v: [1, 2]
    exclude:
      - v: 2
    include:
      - v: 2`
    expect(legsOf(job(matrix))).toEqual(['test (1)', 'test (2)'])
  })

  test('objects are values: exclude matches the members it names, the display name shows the leaves', () => {
    const matrix = `strategy:
  matrix:
    cfg:
      - { cc: gcc, v: 12 }
      - { cc: clang, v: 15 }
    exclude:
      - cfg: { cc: clang }`
    expect(legsOf(job(matrix))).toEqual(['test (gcc, 12)'])
  })

  test('a matrix may come from fromJSON', () => {
    expect(legsOf(job(`strategy:\n  matrix: \${{ fromJSON('{"v":[1,2]}') }}`))).toEqual([
      'test (1)',
      'test (2)',
    ])
  })

  test('a variable may come from fromJSON', () => {
    expect(legsOf(job(`strategy:\n  matrix:\n    v: \${{ fromJSON('[true, null]') }}`))).toEqual([
      'test (true)',
      'test',
    ])
  })

  test('a matrix without a combination is an error at its line', () => {
    expect(() => plan(job('strategy:\n  matrix:\n    v: []'))).toThrow(
      /ci\.yml:7: the matrix has no combination/,
    )
  })

  test('a matrix has at most 256 legs', () => {
    const list = Array.from({ length: 257 }, (_, index) => index).join(', ')
    expect(() => plan(job(`strategy:\n  matrix:\n    v: [${list}]`))).toThrow(/257 combinations, at most 256/)
  })

  test('strategy.job-index and job-total count the legs', () => {
    const text = job(
      'strategy:\n  matrix:\n    v: [a, b]',
      `- run: shard \${{ strategy.job-index }} of \${{ strategy.job-total }}`,
    )
    expect(plan(text).legs.map((leg) => leg.steps[0]?.script)).toEqual(['shard 0 of 2', 'shard 1 of 2'])
  })
})

describe('names', () => {
  test('a job’s name takes the place of its id, the matrix after it', () => {
    expect(legsOf(job('name: Unit tests\nstrategy:\n  matrix:\n    v: [1]'))).toEqual(['Unit tests (1)'])
  })

  test('a name that names the matrix stands alone', () => {
    expect(legsOf(job(`name: py\${{ matrix.v }}\nstrategy:\n  matrix:\n    v: [1, 2]`))).toEqual([
      'py1',
      'py2',
    ])
  })

  test('equal names are told apart, since results are kept by them', () => {
    expect(legsOf(job(`name: \${{ github.job }}\nstrategy:\n  matrix:\n    v: [1, 2]`))).toEqual([
      'test',
      'test #2',
    ])
  })

  test('a display name is cut at a hundred characters', () => {
    const [name = ''] = legsOf(job(`strategy:\n  matrix:\n    v: [${'x'.repeat(200)}]`))
    expect(name).toHaveLength(100)
    expect(name.endsWith('...')).toBe(true)
  })
})

const CHAIN = `on: push
jobs:
  last:
    needs: [middle, first]
    runs-on: ubuntu-latest
    steps: [{ run: a }]
  middle:
    needs: first
    runs-on: ubuntu-latest
    steps: [{ run: a }]
  first:
    runs-on: ubuntu-latest
    outputs:
      list: x
    steps: [{ run: a }]
`

describe('needs', () => {
  test('a job stands after all that it needs', () => {
    expect(plan(CHAIN).jobs).toEqual(['first', 'middle', 'last'])
  })

  test('a cycle is an error that names it', () => {
    const text = CHAIN.replace('  first:\n', '  first:\n    needs: last\n')
    expect(() => plan(text)).toThrow(/last → middle → first → last/)
  })

  test('an unknown job is an error', () => {
    expect(() => plan(CHAIN.replace('needs: first', 'needs: frist'))).toThrow(/unknown job 'frist'/)
  })

  const dynamic = `on: push
jobs:
  list:
    runs-on: ubuntu-latest
    outputs:
      v: \${{ steps.a.outputs.v }}
    steps: [{ id: a, run: x }]
  use:
    needs: list
    runs-on: ubuntu-latest
    strategy:
      matrix:
        v: \${{ fromJSON(needs.list.outputs.v) }}
    steps: [{ run: 'x' }]
`

  test('a matrix from an output is decided when that job has run', () => {
    const [, use] = plan(dynamic).legs
    expect(use?.reason).toBe('.github/workflows/ci.yml:9: the matrix is decided when list has run')
  })

  test('with the output known the job has its legs', () => {
    const { workflow } = plan(dynamic)
    const use = workflow.jobs[1]
    if (!use) throw new Error('no job')
    const needs = new Map([
      ['list', { result: 'success' as const, outputs: { v: '[7,8]' }, before: 'success' as const }],
    ])
    expect(planJob(workflow, use, inputOf(), needs).map((leg) => leg.leg)).toEqual(['use (7)', 'use (8)'])
  })

  test('a failed or skipped job takes those that need it along, unless their if says otherwise', () => {
    const { workflow } = plan(CHAIN)
    const middle = workflow.jobs[1]
    if (!middle) throw new Error('no job')
    const statusAfter = (result: 'failure' | 'skipped' | 'success') =>
      planJob(
        workflow,
        middle,
        inputOf(),
        new Map([['first', { result, outputs: {}, before: 'success' as const }]]),
      )[0]?.status
    expect([statusAfter('success'), statusAfter('failure'), statusAfter('skipped')]).toEqual([
      'planned',
      'skipped',
      'skipped',
    ])
  })
})

describe('jobs behind one that cannot run here', () => {
  const text = (step: string): string => `on: push
jobs:
  first:
    runs-on: ubuntu-latest
    steps: [{ uses: a/b@v1 }]
  second:
    needs: first
    runs-on: ubuntu-latest
    steps: [${step}]
  third:
    needs: second
    runs-on: ubuntu-latest
    steps: [{ run: x }]
`

  test('cannot either, however far behind', () => {
    expect(legsOf(text('{ run: x }'))).toEqual([
      'first: unsupported',
      'second: unsupported',
      'third: unsupported',
    ])
    expect(plan(text('{ run: x }')).legs[2]?.reason).toMatch(/^needs second: needs first: .*a\/b@v1/)
  })

  test('run with substitution, unless they read what nobody makes', () => {
    const substitute = { substitute: true }
    expect(legsOf(text('{ run: x }'), substitute)).toEqual(['first: unsupported', 'second', 'third'])
    for (const reading of [
      `{ run: 'x \${{ needs.first.outputs.y }}' }`,
      `{ run: 'x \${{ toJSON(needs) }}' }`,
      '{ uses: actions/download-artifact@v4 }',
    ])
      expect(legsOf(text(reading), substitute)[1]).toBe('second: unsupported')
    expect(legsOf(text(`{ run: 'x \${{ needs.first.result }}' }`), substitute)[1]).toBe('second')
  })
})

describe('ancestors', () => {
  const outcome = (condition: string, before: 'success' | 'failure' | 'skipped') => {
    const { workflow } = plan(CHAIN.replace('needs: first', `needs: first\n    if: ${condition}`))
    const middle = workflow.jobs[1]
    if (!middle) throw new Error('no job')
    const needs = new Map([['first', { result: 'success' as const, outputs: {}, before }]])
    return planJob(workflow, middle, inputOf(), needs)[0]?.status
  }

  test('a job behind one that ran by always() after a failure is skipped by default', () => {
    expect(outcome('success()', 'failure')).toBe('skipped')
    expect(outcome('success()', 'skipped')).toBe('skipped')
  })

  test('failure() is true when any ancestor failed', () => {
    expect(outcome('failure()', 'failure')).toBe('planned')
    expect(outcome('failure()', 'success')).toBe('skipped')
    expect(outcome("always() && needs.first.result == 'success'", 'failure')).toBe('planned')
  })
})

describe('jobs.if and on', () => {
  test('a job whose if is false is skipped, with its place', () => {
    expect(plan(job("if: github.ref == 'refs/heads/other'")).legs[0]).toMatchObject({
      status: 'skipped',
      reason: expect.stringContaining('.github/workflows/ci.yml:5: if is false: success() && (github.ref =='),
    })
  })

  test('an if may stand with or without its braces', () => {
    expect(legsOf(job(`if: \${{ false }}`))).toEqual(['test: skipped'])
    expect(legsOf(job('if: false'))).toEqual(['test: skipped'])
    expect(legsOf(job("if: github.event_name == 'push'"))).toEqual(['test'])
  })

  test('text around the braces makes an if a text, which is always true', () => {
    expect(legsOf(job(`if: \${{ github.event_name }} == 'never'`))).toEqual(['test'])
  })

  test('a skipped job is one leg: its matrix is not expanded', () => {
    expect(legsOf(job('if: false\nstrategy:\n  matrix:\n    v: [1, 2]'))).toEqual(['test: skipped'])
  })

  test('a workflow that the event does not start is skipped', () => {
    expect(legsOf(job(''), { event: 'workflow_dispatch' })).toEqual(['test: skipped'])
    expect(
      legsOf(job('').replace('on: push', 'on: [push, workflow_dispatch]'), { event: 'workflow_dispatch' }),
    ).toEqual(['test'])
    expect(
      legsOf(job('').replace('on: push', 'on:\n  pull_request:\n    branches: [main]'), {
        event: 'pull_request',
      }),
    ).toEqual(['test'])
  })
})

describe('runs-on', () => {
  test('Windows and macOS legs are unsupported, never run on Linux', () => {
    const text = job('strategy:\n  matrix:\n    os: [ubuntu-22.04, windows-latest, macos-14]').replace(
      'runs-on: ubuntu-latest',
      `runs-on: \${{ matrix.os }}`,
    )
    expect(legsOf(text)).toEqual([
      'test (ubuntu-22.04)',
      'test (windows-latest): unsupported',
      'test (macos-14): unsupported',
    ])
    expect(plan(text).legs[1]?.reason).toBe(
      '.github/workflows/ci.yml:4: runs-on windows-latest: only Linux is at hand',
    )
  })

  test('a list of labels asks for all of them', () => {
    const labels = (text: string) => legsOf(job('').replace('ubuntu-latest', text))
    expect(labels('[self-hosted, linux, x64]')).toEqual(['test'])
    expect(labels('[self-hosted, linux, ARM64]')).toEqual(['test: unsupported'])
    expect(labels('ubuntu-24.04-arm')).toEqual(['test: unsupported'])
    expect(labels('my-machine')).toEqual(['test: unsupported'])
  })

  test('images are not at hand: a container is substituted when that is asked for, a service never', () => {
    expect(plan(job('container: debian:12')).legs[0]?.reason).toBe(
      '.github/workflows/ci.yml:5: container debian:12 is not at hand',
    )
    const [leg] = plan(job('container: debian:12'), { substitute: true }).legs
    expect(leg).toMatchObject({
      status: 'planned',
      notes: ["substituted: container debian:12 is not at hand; the machine's own tools are used"],
    })
    expect(legsOf(job('services:\n  db:\n    image: postgres'))).toEqual(['test: unsupported'])
    expect(legsOf(job('services:\n  db:\n    image: postgres'), { substitute: true })).toEqual([
      'test: unsupported',
    ])
  })
})
