import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { CaseOutcome } from '../../src/schema/test-result.ts'
import { Verdict } from '../../src/schema/verdict.ts'
import { decideVerdict } from '../../src/verdict/decide.ts'
import type { Evidence } from '../../src/verdict/evidence.ts'
import { ciRun, fairRound, forfeited, type LegWorld, oneTest } from '../helpers/worlds.ts'
import { anyRound, hasInfra, shuffled } from './random-rounds.ts'

const RUNS = { numRuns: 300 }
const OUTCOMES = CaseOutcome.options

/** A repository's own case on one tree, in every way in which it can end. */
const CASE_LEGS: Readonly<Record<string, LegWorld>> = Object.fromEntries(
  OUTCOMES.map((outcome): [string, LegWorld] => {
    if (outcome === 'infra') return [outcome, { status: 'infra_error' }]
    const reported = (['passed', 'failed', 'skipped', 'errored'] as const).find(
      (status) => status === outcome,
    )
    return [
      outcome,
      {
        status:
          outcome === 'passed' || outcome === 'skipped'
            ? 'success'
            : outcome === 'timed_out'
              ? 'timed_out'
              : 'failure',
        processes: {
          p: { cases: reported ? { a: reported } : {}, exitCode: outcome === 'out_of_memory' ? null : 1 },
        },
      },
    ]
  }),
)
const leg = (outcome: CaseOutcome) => ciRun({ test: CASE_LEGS[outcome] ?? {} })

describe('over every combination of how a case of the repository and a test end', () => {
  test('the table is total, and says what an independent reading of it says', () => {
    const wrong = OUTCOMES.flatMap((base) =>
      OUTCOMES.flatMap((golden) =>
        OUTCOMES.flatMap((kept) =>
          OUTCOMES.flatMap((patch) => {
            const key = { base, commentedBase: base, golden: [golden, golden, golden] as const, patch }
            const { kind } = decideVerdict(
              fairRound({ base: leg('passed'), golden: leg('passed'), patch: leg(kept), ...oneTest(key) }),
            )
            const expected = readTable(base, golden, kept, patch)
            return kind === expected ? [] : [{ base, golden, kept, patch, kind, expected }]
          }),
        ),
      ),
    )
    expect(wrong).toEqual([])
  })

  test('base and golden decide what must be kept', () => {
    for (const base of OUTCOMES)
      for (const golden of OUTCOMES)
        for (const patch of OUTCOMES) {
          const verdict = decideVerdict(
            fairRound({ base: leg(base), golden: leg(golden), patch: leg(patch) }),
          )
          // A leg that only skips succeeds: it must go on succeeding, its case need not pass.
          const green = (outcome: CaseOutcome) => outcome === 'passed' || outcome === 'skipped'
          const bound =
            base === 'passed' && golden === 'passed'
              ? patch === 'passed'
              : !green(base) || !green(golden) || green(patch)
          if (![base, golden, patch].includes('infra')) expect(verdict.playable).toBe(bound ? 'yes' : 'no')
        }
  })
})

/** The table of the design, read once more and plainly, by trying every value of what is unknown. */
function readTable(base: CaseOutcome, golden: CaseOutcome, kept: CaseOutcome, onPatch: CaseOutcome): string {
  const values = (outcome: CaseOutcome): readonly CaseOutcome[] =>
    outcome === 'infra' ? ['passed', 'failed'] : [outcome]
  const kinds = new Set<string>()
  for (const b of values(base))
    for (const g of values(golden))
      for (const k of values(kept))
        for (const p of values(onPatch)) {
          const admitted = b !== 'passed' && b !== 'skipped' && g === 'passed'
          if (k !== 'passed') kinds.add(admitted ? 'submitter-forfeit' : 'no-contest')
          else if (!admitted) kinds.add('reviewer-forfeit')
          else kinds.add(p === 'passed' ? 'submitter-win' : 'reviewer-win')
        }
  const [only] = kinds
  return kinds.size === 1 && only !== undefined ? only : 'void'
}

