import { mkdir, mkdtemp, readdir, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { caseOutcome } from '../../src/ci/case-outcome.ts'
import { isProtectedName, parseEnvFile, parsePathFile } from '../../src/ci/env-files.ts'
import { makeFile, makeFolder, makeIoFolder, readPlainFile, readPlainFiles } from '../../src/ci/io-folder.ts'
import { maskLog, readLogCommands } from '../../src/ci/log-commands.ts'
import { removeTree } from '../../src/ci/remove-tree.ts'
import { readSecret } from '../../src/ci/secret.ts'
import { createSetupLayers } from '../../src/ci/setup-layers.ts'
import { overlayView } from '../../src/ci/tree.ts'
import { wordOf } from '../../src/ci/word.ts'
import { changesOf } from '../helpers/prepared-task.ts'

let root = ''
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'ci-files-'))
})
afterEach(() => removeTree(root))

describe('command files', () => {
  test.each([
    [
      'A=1\nB=x=y\n',
      [
        ['A', '1'],
        ['B', 'x=y'],
      ],
    ],
    ['A=\n', [['A', '']]],
    [
      'T<<EOF\nl1\n\nl2\nEOF\nB=2\r\n',
      [
        ['T', 'l1\n\nl2'],
        ['B', '2'],
      ],
    ],
    ['A=b<<c\n', [['A', 'b<<c']]],
    ['T<<E\nT<<E\nE\n', [['T', 'T<<E']]],
    ['', []],
  ])('%j', (text, entries) => {
    expect(parseEnvFile(text)).toEqual({ kind: 'read', entries })
  })

  test.each(['no equals', '=value', '<<EOF\nx\nEOF', 'A<<EOF\nnever ended', 'A<<\nx\n'])(
    '%j is refused',
    (text) => {
      expect(parseEnvFile(text).kind).toBe('invalid')
    },
  )

  test('the path written last goes first', () => {
    expect(parsePathFile('/a\n/b\n')).toEqual(['/b', '/a'])
  })

  test('the runner’s own variables are protected, CI is not', () => {
    expect(['GITHUB_SHA', 'RUNNER_OS', 'NODE_OPTIONS', 'CI', 'MY_GITHUB_X'].map(isProtectedName)).toEqual([
      true,
      true,
      true,
      false,
      false,
    ])
  })
})

describe('log commands', () => {
  test('between stop-commands and its word nothing is a command', () => {
    const log = '::stop-commands::w0rd\n::error::no\n::w0rd::\n::error::yes\n'
    expect(readLogCommands(log).annotations).toEqual(['error: yes'])
  })

  test('at most ten annotations of a level, long ones cut', () => {
    const { annotations } = readLogCommands(`${'::warning::w\n'.repeat(20)}::error::${'x'.repeat(2000)}\n`)
    expect(annotations).toHaveLength(11)
    expect(annotations[10]).toHaveLength(500)
  })

  test('the old set-output still works', () => {
    expect(readLogCommands('::set-output name=a::b%0Ac\n').outputs).toEqual([['a', 'b\nc']])
  })

  test('a line made to be slow to read is not', () => {
    const log = `::error ${' '.repeat(500_000)}${':'.repeat(500_001)}x\n`
    expect(readLogCommands(log).annotations.length).toBeLessThanOrEqual(1)
  })

  test('a mask that is part of another leaves no rest of it; too short ones are no masks', () => {
    expect(maskLog('secretlong secret', ['secret', 'secretlong'])).toBe('*** ***')
    expect(readLogCommands('::add-mask::ab\n::add-mask::abc\n').masks).toEqual(['abc'])
  })
})

describe('the shared folder', () => {
  test('a name that hostile code has taken, be it by a link, is refused and its target untouched', async () => {
    const io = await makeIoFolder(join(root, 'io'))
    await writeFile(join(root, 'target'), 'mine')
    await symlink(join(root, 'target'), join(io.host, 'script'))
    await symlink(root, join(io.host, 'folder'))
    await expect(makeFile(io, 'script', 'theirs', 0o755)).rejects.toThrow('EEXIST')
    await expect(makeFolder(io, 'folder')).rejects.toThrow('EEXIST')
    expect((await stat(join(root, 'target'))).size).toBe(4)
  })

  test('reports are read from plain files only, up to the cap', async () => {
    const io = await makeIoFolder(join(root, 'io'))
    await writeFile(join(root, 'secret'), 'secret')
    await makeFolder(io, 'reports')
    await mkdir(join(io.host, 'reports/deep'))
    await writeFile(join(io.host, 'reports/a.xml'), 'aaaa')
    await writeFile(join(io.host, 'reports/b.xml'), 'b'.repeat(100))
    await writeFile(join(io.host, 'reports/deep/c.xml'), 'cc')
    await symlink(join(root, 'secret'), join(io.host, 'reports/link.xml'))
    await symlink(root, join(io.host, 'reports/linked'))
    expect([...(await readPlainFiles(io, 'reports', 50)).keys()]).toEqual(['a.xml', 'deep/c.xml'])
    expect(await readPlainFile(join(io.host, 'reports/link.xml'), 50)).toBeUndefined()
  })

  test('a report folder that became a link is not read', async () => {
    const io = await makeIoFolder(join(root, 'io'))
    await symlink(root, join(io.host, 'reports'))
    expect((await readPlainFiles(io, 'reports', 50)).size).toBe(0)
  })

  test('a folder with closed folders and a very long path is removed', async () => {
    const closed = join(root, 'x/closed')
    await mkdir(join(closed, 'in'), { recursive: true })
    await rm(join(closed, 'in'), { recursive: true })
    await removeTree(join(root, 'x'))
    await expect(stat(join(root, 'x'))).rejects.toThrow('ENOENT')
  })
})

