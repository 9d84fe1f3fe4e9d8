import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildCommand, runArena, startArena } from '../helpers/command.ts'
import { temporaryFolder } from '../helpers/repository.ts'
import { needs } from '../helpers/require.ts'

const works = (command: string, ...args: string[]): boolean => {
  try {
    execFileSync(command, args, { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}
const playable = works('bwrap', '--version') && works('python3', '-c', 'import pytest')

interface DemoAnswer {
  rounds: number
  mismatches: unknown[]
  changed: unknown[]
  cells: { hit: number; miss: number }
  standings: {
    rows: { competitor: string; points: number; state: string }[]
    controls: { control: string; holds: boolean }[]
  }
}

describe.skipIf(needs('bubblewrap with pytest', playable))('a season, as a user plays it', () => {
  const data = temporaryFolder('arena-season')
  const demo = (...more: string[]): string[] => [
    'demo',
    '--no-serve',
    '--language',
    'python',
    '--data',
    data.path,
    ...more,
  ]

  beforeAll(buildCommand, 120_000)
  afterAll(() => data[Symbol.dispose]())

  it('killed in the middle it goes on where it was, no round twice, nothing left over', {
    timeout: 600_000,
  }, async () => {
    const first = startArena(demo())
    await first.waitFor(/rounds [1-9]\d*\//)
    process.kill(first.pid, 'SIGKILL')
    expect((await first.result).signal).toBe('SIGKILL')

    const second = await runArena(demo('--json'))
    expect(second.stderr).not.toContain('unexpected')
    const answer = JSON.parse(second.stdout) as DemoAnswer
    expect(answer.mismatches).toEqual([])
    expect(answer.changed).toEqual([])
    expect(second.exitCode).toBe(0)
    expect(answer.rounds).toBeGreaterThanOrEqual(48)
    expect(answer.cells.hit).toBeGreaterThan(0)
    expect(answer.standings.controls.length).toBeGreaterThan(0)
    for (const control of answer.standings.controls) expect(control.holds, control.control).toBe(true)
    for (const row of answer.standings.rows) expect(row.state).not.toBe('rated')

    const sandboxes = join(data.path, 'work', 'sandboxes')
    expect(
      existsSync(sandboxes) ? readdirSync(sandboxes).filter((name) => !name.startsWith('root')) : [],
    ).toEqual([])
    expect(execFileSync('cat', ['/proc/self/mountinfo'], { encoding: 'utf8' })).not.toContain(data.path)
  })

  it('played again, every CI run is found and the standings are the same', { timeout: 300_000 }, async () => {
    const again = await runArena(demo('--json'))
    const answer = JSON.parse(again.stdout) as DemoAnswer
    expect(again.exitCode).toBe(0)
    expect(answer.cells.miss).toBe(0)
    expect(answer.cells.hit).toBeGreaterThan(50)
    const standings = await runArena(['standings', '--json', '--data', data.path])
    expect(JSON.parse(standings.stdout)).toEqual(answer.standings)
  })

  it('rejudge by the same judge changes nothing', { timeout: 300_000 }, async () => {
    const result = await runArena(['rejudge', 'demo', '--json', '--data', data.path])
    expect(result.exitCode).toBe(0)
    expect(JSON.parse(result.stdout)).toMatchObject({ changed: [], stale: [] })
  })

  it('the leaderboard and a round are served, as pages and as JSON', { timeout: 300_000 }, async () => {
    const server = startArena(['serve', '--port', '0', '--data', data.path])
    try {
      const address = /http:\/\/127\.0\.0\.1:\d+/.exec(
        await server.waitFor(/leaderboard: http:\/\/127\.0\.0\.1:\d+ /),
      )?.[0]
      const page = await (await fetch(`${address}/`)).text()
      expect(page).toContain('thorough')
      const rounds = (await (await fetch(`${address}/api/v1/seasons/demo/rounds`)).json()) as unknown
      const id = /"id":"([0-9a-f]{64})"/.exec(JSON.stringify(rounds))?.[1]
      const round = await fetch(`${address}/rounds/${id}`)
      expect(round.status).toBe(200)
      const shown = await (await fetch(`${address}/api/v1/rounds/${id}`)).json()
      expect(JSON.stringify(shown)).toContain(id)

      const second = await runArena(['standings', '--data', data.path])
      expect(second.exitCode).toBe(3)
      expect(second.stderr.trim().split('\n')).toHaveLength(1)
      expect(second.stderr).toMatch(/--data/)
    } finally {
      process.kill(server.pid, 'SIGTERM')
      expect((await server.result).exitCode).toBe(0)
    }
  })
})
