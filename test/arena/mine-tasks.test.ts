import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { mineTasks } from '../../src/arena/mine-tasks.ts'
import { loadTask } from '../../src/task/load.ts'
import { gitIn, temporaryFolder, writeTree } from '../helpers/repository.ts'

const WORKFLOW = `on: push
jobs:
  test:
    runs-on: ubuntu-latest
    steps:
      - uses: actions/checkout@v4
      - run: make check
`

const START = {
  '.github/workflows/ci.yml': WORKFLOW,
  Makefile: 'check:\n\tpython -m pytest\n',
  LICENSE: 'Permission is hereby granted, free of charge, to any person\n',
  'shapes/area.py': 'def area(side):\n    return side + side\n',
  'tests/test_area.py': 'def test_zero():\n    assert area(0) == 0\n',
}

interface Step {
  readonly message: string
  readonly files: Readonly<Record<string, string>>
}

const FIX = { 'shapes/area.py': 'def area(side):\n    return side * side\n' }
const TEST = { 'tests/test_area.py': 'def test_three():\n    assert area(3) == 9\n' }

function repository(folder: string, steps: readonly Step[]): string {
  gitIn(folder, 'init', '--quiet', '--initial-branch', 'main')
  gitIn(folder, 'remote', 'add', 'origin', 'https://forge.example/example/shapes.git')
  for (const { message, files } of [{ message: 'Start', files: START }, ...steps]) {
    writeTree(folder, files)
    gitIn(folder, 'add', '.')
    gitIn(folder, 'commit', '--quiet', '--allow-empty', '--message', message)
  }
  return folder
}

const mine = (repo: string, out: string, issues?: string) =>
  mineTasks({ repo, out, issues, limit: 10, commits: 100, substitute: false, onEvent: () => {} })

describe('tasks of a clone’s history', () => {
  test('are made of the commits that close an issue, against their parent', async () => {
    using folder = temporaryFolder('mine')
    using out = temporaryFolder('mined')
    const repo = repository(folder.path, [
      {
        message: 'Squares, not sums\n\nThe area of 3 was 6.\n\nFixes #4\nSigned-off-by: A',
        files: { ...FIX, ...TEST, 'CHANGES.md': 'x\n' },
      },
      { message: 'Later work', files: { 'shapes/area.py': 'later\n' } },
    ])
    const mined = await mine(repo, out.path)
    expect(mined.commits.map(({ issue, loss }) => [issue, loss])).toEqual([[4, null]])
    const { task, statements, goldenPatch, testPatch } = await loadTask(join(out.path, 'shapes-4'))
    expect(task).toMatchObject({
      id: 'shapes-4',
      repository: { name: 'example/shapes', path: repo },
      language: 'python',
      origin: 'mined',
      baseCommit: gitIn(repo, 'rev-parse', 'HEAD~2'),
      ci: { workflow: '.github/workflows/ci.yml', jobs: ['test'], network: 'set-up' },
      licence: 'MIT',
    })
    expect(statements.original).toBe('Squares, not sums\n\nThe area of 3 was 6.\n')
    expect(goldenPatch?.toString()).toMatch(/CHANGES\.md[\s\S]*shapes\/area\.py/)
    expect(goldenPatch?.toString()).not.toContain('tests/')
    expect(testPatch?.toString()).toContain('+def test_three():')
    expect(testPatch?.toString()).not.toContain('shapes/')
  })

  test('take the issue as it was written, and only one that was there before the fix', async () => {
    using folder = temporaryFolder('mine')
    using out = temporaryFolder('mined')
    const repo = repository(folder.path, [
      { message: 'Fix #4', files: { ...FIX, ...TEST } },
      { message: 'Fix #5', files: { 'shapes/area.py': 'x = 1\n', 'tests/test_area.py': 'y = 1\n' } },
      { message: 'Fix #6', files: { 'shapes/area.py': 'x = 2\n', 'tests/test_area.py': 'y = 2\n' } },
    ])
    const issues = join(folder.path, 'issues.jsonl')
    const issue = (number: number, created_at: string): string =>
      JSON.stringify({ number, title: 'Area is wrong', body: 'area(3) is 6\r\n', created_at, comments: 3 })
    writeFileSync(issues, `${issue(4, '2026-01-01T00:00:00Z')}\n\n${issue(5, '2026-02-01T00:00:00Z')}\n`)
    const mined = await mine(repo, out.path, issues)
    expect(mined.commits.map(({ issue, loss }) => [issue, loss])).toEqual([
      [6, 'no-issue'],
      [5, 'issue-after-fix'],
      [4, null],
    ])
    const { task, statements } = await loadTask(join(out.path, 'shapes-4'))
    expect(statements.original).toBe('Area is wrong\n\narea(3) is 6\n')
    expect(task.created).toBe('2026-01-01T00:00:00.000Z')
  })

  test('say why a commit makes none', async () => {
    using folder = temporaryFolder('mine')
    using out = temporaryFolder('mined')
    const repo = repository(folder.path, [
      { message: 'Fix #1', files: { 'README.md': 'words\n' } },
      { message: 'Fix #2', files: FIX },
      {
        message: 'Fix #3',
        files: { ...TEST, 'shapes/area.py': 'x = 3\n', '.github/workflows/ci.yml': `${WORKFLOW}\n` },
      },
      { message: 'Fixes #4', files: { 'shapes/area.py': 'x = 4\n', 'tests/test_area.py': 'y = 4\n' } },
      { message: 'Drop the workflow', files: { '.github/workflows/ci.yml': 'on: push\njobs: {}\n' } },
      { message: 'Fix #5', files: { 'shapes/area.py': 'x = 5\n', 'tests/test_area.py': 'y = 5\n' } },
    ])
    const { commits } = await mine(repo, out.path)
    expect(commits.map(({ issue, loss }) => [issue, loss])).toEqual([
      [5, 'no-ci'],
      [4, 'no-statement'],
      [3, 'edits-ci'],
      [2, 'no-tests'],
      [1, 'no-source'],
    ])
  })

  test('leave a folder that is there as it is', async () => {
    using folder = temporaryFolder('mine')
    using out = temporaryFolder('mined')
    const repo = repository(folder.path, [{ message: 'Squares\n\nFix #4', files: { ...FIX, ...TEST } }])
    await mine(repo, out.path)
    const text = join(out.path, 'shapes-4', 'issue.md')
    writeFileSync(text, 'Mended by hand\n')
    expect((await mine(repo, out.path)).commits[0]?.loss).toBeNull()
    expect(readFileSync(text, 'utf8')).toBe('Mended by hand\n')
  })

  test('need issues that can be read', async () => {
    using folder = temporaryFolder('mine')
    using out = temporaryFolder('mined')
    const repo = repository(folder.path, [])
    const issues = join(folder.path, 'issues.jsonl')
    await expect(mine(repo, out.path, issues)).rejects.toThrow('--issues: cannot be read')
    writeFileSync(
      issues,
      '{"number": 1, "title": "a", "body": null, "created_at": "2026-01-01T00:00:00Z"}\n{"number": "two"}\n',
    )
    await expect(mine(repo, out.path, issues)).rejects.toThrow(/issues\.jsonl:2: number/)
  })
})
