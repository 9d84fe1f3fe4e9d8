import { execFileSync } from 'node:child_process'
import { chmodSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { LoadedTask } from '../../src/schema/task.ts'
import { loadTask } from '../../src/task/load.ts'
import { gitRepoView } from '../../src/task/repo-view.ts'
import { openTemplate } from '../../src/task/template.ts'
import { gitIn, temporaryFolder, writeTree } from '../helpers/repository.ts'

/** A repository with a base commit, its fix, and every way in which the fix was seen to leak. */
function repositoryWithFuture(folder: string): { base: string; fix: string } {
  mkdirSync(folder)
  gitIn(folder, 'init', '-q', '-b', 'main')
  writeTree(folder, { 'a.txt': 'one\n', 'run.sh': '#!/bin/sh\n', '.github/workflows/ci.yml': 'on: push\n' })
  chmodSync(join(folder, 'run.sh'), 0o755)
  symlinkSync('a.txt', join(folder, 'link'))
  gitIn(folder, 'add', '-A')
  gitIn(folder, 'commit', '-qm', 'First')
  writeTree(folder, { 'a.txt': 'two\n' })
  gitIn(folder, 'commit', '-qam', 'Base')
  const base = gitIn(folder, 'rev-parse', 'HEAD')
  writeTree(folder, { 'a.txt': 'three: the fix\n' })
  gitIn(folder, 'commit', '-qam', 'The fix')
  const fix = gitIn(folder, 'rev-parse', 'HEAD')
  gitIn(folder, 'tag', '-a', 'v1', '-m', 'release')
  gitIn(folder, 'update-ref', 'refs/remotes/origin/main', fix)
  gitIn(folder, 'notes', 'add', '-m', 'fixed here', base)
  writeTree(folder, { 'a.txt': 'stashed\n' })
  gitIn(folder, 'stash')
  gitIn(folder, 'gc', '-q')
  for (const name of readdirSync(join(folder, '.git/objects/pack')))
    if (name.endsWith('.pack'))
      writeFileSync(join(folder, '.git/objects/pack', name.replace(/pack$/, 'keep')), '')
  return { base, fix }
}

const taskJson = (baseCommit: string): Record<string, unknown> => ({
  schemaVersion: 1,
  id: 'sample',
  repository: { name: 'someone/sample', path: '../repository' },
  language: 'python',
  baseCommit,
  statements: { original: 'issue.md' },
  origin: 'authored',
  goldenPatch: 'golden.patch',
  testPatch: 'tests.patch',
  ci: { workflow: '.github/workflows/ci.yml', jobs: ['test'] },
  FAIL_TO_PASS: ['tests/test_a.py::test_a'],
  PASS_TO_PASS: [],
  created: '2026-01-02T03:04:05Z',
  source: 'written for a test',
})

let folder: ReturnType<typeof temporaryFolder>
beforeEach(() => {
  folder = temporaryFolder('task')
})
afterEach(() => folder[Symbol.dispose]())

const writeTask = (document: Record<string, unknown>): string => {
  const path = join(folder.path, 'task')
  writeTree(path, {
    'task.json': JSON.stringify(document, null, 2),
    'issue.md': 'It breaks.\n',
    'golden.patch': 'diff\n',
    'tests.patch': 'diff\n',
  })
  return path
}

describe('the honest tree', () => {
  it('holds the base tree and one root commit, and nothing of the past or the future resolves', async () => {
    const source = join(folder.path, 'repository')
    const { base, fix } = repositoryWithFuture(source)
    const loaded: LoadedTask = await loadTask(writeTask(taskJson(base)))
    const owned: string[] = []
    const { template } = await openTemplate({
      loaded,
      folder: join(folder.path, 'templates'),
      ownLayer: async (layer) => void owned.push(layer),
    })
    expect(owned).toHaveLength(1)
    expect(gitIn(template, 'rev-parse', 'HEAD^{tree}')).toBe(gitIn(source, 'rev-parse', `${base}^{tree}`))
    expect(gitIn(template, 'rev-list', '--all', '--count')).toBe('1')
    expect(gitIn(template, 'log', '--format=%P%an%s')).not.toMatch(/fix|First|Example/)
    for (const id of [
      fix,
      base,
      gitIn(source, 'rev-parse', `${fix}:a.txt`),
      gitIn(source, 'rev-parse', `${base}~1:a.txt`),
    ])
      expect(() => gitIn(template, 'cat-file', '-e', id), id).toThrow()
    expect(gitIn(template, 'for-each-ref', '--format=%(refname)')).toBe('refs/heads/main')
    for (const trace of [
      'logs',
      'ORIG_HEAD',
      'FETCH_HEAD',
      'packed-refs',
      'objects/info/alternates',
      'refs/stash',
    ])
      expect(() => readFileSync(join(template, '.git', trace)), trace).toThrow()
    expect(gitIn(template, 'status', '--porcelain')).toBe('')
    expect(gitIn(template, 'ls-files', '-s')).toBe(
      execFileSync('git', ['ls-tree', '-r', base], { cwd: source, encoding: 'utf8' })
        .trim()
        .replace(/^(\d+) blob (\w+)\t/gm, '$1 $2 0\t'),
    )
  })

  it('is made once and found again', async () => {
    const { base } = repositoryWithFuture(join(folder.path, 'repository'))
    const loaded = await loadTask(writeTask(taskJson(base)))
    let made = 0
    const open = () =>
      openTemplate({ loaded, folder: join(folder.path, 'templates'), ownLayer: async () => void made++ })
    expect(await open()).toEqual(await open())
    expect(made).toBe(1)
    expect(readdirSync(join(folder.path, 'templates'))).toHaveLength(1)
  })

  it('shows the files of the base commit only', async () => {
    const source = join(folder.path, 'repository')
    const { base } = repositoryWithFuture(source)
    const view = await gitRepoView(source, base)
    expect(view.list()).toEqual(['.github/workflows/ci.yml', 'a.txt', 'link', 'run.sh'])
    expect(view.read('a.txt')?.toString()).toBe('two\n')
    expect(view.read('missing')).toBeUndefined()
  })
})

describe('a wrong task is refused in one line that names file and field', () => {
  const refused = async (change: (document: Record<string, unknown>) => void): Promise<string> => {
    const document = taskJson('0'.repeat(40))
    change(document)
    const error: unknown = await loadTask(writeTask(document)).catch((caught: unknown) => caught)
    expect(error).toBeInstanceOf(Error)
    const message = error instanceof Error ? error.message : ''
    expect(message).not.toContain('\n')
    expect(message).toContain('task.json')
    return message
  }

  it.each<[string, (document: Record<string, unknown>) => void, RegExp]>([
    ['an unknown language', (document) => Object.assign(document, { language: 'cobol' }), /language: .*cpp/],
    [
      'a short commit id',
      (document) => Object.assign(document, { baseCommit: 'abc' }),
      /baseCommit: expected a full git commit id/,
    ],
    ['no jobs', (document) => Object.assign(document, { ci: { workflow: 'a.yml', jobs: [] } }), /ci\.jobs: /],
    ['a key that nobody knows', (document) => Object.assign(document, { colour: 'red' }), /colour/],
    [
      'a path that leaves the folder',
      (document) => Object.assign(document, { goldenPatch: '../secret' }),
      /goldenPatch: expected a relative path/,
    ],
    [
      'a file that is not there',
      (document) => Object.assign(document, { goldenPatch: 'other.patch' }),
      /goldenPatch: there is no file other\.patch/,
    ],
    [
      'a case key without a suite',
      (document) => Object.assign(document, { FAIL_TO_PASS: ['test_a'] }),
      /FAIL_TO_PASS\[0\]: expected suite::name/,
    ],
    [
      'no tests for an authored task',
      (document) => Object.assign(document, { testPatch: null }),
      /goldenPatch, testPatch: /,
    ],
  ])('%s', async (_, change, expected) => {
    expect(await refused(change)).toMatch(expected)
  })

  it('text that is no JSON names the line', async () => {
    const path = writeTask(taskJson('0'.repeat(40)))
    writeFileSync(join(path, 'task.json'), '{\n "id": "x",\n oops\n}')
    await expect(loadTask(path)).rejects.toThrow(/task\.json(:3)?: not valid JSON/)
  })

  it('a base commit that the repository does not have', async () => {
    repositoryWithFuture(join(folder.path, 'repository'))
    const loaded = await loadTask(writeTask(taskJson('1'.repeat(40))))
    await expect(
      openTemplate({ loaded, folder: join(folder.path, 'templates'), ownLayer: async () => undefined }),
    ).rejects.toThrow(/task\.json: baseCommit: 1{40} is not in the repository; fetch it/)
  })
})
