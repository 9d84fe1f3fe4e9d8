import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildCommand, type CommandResult, runArena } from '../helpers/command.ts'
import { gitIn, temporaryFolder, writeTree } from '../helpers/repository.ts'

describe('arena context', () => {
  const place = temporaryFolder('arena-context')
  const context = (...args: string[]): Promise<CommandResult> =>
    runArena(['context', '--data', join(place.path, 'data'), ...args], {}, place.path)
  const repo = join(place.path, 'repo')

  beforeAll(async () => {
    await buildCommand()
    writeTree(repo, {
      'src/parser.rs': 'pub fn parse_span(text: &str) -> usize {\n    text.len()\n}\n',
      'src/lib.rs': 'mod parser;\n',
      'tests/parse.rs': '#[test]\nfn parse_span_empty() {}\n',
    })
    gitIn(repo, 'init', '--quiet')
    gitIn(repo, 'add', '.')
    gitIn(repo, 'commit', '--quiet', '-m', 'Begin')
    writeFileSync(join(place.path, 'issue.md'), 'parse_span counts bytes, not characters\n')
    writeFileSync(join(place.path, 'empty.md'), '\n')
  })
  afterAll(() => place[Symbol.dispose]())

  it('tells people and programs the same, and counts nothing twice', async () => {
    const { stdout, stderr, exitCode } = await context('--repo', 'repo', '--issue', 'issue.md', '--json')
    expect(exitCode, stderr).toBe(0)
    const answer = JSON.parse(stdout)
    expect(answer).toMatchObject({
      ranking: [{ path: 'src/parser.rs', part: 'source' }],
      // What room is left is for files that nothing in the issue asks for.
      items: [{ path: 'src/parser.rs', startLine: 1, endLine: 3 }, { path: 'src/lib.rs' }],
      manifest: { variant: 'ours', base: { kind: 'commit', id: gitIn(repo, 'rev-parse', 'HEAD') } },
      work: { counted: 3, reused: 0 },
    })
    const told = await context('--repo', 'repo', '--issue', 'issue.md', '--explain', 'src/lib.rs')
    expect(told.stdout).toMatch(/0 files were indexed now, 3 had been before/)
    expect(told.stdout).toMatch(/src\/parser\.rs +1–3/)
    expect(told.stdout).toMatch(/src\/lib\.rs: unscored: /)
    const text = await context('--repo', 'repo', '--issue', 'issue.md', '--text')
    expect(text.stdout).toBe(answer.text)
  })
  it('a reviewer is shown tests too', async () => {
    const { stdout } = await context('--repo', 'repo', '--issue', 'issue.md', '--lane', 'reviewer', '--text')
    expect(stdout).toContain('## Existing tests\n\n### tests/parse.rs\n')
  })
  it('a repository without a commit, and a plain folder, are told apart', async () => {
    const empty = join(place.path, 'empty')
    writeTree(empty, { 'a.py': 'parse_span = 1\n' })
    const folder = await context('--repo', 'empty', '--issue', 'issue.md', '--json')
    expect(JSON.parse(folder.stdout)).toMatchObject({ manifest: { base: { kind: 'folder' } } })
    gitIn(empty, 'init', '--quiet')
    const unborn = await context('--repo', 'empty', '--issue', 'issue.md')
    expect(unborn.exitCode).toBe(2)
    expect(unborn.stderr).toMatch(/HEAD is no commit of this repository/)
  })
  it.each([
    ['no repository', ['--issue', 'issue.md'], /--repo is missing/],
    ['no such folder', ['--repo', 'none', '--issue', 'issue.md'], /there is no such folder/],
    ['an empty issue', ['--repo', 'repo', '--issue', 'empty.md'], /empty\.md: the issue is empty/],
    ['another variant', ['--repo', 'repo', '--issue', 'issue.md', '--variant', 'best'], /expected none, /],
    [
      'a budget of nothing',
      ['--repo', 'repo', '--issue', 'issue.md', '--budget', '0'],
      /--budget 0: expected/,
    ],
  ])('exits with 2 for wrong use: %s', async (_what, args, message) => {
    const result = await context(...args)
    expect(result.exitCode).toBe(2)
    expect(result.stdout).toBe('')
    expect(result.stderr).toMatch(message)
  })
})
