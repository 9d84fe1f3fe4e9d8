import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { cpSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Round } from '../../src/schema/match.ts'
import { buildCommand, runArena, startArena } from '../helpers/command.ts'
import { gitIn, temporaryFolder } from '../helpers/repository.ts'
import { needs } from '../helpers/require.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const TASK = join(root, 'examples/tasks/python-cron-weekday')

const works = (command: string, ...args: string[]): boolean => {
  try {
    execFileSync(command, args, { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

/** New files as a model would answer with them. */
function answerWith(files: Readonly<Record<string, string>>): string {
  const diffs = Object.entries(files).map(([path, text]) => {
    const lines = text.replace(/\n$/, '').split('\n')
    return `diff --git a/${path} b/${path}\nnew file mode 100644\n--- /dev/null\n+++ b/${path}\n@@ -0,0 +1,${lines.length} @@\n${lines.map((line) => `+${line}`).join('\n')}\n`
  })
  return `Here are the tests.\n\n\`\`\`diff\n${diffs.join('')}\`\`\`\n`
}

/** What golden makes of the file, so that a test can recognise it. */
function goldenDigest(folder: string, path: string): string {
  gitIn(folder, 'clone', '-q', join(TASK, 'repository.bundle'), 'golden')
  const clone = join(folder, 'golden')
  const { baseCommit } = JSON.parse(execFileSync('cat', [join(TASK, 'task.json')], { encoding: 'utf8' })) as {
    baseCommit: string
  }
  gitIn(clone, 'checkout', '-q', baseCommit)
  gitIn(clone, 'apply', join(TASK, 'golden.patch'))
  return createHash('sha256')
    .update(execFileSync('cat', [join(clone, path)]))
    .digest('hex')
}

const SEVEN =
  'from cronlite.fields import WEEKDAY\n\n\ndef test_seven():\n    assert WEEKDAY.parse("7") == frozenset({0})\n'

describe.skipIf(
  needs('bubblewrap with pytest', works('bwrap', '--version') && works('python3', '-c', 'import pytest')),
)('tests that try to decide without testing, in real sandboxes', () => {
  const folder = temporaryFolder('arena-tricky')
  const data = join(folder.path, 'data')
  let round: Round

  beforeAll(async () => {
    await buildCommand()
    const players = join(folder.path, 'players')
    cpSync(join(root, 'examples/competitors/symptom'), join(players, 'symptom'), { recursive: true })
    const tricky = join(players, 'tricky/python-cron-weekday')
    mkdirSync(tricky, { recursive: true })
    cpSync(join(root, 'examples/competitors/careless/python-cron-weekday/patch.md'), join(tricky, 'patch.md'))
    writeFileSync(
      join(tricky, 'tests.md'),
      answerWith({
        'tests/test_print.py': `import hashlib\nimport pathlib\n\n\ndef test_fingerprint():\n    text = pathlib.Path("cronlite/fields.py").read_bytes()\n    assert hashlib.sha256(text).hexdigest() == "${goldenDigest(folder.path, 'cronlite/fields.py')}"\n`,
        'tests/test_ends.py':
          'import os\n\n\ndef test_leaves():\n    os._exit(0)\n\n\ndef test_crashes():\n    os.abort()\n',
        'tests/test_unbuilt.py': 'import no_such_module\n\n\ndef test_never():\n    assert no_such_module\n',
        'tests/test_same.py': SEVEN,
        'tests/test_same_too.py': SEVEN,
      }),
    )
    const season = join(folder.path, 'season.yml')
    writeFileSync(
      season,
      `id: tricky\ntitle: Tricky tests\ntasks: [${TASK}]\ncompetitors: ['scripted:${players}/symptom', 'scripted:${players}/tricky']\ncontrols: false\nattempts: 1\n`,
    )
    const played = await runArena(['season', season, '--data', data])
    expect(played.exitCode, played.stderr).toBe(0)
    const rounds = JSON.parse(
      (await runArena(['season', season, '--data', data, '--json'])).stdout,
    ) as unknown
    expect(rounds).toMatchObject({ rounds: 2, cells: { miss: 0 } })
    round = await findRound(data)
  }, 600_000)
  afterAll(() => folder[Symbol.dispose]())

  const rejectedAs = (name: string): string[] => [
    ...new Set(round.verdict.rejected.filter((key) => key.case === name).map((key) => key.why)),
  ]

  it('a test that knows golden by its bytes is not admitted', () => {
    expect(rejectedAs('test_fingerprint')).toEqual(['fails-on-commented-golden'])
  })

  it('a case that leaves or crashes its process is absent, and takes no other case with it', () => {
    expect(rejectedAs('test_leaves')).toEqual(['fails-on-golden'])
    expect(rejectedAs('test_crashes')).toEqual(['fails-on-golden'])
  })

  it('a file that does not build is not admitted', () => {
    expect(rejectedAs('test_never')).toEqual(['fails-on-golden'])
  })

  it('two files with the same test name are two tests, in each leg of the matrix', () => {
    const admitted = round.verdict.admitted.map((key) => `${key.file} ${key.case} ${key.leg}`)
    expect(new Set(admitted).size).toBe(4)
    expect(new Set(round.verdict.admitted.map((key) => key.file))).toEqual(
      new Set(['tests/test_same.py', 'tests/test_same_too.py']),
    )
  })

  it('what is admitted decides, whatever else the set holds', () => {
    expect(['submitter-win', 'reviewer-win']).toContain(round.verdict.kind)
    expect(round.verdict.points.submitter).toBe(round.verdict.kind === 'submitter-win' ? 1 : -1)
  })

  /** The round in which the tricky tests meet the playable patch. */
  async function findRound(dataFolder: string): Promise<Round> {
    const server = startArena(['serve', '--port', '0', '--data', dataFolder])
    try {
      const shown = await server.waitFor(/leaderboard: http:\/\/127\.0\.0\.1:\d+ /)
      const address = /http:\/\/127\.0\.0\.1:\d+/.exec(shown)?.[0]
      const answer = (await (await fetch(`${address}/api/v1/seasons/tricky/rounds`)).json()) as {
        rounds: { id: string; reviewer: string }[]
      }
      const id = answer.rounds.find((one) => one.reviewer === 'tricky')?.id
      const view = (await (await fetch(`${address}/api/v1/rounds/${id}`)).json()) as { round: Round }
      return view.round
    } finally {
      process.kill(server.pid, 'SIGTERM')
      await server.result
    }
  }
})
