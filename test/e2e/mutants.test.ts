import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildCommand, runArena } from '../helpers/command.ts'
import { canPlayPython } from '../helpers/playable.ts'
import { temporaryFolder } from '../helpers/repository.ts'
import { needs } from '../helpers/require.ts'

const TASK = ['mutants', '--task', 'examples/tasks/python-cron-weekday']

interface Report {
  readonly tried: number
  readonly dropped: Readonly<Record<string, number>>
  readonly mutants: readonly { readonly id: string; readonly operator: string; readonly diff: string }[]
  readonly table: readonly {
    readonly tests: string
    readonly forfeit: string | null
    readonly killed: readonly string[]
    readonly share: number | null
  }[]
  readonly cells: { readonly hit: number; readonly miss: number }
}

describe('mutants that cannot be made', () => {
  const data = temporaryFolder('arena-mutants-wrong')
  beforeAll(buildCommand, 120_000)
  afterAll(() => data[Symbol.dispose]())

  it.each<[string, readonly string[], RegExp]>([
    ['no task', ['mutants'], /--task is missing/],
    [
      'a folder of several tasks',
      ['mutants', '--task', 'examples/tasks'],
      /--task: expected the folder of one task/,
    ],
    ['no mutants', [...TASK, '--most', '0'], /--most 0: expected a whole number from 1 to 500/],
  ])('%s is said in one line', { timeout: 120_000 }, async (_what, args, message) => {
    const result = await runArena([...args, '--data', data.path])
    expect(result.exitCode).toBe(2)
    expect(result.stderr).toMatch(message)
    expect(result.stderr.trim().split('\n')).toHaveLength(1)
  })
})

describe.skipIf(needs('bubblewrap with pytest', canPlayPython()))(
  'mutants of a task, as a user measures tests',
  () => {
    const data = temporaryFolder('arena-mutants')
    beforeAll(buildCommand, 120_000)
    afterAll(() => data[Symbol.dispose]())
    const measure = async (): Promise<Report> => {
      const sets = ['careless', 'symptom'].map((name) => `examples/competitors/${name}`)
      const result = await runArena([...TASK, ...sets, '--most', '2', '--json', '--data', data.path])
      expect(result.exitCode, result.stderr).toBe(0)
      return JSON.parse(result.stdout) as Report
    }

    it('keeps a pool, says which tests kill which, and the second time runs nothing', {
      timeout: 600_000,
    }, async () => {
      const report = await measure()
      expect(report.mutants.map(({ operator }) => operator)).toEqual(['negated-condition', 'off-by-one'])
      expect(report.mutants[1]?.diff).toContain('+    return number % 8\n')
      expect(report.tried).toBe(2 + Object.values(report.dropped).reduce((sum, count) => sum + count, 0))
      const [first, second] = report.mutants.map(({ id }) => id)
      expect(report.table.map(({ tests, forfeit, killed }) => [tests, forfeit, killed])).toEqual([
        ['upstream-tests', null, [first, second]],
        ['careless', null, [second]],
        ['symptom', 'not-admitted', []],
      ])
      expect(report.cells).toMatchObject({ hit: 0 })

      const again = await measure()
      expect(again.cells).toEqual({ hit: report.cells.miss, miss: 0 })
      expect({ ...again, cells: null }).toEqual({ ...report, cells: null })
    })
  },
)
