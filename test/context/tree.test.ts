import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openFolderCorpus } from '../../src/context/folder-corpus.ts'
import { openGitCorpus } from '../../src/context/git-corpus.ts'
import { GIT_IDENTITY, gitIn, temporaryFolder, writeTree } from '../helpers/repository.ts'
import { indexIn, retrieveFrom } from './open-index.ts'

const place = temporaryFolder('arena-context-tree')
afterAll(() => place[Symbol.dispose]())

const repo = join(place.path, 'odd')
/** Everything that a real tree may hold and that nobody expects. */
beforeAll(() => {
  writeTree(repo, {
    'src/queue.py': 'def drain_queue(items):\r\n    return [item for item in items]\r\n',
    'src/empty.py': '',
    'src/one_line.py': 'drain_queue = 1',
    'docs/queue.md': 'drain_queue drain_queue\n',
    'data/pointer.py': 'version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 1\n',
    'vendor/other/queue.go': 'package other\nfunc drain_queue() {}\n',
  })
  writeFileSync(
    join(repo, 'src/latin.py'),
    Buffer.from('# caf\xe9 \xff\xfe\ndef drain_queue_caf\xe9(): pass\n', 'latin1'),
  )
  writeFileSync(join(repo, 'src/nul.py'), Buffer.from('drain_queue\0\0\0'))
  writeFileSync(join(repo, 'src/long_line.js'), `drain_queue(${'0,'.repeat(250_000)})\n`)
  writeFileSync(join(repo, 'src/large.py'), 'drain_queue()\n'.repeat(80_000))
  mkdirSync(join(repo, 'loop'))
  symlinkSync('..', join(repo, 'loop', 'up'))
  symlinkSync('itself', join(repo, 'loop', 'itself'))
  symlinkSync('/etc/passwd', join(repo, 'src', 'outside.py'))
  gitIn(repo, 'init', '--quiet')
  gitIn(repo, 'add', '.')
  const inner = '1'.repeat(40)
  gitIn(repo, 'update-index', '--add', '--cacheinfo', `160000,${inner},inner`)
  // A name that is no UTF-8.
  const blob = execFileSync('git', ['hash-object', '-w', '--stdin'], { cwd: repo, input: 'x' })
    .toString()
    .trim()
  execFileSync('git', ['update-index', '-z', '--index-info'], {
    cwd: repo,
    input: Buffer.concat([Buffer.from(`100644 ${blob}\tsrc/`), Buffer.from([0xff, 0x2e, 0x70, 0x79, 0])]),
    env: { ...process.env, ...GIT_IDENTITY },
  })
  gitIn(repo, 'commit', '--quiet', '-m', 'Begin')
  mkdirSync(join(repo, 'inner'), { recursive: true })
  writeTree(repo, { 'inner/.git': 'gitdir: nowhere\n', 'inner/inner.py': 'drain_queue = 2\n' })
})

const SKIPPED = {
  'data/pointer.py': 'lfs-pointer',
  'src/large.py': 'large',
  'src/long_line.js': 'minified',
  'src/nul.py': 'binary',
}

const RANKED = ['src/latin.py', 'src/one_line.py', 'src/queue.py']

describe('a tree with everything odd in it', () => {
  it('of a commit is indexed: what is no text or nobody wrote is told by name', async () => {
    const corpus = await openGitCorpus(repo, gitIn(repo, 'rev-parse', 'HEAD'))
    try {
      const index = await indexIn(join(place.path, 'a'), corpus)
      const skipped = index.files.filter((file) => file.place.skipped)
      expect(Object.fromEntries(skipped.map((file) => [file.path, file.place.skipped]))).toEqual(SKIPPED)
      expect(corpus.leftOut.map(({ path, reason }) => [path, reason])).toEqual(
        expect.arrayContaining([
          ['inner', 'submodule'],
          ['loop/itself', 'symlink'],
          ['loop/up', 'symlink'],
          ['src/outside.py', 'symlink'],
          ['src/ÿ.py', 'odd-name'],
        ]),
      )
      const { ranking, text } = await retrieveFrom(index, 'drain_queue loses items')
      expect(ranking.map(({ file }) => file.path).sort()).toEqual(RANKED)
      expect(text).toContain('def drain_queue(items):\r\n')
      expect(text).not.toContain('root:')
    } finally {
      await corpus.close()
    }
  })
  it('of a plain folder is the same, with the same names of contents', async () => {
    const commit = await openGitCorpus(repo, gitIn(repo, 'rev-parse', 'HEAD'))
    const folder = await openFolderCorpus(repo, 1_000_000)
    const blobs = new Map(commit.files.map((file) => [file.path, file.blob]))
    await commit.close()
    expect(folder.files.map(({ path }) => path)).toEqual(commit.files.map(({ path }) => path))
    for (const file of folder.files)
      if (file.path !== 'src/large.py') expect(file.blob, file.path).toBe(blobs.get(file.path))
    const index = await indexIn(join(place.path, 'b'), folder)
    const skipped = index.files.filter((file) => file.place.skipped)
    expect(Object.fromEntries(skipped.map((file) => [file.path, file.place.skipped]))).toEqual(SKIPPED)
    const { ranking } = await retrieveFrom(index, 'drain_queue loses items')
    expect(ranking.map(({ file }) => file.path).sort()).toEqual(RANKED)
  })
  it.each([
    ['without a file', {}],
    ['without code', { 'README.md': '# Words\n', 'data.json': '{}\n' }],
  ])('%s gives an empty pack', async (name, files) => {
    const folder = join(place.path, name)
    mkdirSync(folder)
    writeTree(folder, files)
    const index = await indexIn(join(place.path, `${name}-kept`), await openFolderCorpus(folder, 1_000_000))
    const { text, manifest, ranking } = await retrieveFrom(index, 'words')
    expect({ text, tokens: manifest.tokens, items: manifest.items, ranking }).toEqual({
      text: '',
      tokens: 0,
      items: [],
      ranking: [],
    })
  })
})

