import { cpSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { beforeAll, describe, expect, test } from 'vitest'
import { buildCommand, runArena } from '../helpers/command.ts'
import { canPlayPython } from '../helpers/playable.ts'
import { temporaryFolder } from '../helpers/repository.ts'
import { needs } from '../helpers/require.ts'

const TIMEOUT_MS = 600_000
const EXAMPLE = fileURLToPath(new URL('../../examples/tasks/python-cron-weekday', import.meta.url))

beforeAll(buildCommand, TIMEOUT_MS)

describe.skipIf(needs('bubblewrap with pytest', canPlayPython()))(
  'arena task verify',
  { timeout: TIMEOUT_MS },
  () => {
    test('fills the lists of a task as its authors know them, and keeps what it found', async () => {
      using folder = temporaryFolder('verify')
      using data = temporaryFolder('verify-data')
      const task = join(folder.path, 'cron')
      cpSync(EXAMPLE, task, { recursive: true })
      const known = JSON.parse(readFileSync(join(task, 'task.json'), 'utf8'))
      const open = { ...known, FAIL_TO_PASS: [], PASS_TO_PASS: [] }
      writeFileSync(join(task, 'task.json'), JSON.stringify(open))
      const verify = (...args: string[]) =>
        runArena(['task', 'verify', ...args, '--data', data.path, '--sandbox', 'bubblewrap'])

      const first = await verify(folder.path)
      expect([first.exitCode, first.stdout]).toEqual([
        0,
        expect.stringMatching(/cron-weekday +accepted +7 +41 /),
      ])
      expect(first.stdout).toContain(
        'found 1 → read 1 → built 1 → failing 1 → passing 1 → stable 1 → accepted 1',
      )
      const filled = JSON.parse(readFileSync(join(task, 'task.json'), 'utf8'))
      expect([...filled.FAIL_TO_PASS].sort()).toEqual([...known.FAIL_TO_PASS].sort())
      expect([...filled.PASS_TO_PASS].sort()).toEqual([...known.PASS_TO_PASS].sort())

      const second = await verify(task, '--json')
      const { tasks } = JSON.parse(second.stdout)
      expect([second.exitCode, tasks[0].kept, tasks[0].verification.rated]).toEqual([0, true, true])
      const lint = await runArena(['task', 'lint', task, '--json'])
      expect([lint.exitCode, JSON.parse(lint.stdout).findings]).toEqual([0, []])

      // What was changed afterwards is not what was verified.
      writeFileSync(join(task, 'issue.md'), `${readFileSync(join(task, 'issue.md'), 'utf8')}More.\n`)
      const changed = await runArena(['task', 'lint', task])
      expect(changed.stdout).toContain('it was verified before its files changed (not-verified)')
    })

    test('tells what is no task, and goes on with the others', async () => {
      using folder = temporaryFolder('verify')
      using data = temporaryFolder('verify-data')
      cpSync(EXAMPLE, join(folder.path, 'broken'), { recursive: true })
      writeFileSync(join(folder.path, 'broken', 'task.json'), '{"schemaVersion": 2}')
      const run = await runArena([
        'task',
        'verify',
        folder.path,
        '--data',
        data.path,
        '--sandbox',
        'bubblewrap',
      ])
      expect([run.exitCode, run.stdout]).toEqual([
        1,
        expect.stringMatching(/found +0 +0 .*unreadable: .*schemaVersion/),
      ])
      const none = await runArena(['task', 'verify', '--data', data.path])
      expect([none.exitCode, none.stderr]).toEqual([2, expect.stringContaining('expected a task folder')])
    })
  },
)
