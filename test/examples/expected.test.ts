import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { CONTROLS, readSeason } from '../../src/match/read-season.ts'
import { VerdictKind } from '../../src/schema/verdict.ts'
import { competitorsFolder, examplesFolder, taskIds } from './example-tree.ts'

type Verdicts = Readonly<Record<string, Readonly<Record<string, Readonly<Record<string, string>>>>>>
const expected: Verdicts = JSON.parse(readFileSync(join(examplesFolder, 'expected.json'), 'utf8'))

const SUBMITTING = ['golden', 'no-op']
const controls = CONTROLS.map(({ id }): string => id)
const reviewing = controls.filter((id) => !SUBMITTING.includes(id))

describe('the demo season', () => {
  it('names six competitors with recorded answers for every task', async () => {
    const { season, competitors, taskPaths } = await readSeason(join(examplesFolder, 'demo.season.yml'))
    expect(season.controls).toBe(true)
    expect(taskPaths).toEqual([join(examplesFolder, 'tasks')])
    expect(competitors.map(({ id }): string => id).sort()).toEqual(readdirSync(competitorsFolder).sort())
    for (const { id } of competitors)
      for (const task of taskIds)
        expect(readdirSync(join(competitorsFolder, id, task)).sort()).toEqual(['patch.md', 'tests.md'])
  })

  it('expects what follows from the verdict table', () => {
    const script = fileURLToPath(new URL('../../scripts/build-expected.mjs', import.meta.url))
    execFileSync('node', [script, '--check'], { stdio: 'pipe' })
  })

  it('expects a verdict for every round and for no other', () => {
    const players = readdirSync(competitorsFolder)
    expect(Object.keys(expected)).toEqual(taskIds)
    for (const task of taskIds) {
      const rounds = expected[task] ?? {}
      expect(Object.keys(rounds).sort()).toEqual([...players, ...SUBMITTING].sort())
      for (const [submitter, verdicts] of Object.entries(rounds)) {
        expect(Object.keys(verdicts).sort()).toEqual(
          [...players.filter((id) => id !== submitter), ...reviewing].sort(),
        )
        for (const verdict of Object.values(verdicts)) expect(VerdictKind.options).toContain(verdict)
      }
    }
  })

  it('expects golden to win and the no-op to lose every round with an admitted test, and no void', () => {
    for (const rounds of Object.values(expected)) {
      expect(new Set(Object.values(rounds.golden ?? {}))).toEqual(
        new Set(['submitter-win', 'reviewer-forfeit']),
      )
      expect(new Set(Object.values(rounds['no-op'] ?? {}))).toEqual(
        new Set(['reviewer-win', 'reviewer-forfeit']),
      )
      expect(Object.values(rounds).flatMap((verdicts) => Object.values(verdicts))).not.toContain('void')
    }
  })
})