describe('over random rounds', () => {
  const check = (property: (round: Evidence, verdict: Verdict) => void) =>
    fc.assert(
      fc.property(anyRound, (round) => property(round, decideVerdict(round))),
      RUNS,
    )

  test('every round has a well-formed verdict with the points and y of its row', () => {
    const rows = {
      'submitter-win': [1, [1], [0]],
      'reviewer-win': [0, [-1], [1]],
      'submitter-forfeit': [0, [-1], [0]],
      'reviewer-forfeit': [1, [1], [0, -1]],
      'no-contest': [null, [-1], [0, -1]],
      void: [null, [0], [0]],
    } as const
    check((_, verdict) => {
      Verdict.parse(verdict)
      const [y, submitter, reviewer] = rows[verdict.kind]
      expect(verdict.y).toBe(y)
      expect(submitter).toContain(verdict.points.submitter)
      expect(reviewer).toContain(verdict.points.reviewer)
      expect(verdict.kind === 'void').toBe(verdict.voidBecause.length > 0)
    })
  })

  test('neither side can cause a void: without a break from outside there is none', () => {
    check((round, verdict) => {
      if (!hasInfra(round)) expect(verdict.kind).not.toBe('void')
    })
  })

  test('absent is never passed: taking a result away never turns a lost patch into a playable one', () => {
    check((round, verdict) => {
      const patch = round.patch && {
        ...round.patch,
        legs: round.patch.legs.map((one) => ({ ...one, processes: [], armed: null })),
      }
      const emptied = decideVerdict({ ...round, patch })
      if (verdict.playable === 'no' && verdict.forged.length === 0) expect(emptied.playable).toBe('no')
      const without = round.tests && {
        ...round.tests,
        patch: round.tests.patch && { ...round.tests.patch, legs: [] },
      }
      const untested = decideVerdict({ ...round, tests: without })
      expect(untested.kind).not.toBe('submitter-win')
    })
  })

  test('a candidate that equals the golden tree is never a reviewer-win', () => {
    check((round) => {
      if (!round.golden || !round.tests) return
      for (const run of round.tests.golden) {
        const twin = decideVerdict({
          ...round,
          submission: { kind: 'applied' },
          patch: round.golden,
          tests: { ...round.tests, patch: run },
        })
        expect(['reviewer-win', 'submitter-forfeit', 'no-contest']).not.toContain(twin.kind)
      }
    })
  })

  test('a no-op that only adds a comment is never a submitter-win', () => {
    check((round) => {
      if (!round.tests) return
      for (const run of [round.tests.commentedBase, round.tests.base])
        expect(decideVerdict({ ...round, tests: { ...round.tests, patch: run } }).kind).not.toBe(
          'submitter-win',
        )
    })
  })

  test('a test that is not admitted changes no verdict', () => {
    check((round, verdict) => {
      if (round.review.kind !== 'tests' || verdict.admitted.length === 0) return
      for (const { why, leg: inLeg, file, case: name } of verdict.rejected) {
        if (why === 'unknown' || inLeg === '') continue
        const changed = setOnPatch(round, inLeg, file, name)
        for (const other of changed) expect(decideVerdict(other).kind).toBe(verdict.kind)
      }
    })
  })

  test('the order of tests, files, legs and processes changes nothing', () => {
    fc.assert(
      fc.property(anyRound, fc.infiniteStream(fc.nat(1000)), (round, numbers) => {
        const next = () => numbers.next().value ?? 0
        expect(decideVerdict(shuffled(round, next))).toEqual(decideVerdict(round))
      }),
      RUNS,
    )
  })

  test('endpoints that err leave a no-contest, whatever broke besides', () => {
    check((round) => {
      const lost = decideVerdict({
        ...round,
        probe: 'ok',
        submission: forfeited('endpoint'),
        review: forfeited('endpoint'),
        tests: null,
      })
      expect(lost.kind).toBe('no-contest')
    })
  })
})

function setOnPatch(round: Evidence, inLeg: string, file: string, name: string): readonly Evidence[] {
  const { tests } = round
  if (!tests?.patch) return []
  const run = tests.patch
  return (['passed', 'failed', 'absent', 'infra'] as const).map((outcome) => ({
    ...round,
    tests: {
      ...tests,
      patch: {
        ...run,
        legs: run.legs.map((one) =>
          one.leg !== inLeg
            ? one
            : {
                ...one,
                files: one.files.map((each) =>
                  each.path !== file
                    ? each
                    : {
                        ...each,
                        cases: each.cases.map((result) =>
                          result.case === name
                            ? {
                                ...result,
                                outcome,
                                parts: [{ suite: file, name, status: 'passed' as const }],
                              }
                            : result,
                        ),
                      },
                ),
              },
        ),
      },
    },
  }))
}