describe('a commit', () => {
  const history = join(place.path, 'history')
  const commits: string[] = []
  beforeAll(() => {
    mkdirSync(history)
    gitIn(history, 'init', '--quiet')
    for (const [message, files] of [
      ['Begin', { 'a.py': 'def parse_header(text):\n    return text\n', 'b.py': 'def other():\n    pass\n' }],
      [
        'Fix zebra_marker in parse_header',
        {
          'a.py': 'def parse_header(zebra_marker):\n    return 1\n',
          'zebra_marker.py': 'zebra_marker = 1\n',
        },
      ],
      ['Remove', { 'b.py': 'def zebra_marker():\n    pass\n' }],
    ] as const) {
      writeTree(history, files)
      gitIn(history, 'add', '.')
      gitIn(history, 'commit', '--quiet', '-m', message)
      commits.push(gitIn(history, 'rev-parse', 'HEAD'))
    }
  })
  const packAt = async (kept: string, commit: string | undefined) => {
    const corpus = await openGitCorpus(history, commit ?? '')
    try {
      const index = await indexIn(kept, corpus)
      return { ...(await retrieveFrom(index, 'zebra_marker breaks parse_header')), work: index.work }
    } finally {
      await corpus.close()
    }
  }

  it('shows nothing that came after it, whatever was indexed before', async () => {
    const fresh = await packAt(join(place.path, 'fresh'), commits[0])
    const kept = join(place.path, 'later-first')
    for (const commit of [commits[2], commits[1]]) await packAt(kept, commit)
    const after = await packAt(kept, commits[0])
    expect(after.work).toMatchObject({ counted: 1, reused: 1 })
    expect(after.text).toBe(fresh.text)
    expect(after.manifest).toEqual(fresh.manifest)
    expect(fresh.text).not.toMatch(/zebra|zebra_marker\.py/)
    const later = await packAt(kept, commits[2])
    expect(later.text).toMatch(/zebra_marker\.py/)
  })
  it('counts only blobs that are new to the index', async () => {
    const kept = join(place.path, 'again')
    expect((await packAt(kept, commits[0])).work).toMatchObject({ counted: 2, reused: 0 })
    expect((await packAt(kept, commits[1])).work).toMatchObject({ counted: 2, reused: 1 })
    expect((await packAt(kept, commits[1])).work).toMatchObject({ counted: 0, reused: 3 })
  })
  it.each([
    [
      'a flipped byte',
      (bytes: Buffer) => Buffer.from(bytes.map((byte, at) => (at === 200 ? byte ^ 1 : byte))),
    ],
    ['a torn end', (bytes: Buffer) => bytes.subarray(0, bytes.length - 7)],
    [
      'another version',
      (bytes: Buffer) => Buffer.from(bytes.toString('latin1').replace('index 1', 'index 0'), 'latin1'),
    ],
    ['no bytes', () => Buffer.alloc(0)],
    ['bytes of something else', () => Buffer.from('hello\n'.repeat(100))],
  ])('is indexed anew where the stored index has %s', async (name, spoil) => {
    const kept = join(place.path, `spoilt ${name}`)
    const before = await packAt(kept, commits[1])
    const file = join(kept, 'kept', 'index.idx')
    writeFileSync(file, spoil(readFileSync(file)))
    const after = await packAt(kept, commits[1])
    expect(after.work.counted).toBe(3)
    expect(after.text).toBe(before.text)
    expect((await packAt(kept, commits[1])).work).toMatchObject({ counted: 0, spoiltBytes: 0 })
  })
})
