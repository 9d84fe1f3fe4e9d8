import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type ReadPatchRequest, readPatch } from '../../src/arena/read-patch.ts'
import { gitIn, temporaryFolder, writeTree } from '../helpers/repository.ts'

const place = temporaryFolder('arena-read-patch')
const repo = join(place.path, 'a "repo" grün')
const FIX = '--- a/src/a.py\n+++ b/src/a.py\n@@ -1,2 +1,2 @@\n def a():\n-    return 1\n+    return 2\n'
const MORE_TESTS =
  '--- a/tests/test_a.py\n+++ b/tests/test_a.py\n@@ -1,2 +1,5 @@\n def test_a():\n     assert True\n+\n+def test_b():\n+    assert 1\n'
const fenced = (text: string, info = 'diff'): string => `\`\`\`${info}\n${text}\`\`\`\n`

const read = (answer: string | Buffer, request: Partial<ReadPatchRequest> = {}) => {
  const file = join(place.path, 'answer.md')
  writeFileSync(file, answer)
  return readPatch({ file, repo, role: 'submitter', ...request })
}
const stateOf = (folder: string): string =>
  execFileSync('find', ['.', '-printf', '%p %s %T@\n'], { cwd: folder }).toString()

beforeAll(() => {
  writeTree(repo, {
    'src/a.py': 'def a():\n    return 1\n',
    'tests/test_a.py': 'def test_a():\n    assert True\n',
    '.github/workflows/ci.yml': 'on: push\njobs: {}\n',
  })
  gitIn(repo, 'init', '--quiet', '--initial-branch=main')
  gitIn(repo, 'add', '.')
  gitIn(repo, 'commit', '--quiet', '-m', 'Begin')
  gitIn(repo, 'tag', 'v1')
  writeTree(repo, { 'src/a.py': 'def a():\n    return 2\n' })
  gitIn(repo, 'commit', '--quiet', '-am', 'Fix')
})
afterAll(() => place[Symbol.dispose]())

describe('an answer that a round would play', () => {
  it("a submitter's: what is changed, and what was stripped", async () => {
    const workflow = '--- /dev/null\n+++ b/.github/workflows/x.yml\n@@ -0,0 +1 @@\n+on: push\n'
    const reading = await read(`<think>\nhm\n</think>\n${fenced(FIX + MORE_TESTS + workflow)}`, {
      commit: 'v1',
    })
    expect(reading).toMatchObject({
      kind: 'patch',
      reason: null,
      forfeit: null,
      form: 'diff',
      language: 'python',
      commit: gitIn(repo, 'rev-parse', 'v1'),
      files: [{ path: 'src/a.py', change: 'modified', mode: '100644' }],
    })
    expect(reading.notes.map(({ action, path }) => [action, path])).toEqual([
      ['normalised', ''],
      ['stripped', '.github/workflows/x.yml'],
      ['stripped', 'tests/test_a.py'],
    ])
    expect(reading.diff).toContain('+    return 2')
  })
  it("a reviewer's: its cases, and those over the caps", async () => {
    const cases = Array.from({ length: 12 }, (_, index) => `def test_${index}():\n    assert 0\n`).join('\n')
    const reading = await read(fenced(cases, 'python tests/test_new.py'), { role: 'reviewer' })
    expect(reading).toMatchObject({
      kind: 'patch',
      form: 'files',
      files: [{ path: 'tests/test_new.py', change: 'added' }],
    })
    expect(reading.cases).toHaveLength(10)
    expect(reading.overCap.map((one) => one.case)).toEqual(['test_10', 'test_11'])
  })
  it('deletions, additions and modes by name', async () => {
    const diff =
      'diff --git a/src/a.py b/src/a.py\ndeleted file mode 100644\n--- a/src/a.py\n+++ /dev/null\n@@ -1,2 +0,0 @@\n-def a():\n-    return 2\ndiff --git a/run.sh b/run.sh\nnew file mode 100755\n--- /dev/null\n+++ b/run.sh\n@@ -0,0 +1 @@\n+x\n'
    expect((await read(diff)).files).toEqual([
      { path: 'run.sh', change: 'added', mode: '100755' },
      { path: 'src/a.py', change: 'deleted', mode: null },
    ])
  })
})

