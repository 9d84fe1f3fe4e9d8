import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { isBubblewrapHere } from '../ci/runners/at-hand.ts'
import { buildCommand, runArena } from '../helpers/command.ts'
import { gitIn, temporaryFolder, writeTree } from '../helpers/repository.ts'
import { needs } from '../helpers/require.ts'

const TIMEOUT_MS = 240_000

const WORKFLOW = `on: push
jobs:
  check:
    runs-on: \${{ matrix.os }}
    strategy:
      matrix:
        os: [ubuntu-latest, windows-latest]
        mode: [fast, slow]
        exclude: [{ os: windows-latest, mode: slow }]
    steps:
      - uses: actions/checkout@v4
      - name: Count & <compare>
        run: |
          cat numbers.txt
          test "$(wc -l < numbers.txt)" = 3
          echo "mode \${{ matrix.mode }}"
      - run: test ! -e .git/refs/tags/v1
`

function repository(folder: string): string {
  gitIn(folder, 'init', '--quiet', '--initial-branch', 'main')
  writeTree(folder, { 'numbers.txt': '1\n2\n3\n', '.github/workflows/ci.yml': WORKFLOW })
  gitIn(folder, 'add', '.')
  gitIn(folder, 'commit', '--quiet', '--message', 'Numbers')
  return folder
}

beforeAll(buildCommand, TIMEOUT_MS)

const SAFE = ['--offline', '--sandbox', 'bubblewrap']

describe.skipIf(needs('bubblewrap', isBubblewrapHere))('arena ci run', { timeout: TIMEOUT_MS }, () => {
  test('runs every Linux leg of a repository and says how each ended', async () => {
    using folder = temporaryFolder('ci-run')
    using data = temporaryFolder('ci-run-data')
    const repo = repository(folder.path)
    const junit = join(data.path, 'report.xml')
    const run = await runArena(['ci', 'run', ...SAFE, '--data', data.path, '--junit', junit], {}, repo)
    expect([run.exitCode, run.stderr]).toEqual([
      0,
      expect.stringContaining('check (ubuntu-latest, slow) > Count'),
    ])
    expect(run.stdout).toMatch(/check \(ubuntu-latest, fast\) +success/)
    expect(run.stdout).toMatch(
      /check \(windows-latest, fast\) +unsupported .*ci\.yml:\d+: runs-on windows-latest/,
    )
    expect(gitIn(repo, 'status', '--porcelain')).toBe('')
    const xml = readFileSync(junit, 'utf8')
    expect(xml).toContain('<testsuite name="check (ubuntu-latest, fast): steps" tests="3" failures="0"')
    expect(xml).toContain('name="Count &amp; &lt;compare&gt;"')
  })

  test('runs one leg with a patch, red, as JSON', async () => {
    using folder = temporaryFolder('ci-run')
    using data = temporaryFolder('ci-run-data')
    const repo = repository(folder.path)
    writeTree(repo, { 'numbers.txt': '1\n2\n' })
    writeTree(data.path, { 'fix.patch': `${gitIn(repo, 'diff')}\n` })
    gitIn(repo, 'checkout', '--quiet', 'numbers.txt')
    const args = ['--data', data.path, '--json', '--patch', join(data.path, 'fix.patch')]
    const run = await runArena(
      ['ci', 'run', ...SAFE, '--matrix', 'os=ubuntu-latest,mode=fast', ...args],
      {},
      repo,
    )
    const { legs, logs, commit } = JSON.parse(run.stdout)
    expect([run.exitCode, commit]).toEqual([1, gitIn(repo, 'rev-parse', 'HEAD')])
    expect(legs.map((leg: { name: string; status: string }) => [leg.name, leg.status])).toEqual([
      ['check (ubuntu-latest, fast)', 'failure'],
    ])
    const steps: { conclusion: string; exitCode: number | null; log: string }[] = legs[0].steps
    expect(steps.map(({ conclusion, exitCode }) => [conclusion, exitCode])).toEqual([
      ['success', null],
      ['failure', 1],
      ['skipped', null],
    ])
    expect(readFileSync(join(logs, steps[1]?.log ?? ''), 'utf8')).toBe('1\n2\n')
  })

  test.each([
    [
      ['--workflow', 'absent.yml'],
      '--workflow absent.yml: there is no such workflow; there are .github/workflows/ci.yml',
    ],
    [['--job', 'absent'], '--job absent: there is no such job; there are check'],
    [['--matrix', 'mode'], '--matrix mode: expected KEY=VALUE'],
    [['--event', 'release'], '--event release: expected push, pull_request, workflow_dispatch'],
    [['--patch', 'absent.patch'], '--patch: cannot be read; check the path'],
    [['--commit', 'absent'], 'absent'],
  ])('says what is wrong with %s', async (args, message) => {
    using folder = temporaryFolder('ci-run')
    using data = temporaryFolder('ci-run-data')
    const run = await runArena(
      ['ci', 'run', ...SAFE, '--data', data.path, ...args],
      {},
      repository(folder.path),
    )
    expect([run.exitCode, run.stdout]).toEqual([2, ''])
    expect(run.stderr).toContain(message)
    expect(run.stderr.trim().split('\n')).toHaveLength(1)
  })
})
