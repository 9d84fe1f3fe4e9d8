import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startAnswerServer } from '../helpers/answer-server.ts'
import { buildCommand, type CommandResult, startArena } from '../helpers/command.ts'
import { faults } from '../helpers/openai-server.ts'
import { canPlayPython } from '../helpers/playable.ts'
import { temporaryFolder } from '../helpers/repository.ts'
import { needs } from '../helpers/require.ts'

const TASK_FOLDER = 'examples/tasks/python-cron-weekday'

const expectStopped = ({ exitCode, stderr }: CommandResult): void => {
  expect(exitCode, stderr).toBe(3)
  expect(stderr).toMatch(/^stopped; the same command goes on from here$/m)
  expect(stderr).not.toMatch(/^\s+at /m)
  expect(stderr).not.toContain('unexpected')
  expect(stderr).not.toMatch(/warning: .*(broke|abort)/)
}

describe.skipIf(needs('bubblewrap with pytest', canPlayPython()))('a command that is stopped', () => {
  const data = temporaryFolder('arena-stop')
  beforeAll(buildCommand, 120_000)
  afterAll(() => data[Symbol.dispose]())

  it('ends while a model thinks', { timeout: 120_000 }, async () => {
    const silent = await startAnswerServer('silent', { patch: [faults.silent], tests: [faults.silent] })
    try {
      const sides = ['--submitter', silent.address, '--reviewer', silent.address]
      const arena = startArena(['battle', '--data', data.path, '--task', TASK_FOLDER, ...sides])
      await arena.waitFor(/rounds 0\//)
      process.kill(arena.pid, 'SIGINT')
      expectStopped(await arena.result)
    } finally {
      await silent.close()
    }
  })

  it('ends while sandboxes work, and leaves none', { timeout: 300_000 }, async () => {
    const demo = ['demo', '--no-serve', '--language', 'python', '--data', data.path]
    const arena = startArena(demo)
    await arena.waitFor(/rounds \d+\/.*python-cron-weekday: /)
    process.kill(arena.pid, 'SIGTERM')
    expectStopped(await arena.result)
    expect(readFileSync('/proc/self/mountinfo', 'utf8')).not.toContain(data.path)
  })
})