describe('an answer that a round would not play', () => {
  it.each<[string, string, object]>([
    ['blanks', ' \n', { kind: 'empty', forfeit: 'empty' }],
    ['a change of tests alone', MORE_TESTS, { kind: 'empty', forfeit: 'empty', form: 'diff' }],
    ['an apology', "I'm sorry, I can't help with that.", { kind: 'refusal' }],
    ['an open thought', '<think>\nso', { kind: 'truncated' }],
    ['an open fence', `\`\`\`diff\n${FIX}`, { kind: 'truncated' }],
    ['prose', 'The bug is in a.', { kind: 'unusable', forfeit: 'unusable' }],
    ['a fix of another commit', fenced(FIX), { kind: 'unusable', forfeit: 'does-not-apply' }],
    [
      'a path outside',
      '--- /dev/null\n+++ b/../x\n@@ -0,0 +1 @@\n+x\n',
      { kind: 'unusable', forfeit: 'malformed' },
    ],
  ])('%s', async (_what, answer, expected) => {
    const reading = await read(answer)
    expect(reading).toMatchObject({ ...expected, files: [], cases: [], diff: '' })
    expect(reading.reason).toMatch(/\w/)
  })
  it('tests without a new case', async () => {
    expect(await read(fenced('x = 1\n', 'python tests/test_new.py'), { role: 'reviewer' })).toMatchObject({
      kind: 'empty',
      forfeit: 'no-cases',
    })
  })
  it('bytes that are no text are said', async () => {
    const reading = await read(Buffer.from([0x68, 0xe2, 0x28, 0x0a]))
    expect(reading.notes[0]?.reason).toMatch(/not UTF-8/)
  })
})

describe('any local repository', () => {
  it('is never written, and its configuration changes nothing', async () => {
    for (const [key, value] of [
      ['apply.whitespace', 'error-all'],
      ['apply.ignoreWhitespace', 'change'],
      ['core.autocrlf', 'true'],
    ])
      gitIn(repo, 'config', String(key), String(value))
    const before = stateOf(repo)
    const loose = FIX.replace('-    return 1', '-    return  1')
    expect(await read(loose, { commit: 'v1' })).toMatchObject({ forfeit: 'does-not-apply' })
    const blanks = FIX.replace('+    return 2', '+    return 2   ')
    expect((await read(blanks, { commit: 'v1' })).diff).toContain('+    return 2   \n')
    expect(stateOf(repo)).toBe(before)
  })
  it('a folder inside one, a bare clone, a second worktree', async () => {
    const bare = join(place.path, 'bare.git')
    const tree = join(place.path, 'tree')
    gitIn(repo, 'clone', '--quiet', '--bare', '.', bare)
    gitIn(repo, 'worktree', 'add', '--quiet', '--detach', tree, 'v1')
    for (const one of [join(repo, 'src'), bare])
      expect((await read(FIX, { repo: one, commit: 'v1' })).kind).toBe('patch')
    expect((await read(FIX, { repo: tree })).kind).toBe('patch')
  })
  it('with SHA-256 objects', async () => {
    const other = join(place.path, 'sha256')
    writeTree(other, { 'src/a.py': 'def a():\n    return 1\n' })
    gitIn(other, 'init', '--quiet', '--object-format=sha256')
    gitIn(other, 'add', '.')
    gitIn(other, 'commit', '--quiet', '-m', 'Begin')
    expect((await read(FIX, { repo: other })).kind).toBe('patch')
  })
  it('in no language that the arena knows: a patch is read, tests need the name of one', async () => {
    const other = join(place.path, 'words')
    writeTree(other, { 'a.txt': 'a\n' })
    gitIn(other, 'init', '--quiet')
    gitIn(other, 'add', '.')
    gitIn(other, 'commit', '--quiet', '-m', 'Begin')
    const diff = '--- a/a.txt\n+++ b/a.txt\n@@ -1 +1 @@\n-a\n+b\n'
    expect(await read(diff, { repo: other })).toMatchObject({ kind: 'patch', language: null })
    await expect(read(diff, { repo: other, role: 'reviewer' })).rejects.toThrow(/give --language cpp, python/)
    expect(await read(diff, { repo: other, role: 'reviewer', language: 'go' })).toMatchObject({
      kind: 'empty',
      language: 'go',
    })
  })
  it('that is none, or has no such commit, is wrong use', async () => {
    await expect(read(FIX, { repo: join(place.path, 'none') })).rejects.toThrow(/--repo: there is no such/)
    await expect(read(FIX, { repo: place.path })).rejects.toThrow(/--repo: this is no git repository/)
    await expect(read(FIX, { commit: '--help' })).rejects.toThrow(/--commit: --help is no commit/)
    await expect(readPatch({ file: join(place.path, 'none'), repo, role: 'submitter' })).rejects.toThrow(
      /none: the answer cannot be read/,
    )
  })
})
