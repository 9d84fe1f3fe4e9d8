import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildCommand, type CommandResult, runArena } from '../helpers/command.ts'
import { gitIn, temporaryFolder, writeTree } from '../helpers/repository.ts'

describe('arena patch read', () => {
  const place = temporaryFolder('arena-patch-read')
  const read = (...args: string[]): Promise<CommandResult> =>
    runArena(['patch', 'read', ...args], {}, place.path)

  beforeAll(async () => {
    await buildCommand()
    writeTree(join(place.path, 'repo'), { 'go.mod': 'module m\n', 'a.go': 'package m\n' })
    gitIn(join(place.path, 'repo'), 'init', '--quiet')
    gitIn(join(place.path, 'repo'), 'add', '.')
    gitIn(join(place.path, 'repo'), 'commit', '--quiet', '-m', 'Begin')
    writeFileSync(
      join(place.path, 'good.md'),
      'So:\n```diff\n--- a/a.go\n+++ b/a.go\n@@ -1 +1,2 @@\n package m\n+var a\u001b[2J = 1\n```\n',
    )
    writeFileSync(join(place.path, 'bad.md'), 'I cannot do that.\n')
  })
  afterAll(() => place[Symbol.dispose]())

  it('exits with 0 for a usable patch, for people and as one JSON document', async () => {
    const told = await read('good.md', '--repo', 'repo')
    expect(told.exitCode, told.stderr).toBe(0)
    expect(told.stdout).toMatch(
      /^a diff that can be played, as a submitter's answer on [0-9a-f]{12} \(go\)\n/,
    )
    expect(told.stdout).toMatch(/a\.go +modified/)
    const { stdout, stderr } = await read('good.md', '--repo', 'repo', '--json')
    expect(stderr).toBe('')
    expect(JSON.parse(stdout)).toMatchObject({
      kind: 'patch',
      reason: null,
      files: [{ path: 'a.go', change: 'modified' }],
      notes: [],
    })
  })
  it('exits with 1 for one that is not, and says why', async () => {
    const told = await read('bad.md', '--repo', 'repo', '--role', 'reviewer')
    expect(told.exitCode, told.stderr).toBe(1)
    expect(told.stdout).toMatch(/^refusal, as a reviewer's answer .*: the model declines\n/)
  })
  it.each([
    ['no repository', ['good.md'], /--repo is missing/],
    ['no such file', ['none.md', '--repo', 'repo'], /none\.md: the answer cannot be read/],
    ['another role', ['good.md', '--repo', 'repo', '--role', 'judge'], /--role judge: expected submitter or/],
    ['another language', ['good.md', '--repo', 'repo', '--language', 'perl'], /--language perl: expected/],
  ])('exits with 2 for wrong use: %s', async (_what, args, message) => {
    const result = await read(...args)
    expect(result.exitCode).toBe(2)
    expect(result.stdout).toBe('')
    expect(result.stderr).toMatch(message)
    expect(result.stderr.trim().split('\n')).toHaveLength(1)
  })
})
