import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildCommand, type CommandResult, runArena } from '../helpers/command.ts'
import { gitIn, temporaryFolder, writeTree } from '../helpers/repository.ts'

const WORKFLOW = `on:
  push:
    branches: [main]
    paths-ignore: ['docs/**']
jobs:
  test:
    strategy:
      matrix:
        os: [ubuntu-latest, windows-latest]
    runs-on: \${{ matrix.os }}
    steps:
      - uses: actions/checkout@v4
      - run: pip install -r requirements.txt
      - run: pip install -e .
      - run: pytest
`

describe('arena ci plan', () => {
  const place = temporaryFolder('arena-ci-plan')
  const plan = (...args: string[]): Promise<CommandResult> =>
    runArena(['ci', 'plan', '--repo', 'repo', ...args], {}, place.path)

  beforeAll(async () => {
    await buildCommand()
    writeTree(join(place.path, 'repo'), {
      '.github/workflows/ci.yml': WORKFLOW,
      '.github/workflows/night.yml':
        'on: schedule\njobs:\n  a:\n    runs-on: ubuntu-latest\n    steps: [{ uses: a/b@v1 }]\n',
      '.github/workflows/broken.yml': 'on: push\njobs:\n  a:\n    step: []\n',
    })
    gitIn(join(place.path, 'repo'), 'init', '--quiet')
    gitIn(join(place.path, 'repo'), 'add', '.')
    gitIn(join(place.path, 'repo'), 'commit', '--quiet', '-m', 'Begin')
  })
  afterAll(() => place[Symbol.dispose]())

  it('prints legs, the class of each step, what maps to what, and places', async () => {
    const { exitCode, stdout, stderr } = await plan('--workflow', 'ci.yml')
    expect(exitCode, stderr).toBe(0)
    expect(stdout).toContain(`.github/workflows/ci.yml on push
  test (ubuntu-latest): planned, ubuntu-latest
    offline  Run actions/checkout@v4 → the tree stands in the workspace; no checkout was run
    warm     Run pip install -r requirements.txt
    both     Run pip install -e .
    offline  Run pytest
  test (windows-latest): unsupported, windows-latest: .github/workflows/ci.yml:10: runs-on windows-latest: only Linux is at hand
`)
  })
  it('exits with 1 when a workflow cannot be read, and plans the others', async () => {
    const { exitCode, stdout } = await plan('--json', '--event', 'any')
    expect(exitCode).toBe(1)
    const { legs, unreadable } = JSON.parse(stdout)
    expect(unreadable).toEqual([
      ".github/workflows/broken.yml:4: unknown key or value 'step'; did you mean 'steps'? (and 1 more)",
    ])
    expect(legs).toMatchObject([
      { job: 'test', name: 'test (ubuntu-latest)', status: 'planned', runsOn: ['ubuntu-latest'] },
      { status: 'unsupported' },
      { workflow: '.github/workflows/night.yml', event: 'schedule', status: 'unsupported' },
    ])
    expect(legs[0].steps[1]).toMatchObject({ name: 'Run pip install -r requirements.txt', class: 'warm' })
    expect(legs[2].reason).toBe('.github/workflows/night.yml:5: action a/b@v1 has no mapping')
  })
  it('asks the filters when it is told what the event changed', async () => {
    const { stdout } = await plan(
      '--workflow',
      'ci.yml',
      '--branch',
      'main',
      '--changed',
      'docs/a.md,docs/b/c',
    )
    expect(stdout).toContain('skipped: .github/workflows/ci.yml:4: not started: every changed path')
  })
})