describe('layers after set-up', () => {
  const layersIn = (cap: number) => {
    let count = 0
    return createSetupLayers<string>(join(root, 'setups'), cap, () => {
      count += 1
      return `layer-${count}`
    })
  }
  const build = (name: string, built: string[]) => async (folder: string) => {
    built.push(name)
    await mkdir(folder)
    await writeFile(join(folder, 'bytes'), 'x'.repeat(100_000))
    return name
  }

  test('many that ask for one key at once wait for one build', async () => {
    const layers = layersIn(1e9)
    const built: string[] = []
    const values = await Promise.all(
      [1, 2, 3].map(() => layers.use('a', build('a', built), async (value) => value)),
    )
    expect(values).toEqual(['a', 'a', 'a'])
    expect(built).toEqual(['a'])
  })

  test('over the cap the least recently used goes, and is built again when it is needed', async () => {
    const layers = layersIn(250_000)
    const built: string[] = []
    const use = (name: string) => layers.use(name, build(name, built), async (value) => value)
    for (const name of ['a', 'b', 'a', 'c', 'a', 'b']) await use(name)
    expect(built).toEqual(['a', 'b', 'c', 'b'])
  })

  test('a layer in use stays though it is over the cap', async () => {
    const layers = layersIn(1)
    await layers.use('a', build('a', []), async (_, folder) => {
      await layers.use('b', build('b', []), async () => undefined)
      expect((await stat(folder)).isDirectory()).toBe(true)
    })
    await layers.close()
  })

  test('a build that throws is kept by nobody', async () => {
    const layers = layersIn(1e9)
    const built: string[] = []
    const broken = async (folder: string): Promise<string> => {
      await mkdir(folder)
      throw new Error('broken')
    }
    await expect(layers.use('a', broken, async () => undefined)).rejects.toThrow('broken')
    expect(await layers.use('a', build('a', built), async (value) => value)).toBe('a')
  })
})

describe('how a case ends', () => {
  const evidence = { exitCode: 1, timedOut: false, outOfMemory: false, sentinelFailed: true }
  test.each([
    ['passed', ['passed', 'passed'], {}],
    ['failed', ['passed', 'failed', 'errored'], {}],
    ['errored', ['passed', 'errored'], {}],
    ['skipped', ['skipped'], {}],
    ['skipped', ['passed', 'skipped'], {}],
    ['absent', [], {}],
    ['absent', ['passed'], { sentinelFailed: false }],
    ['absent', ['passed'], { exitCode: 0 }],
    ['passed', ['passed'], { exitCode: null }],
    ['timed_out', ['passed'], { exitCode: 0, timedOut: true }],
    ['timed_out', ['passed'], { timedOut: true }],
    ['out_of_memory', ['passed'], { outOfMemory: true }],
  ] as const)('%s: parts %j, %j', (outcome, statuses, extra) => {
    const parts = statuses.map((status) => ({ status }))
    expect(caseOutcome({ ...evidence, ...extra, parts })).toBe(outcome)
  })
})

test('the word of the sentinels is letters, equal for a task and environment, different for others and other secrets', () => {
  expect(wordOf('s', 'task', 'env')).toMatch(/^[a-z]{12}$/)
  expect(wordOf('s', 'task', 'env')).toBe(wordOf('s', 'task', 'env'))
  expect(wordOf('s', 'task', 'env')).not.toBe(wordOf('s', 'other', 'env'))
  expect(wordOf('s', 'task', 'env')).not.toBe(wordOf('t', 'task', 'env'))
})

describe('the secret of a data folder', () => {
  test('is made once, by whoever is first, and only its owner can read it', async () => {
    const dataDir = join(root, 'data')
    const secrets = await Promise.all([1, 2, 3].map(() => readSecret(dataDir)))
    expect(secrets[0]).toMatch(/^[0-9a-f]{64}$/)
    expect(new Set([...secrets, await readSecret(dataDir)]).size).toBe(1)
    expect((await stat(join(dataDir, 'secret'))).mode & 0o777).toBe(0o600)
    expect(await readdir(dataDir)).toEqual(['secret'])
  })

  test('a file that holds none is refused with its path', async () => {
    await writeFile(join(root, 'secret'), 'hello\n')
    await expect(readSecret(root)).rejects.toThrow(`${root}/secret: no secret`)
  })
})

test('a view with changes shows what is written and hides what is deleted', () => {
  const base = { list: () => ['a', 'b'], read: (path: string) => Buffer.from(path) }
  const view = overlayView(base, changesOf({ a: null, c: 'new' }).changes)
  expect(view.list()).toEqual(['b', 'c'])
  expect([view.read('a'), view.read('b')?.toString(), view.read('c')?.toString()]).toEqual([
    undefined,
    'b',
    'new',
  ])
})
