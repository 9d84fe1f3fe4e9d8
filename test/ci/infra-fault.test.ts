import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createCellGate } from '../../src/ci/cell-gate.ts'
import {
  type Attempt,
  asNotPassed,
  BLAME_ATTEMPTS,
  decideBlame,
  runWithBlame,
} from '../../src/ci/infra-fault.ts'
import { digestOf } from '../../src/schema/canonical.ts'
import type { CiRun, InfraEvidence, LegResult, TestsRun } from '../../src/schema/ci-run.ts'

const EVIDENCE: InfraEvidence = { source: 'daemon', message: 'no answer' }

const leg = (infra: InfraEvidence | null): LegResult => ({
  leg: 'test',
  job: 'test',
  matrix: {},
  status: infra ? 'infra_error' : 'success',
  reason: null,
  steps: [],
  testStep: null,
  processes: [],
  armed: null,
  limits: [],
  infra,
  durationMs: 0,
  cpuMs: null,
  peakMemoryMiB: null,
})

const run = (broken: boolean): CiRun => ({
  kind: 'workflow',
  tree: digestOf('x'),
  legs: [leg(broken ? EVIDENCE : null)],
})

/** Answers from a script; the last word is said again and again. */
const script = (words: readonly boolean[]) => {
  let index = 0
  const calls = { count: 0 }
  return {
    calls,
    call: async () => {
      calls.count += 1
      const word = words[Math.min(index, words.length - 1)] ?? false
      index += 1
      return run(word)
    },
  }
}

const blame = async (cell: readonly boolean[], control: readonly boolean[]) => {
  const cells = script(cell)
  const controls = script(control)
  const result = await runWithBlame({
    run: cells.call,
    control: controls.call,
    gate: createCellGate(),
    hasCandidate: true,
  })
  return { result, cells: cells.calls.count, controls: controls.calls.count }
}

describe('blame follows the controls', () => {
  test('a clean cell needs no control', async () => {
    expect(await blame([false], [true])).toMatchObject({ result: { kind: 'good' }, cells: 1, controls: 0 })
  })

  test('a cell that is clean when tried again is good', async () => {
    expect(await blame([true, false], [true])).toMatchObject({
      result: { kind: 'good' },
      cells: 2,
      controls: 1,
    })
  })

  test('a cell that breaks three times while its control is clean has failed', async () => {
    const { result, cells } = await blame([true], [false])
    expect(cells).toBe(3)
    expect(result.kind).toBe('cell')
    expect(result.run.legs[0]).toMatchObject({ status: 'failure', infra: null })
    expect(result.run.legs[0]?.reason).toContain('no answer')
  })

  test('what breaks the control too is infrastructure, with its evidence', async () => {
    const { result } = await blame([true], [true])
    expect(result).toMatchObject({ kind: 'infrastructure', evidence: [EVIDENCE, EVIDENCE, EVIDENCE] })
    expect(result.run.legs[0]?.status).toBe('infra_error')
  })

  test('the last try, alone, decides', async () => {
    expect((await blame([true], [true, true, false])).result.kind).toBe('cell')
    expect((await blame([true], [false, false, true])).result.kind).toBe('infrastructure')
  })

  test('no series of tries is infrastructure unless a control broke', () => {
    const attempt = fc.record<Attempt>({
      cell: fc.constantFrom('clean', 'broken'),
      control: fc.constantFrom('clean', 'broken', 'not-run'),
    })
    fc.assert(
      fc.property(fc.array(attempt, { maxLength: BLAME_ATTEMPTS }), (attempts) => {
        const clean = attempts.map((one) => ({ ...one, control: 'clean' as const }))
        expect(decideBlame(clean)).not.toBe('infrastructure')
        if (attempts.length === BLAME_ATTEMPTS) expect(decideBlame(attempts)).not.toBe('retry')
      }),
    )
  })

  test('broken cases of a blamed cell are absent; the others stay as they are', () => {
    const cases = (['infra', 'passed'] as const).map((outcome) => ({
      case: outcome,
      outcome,
      exitCode: null,
      signal: null,
      parts: [],
      log: null,
      durationMs: 0,
    }))
    const tests: TestsRun = {
      kind: 'tests',
      tree: digestOf('x'),
      legs: [
        {
          leg: 'test',
          files: [{ path: 'tests/a.t', built: true, commands: [], buildLog: null, cases }],
          limits: [],
          infra: EVIDENCE,
          durationMs: 0,
        },
      ],
    }
    const blamed = asNotPassed(tests)
    expect(blamed.legs[0]?.infra).toBeNull()
    expect(blamed.legs[0]?.files[0]?.cases.map((one) => one.outcome)).toEqual(['absent', 'passed'])
  })
})

describe('the gate', () => {
  test('nothing runs beside a cell that is alone, and all get their turn', async () => {
    const gate = createCellGate()
    const seen: string[] = []
    let now = 0
    const body = (name: string, alone: boolean) => async () => {
      now += 1
      seen.push(name)
      await new Promise((resolve) => setImmediate(resolve))
      if (alone) expect(now).toBe(1)
      now -= 1
    }
    await Promise.all([
      gate.shared(body('a', false)),
      gate.shared(body('b', false)),
      gate.alone(body('c', true)),
      gate.shared(body('d', false)),
      gate.alone(body('e', true)),
    ])
    expect(seen).toEqual(['a', 'b', 'c', 'd', 'e'])
  })

  test('a body that throws opens the gate again', async () => {
    const gate = createCellGate()
    await expect(gate.alone(() => Promise.reject(new Error('no')))).rejects.toThrow('no')
    await expect(gate.shared(() => Promise.reject(new Error('nor this')))).rejects.toThrow('nor this')
    expect(await gate.alone(async () => 1)).toBe(1)
  })
})
