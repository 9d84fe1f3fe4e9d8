import fc from 'fast-check'
import type { CiRun, TestsRun } from '../../src/schema/ci-run.ts'
import { CaseOutcome } from '../../src/schema/test-result.ts'
import type { Evidence, TestsEvidence } from '../../src/verdict/evidence.ts'
import {
  ciRun,
  forfeited,
  type KeyWorld,
  type LegWorld,
  namesIn,
  type ProcessWorld,
  type Status,
  testsEvidence,
} from '../helpers/worlds.ts'

/** Random small rounds: two legs, two processes, a few cases, a few tests, everything that can happen to them. */

const CASES = ['a', 'b']
const LEGS = ['one', 'two']
const TESTS = ['f t', 'f u', 'g t']

const mostly = <T>(usual: T, ...others: T[]): fc.Arbitrary<T> =>
  fc.oneof(
    { arbitrary: fc.constant(usual), weight: 4 },
    { arbitrary: fc.constantFrom(usual, ...others), weight: 3 },
  )

const anyStatus: fc.Arbitrary<Status> = mostly<Status>('passed', 'failed', 'skipped', 'errored', 'absent')
const anyCases = fc.record(Object.fromEntries(CASES.map((name) => [name, anyStatus])))

const anyProcess: fc.Arbitrary<ProcessWorld> = fc
  .record({
    cases: anyCases,
    armed: fc.option(anyCases, { freq: 2 }),
    missing: mostly(false, true),
    sentinel: mostly('failed' as const, 'passed' as const, 'absent' as const),
    exitCode: mostly<number | null>(1, 0, null),
  })
  .map(({ cases, armed, missing, sentinel, exitCode }) => ({
    cases,
    armed: missing ? null : (armed ?? cases),
    sentinel,
    exitCode,
  }))

const anyLeg = (withInfra: boolean): fc.Arbitrary<LegWorld> =>
  fc.record({
    status: withInfra
      ? mostly<NonNullable<LegWorld['status']>>(
          'success',
          'failure',
          'timed_out',
          'skipped',
          'unsupported',
          'infra_error',
        )
      : mostly<NonNullable<LegWorld['status']>>(
          'success',
          'failure',
          'timed_out',
          'skipped',
          'unsupported',
          'cancelled',
        ),
    processes: fc.record({ p: anyProcess, q: anyProcess }),
    armed: mostly(true, false),
  })

const anyRun = (withInfra: boolean, lint = false): fc.Arbitrary<CiRun> =>
  fc
    .dictionary(fc.constantFrom(...LEGS), anyLeg(withInfra), { minKeys: 1 })
    .map((legs) =>
      ciRun(Object.fromEntries(Object.entries(legs).map(([name, leg]) => [name, { ...leg, lint }]))),
    )

const anyOutcome = (usual: CaseOutcome, withInfra: boolean): fc.Arbitrary<CaseOutcome> =>
  mostly(usual, ...CaseOutcome.options.filter((outcome) => withInfra || outcome !== 'infra'))

const anyKey = (withInfra: boolean): fc.Arbitrary<KeyWorld> => {
  const passing = anyOutcome('passed', withInfra)
  const failing = anyOutcome('failed', withInfra)
  return fc.record({
    base: failing,
    commentedBase: failing,
    golden: fc.tuple(passing, passing, passing),
    patch: passing,
  })
}

const anyLint = (withInfra: boolean): fc.Arbitrary<TestsEvidence['lintOnGolden']> =>
  fc
    .option(fc.record({ plain: anyRun(withInfra, true), withTests: anyRun(withInfra, true) }), { freq: 1 })
    .map((lint) => lint)

const roundOf = (withInfra: boolean): fc.Arbitrary<Evidence> =>
  fc
    .record({
      protocol: fc.constantFrom('blind' as const, 'sighted' as const, 'paper' as const),
      submission: mostly<Evidence['submission']>({ kind: 'applied' }, forfeited(), forfeited('endpoint')),
      side: mostly('tests', 'forfeit', 'not-asked'),
      base: anyRun(withInfra),
      golden: anyRun(withInfra),
      patch: anyRun(withInfra),
      alike: fc.constantFrom('all', 'golden', 'none'),
      keys: fc.dictionary(
        fc.constantFrom(...LEGS),
        fc.dictionary(fc.constantFrom(...TESTS), anyKey(withInfra), { minKeys: 1 }),
        { minKeys: 1 },
      ),
      lint: anyLint(withInfra),
      probe: withInfra
        ? mostly<Evidence['probe']>('ok', 'ok', 'ok', 'failed')
        : fc.constant<Evidence['probe']>('ok'),
    })
    .map(({ submission, side, alike, keys, lint, patch, base, golden, protocol, probe }): Evidence => {
      const kept = alike === 'all' ? base : patch
      const applied = submission.kind === 'applied'
      const reviewed = side === 'tests'
      return {
        protocol: side === 'not-asked' && protocol === 'blind' ? 'paper' : protocol,
        // The reviewer is left out only where the patch ended the round.
        submission: side === 'not-asked' ? forfeited() : submission,
        review:
          side === 'tests'
            ? { kind: 'tests', cases: namesIn(keys), overCap: [] }
            : side === 'forfeit'
              ? forfeited('endpoint')
              : { kind: 'not-asked' },
        base,
        golden: alike === 'none' ? golden : base,
        patch: applied && side !== 'not-asked' ? kept : null,
        tests: reviewed ? testsEvidence(keys, lint) : null,
        oracle: null,
        oracleCases: [],
        failToPass: [],
        passToPass: [],
        probe,
        budget: 'ok',
        overSpecified: [],
      }
    })

export const anyRound = fc.oneof(roundOf(true), roundOf(false))

const runsOf = (round: Evidence): readonly CiRun[] =>
  [
    round.base,
    round.golden,
    round.patch,
    round.tests?.lintOnGolden?.plain,
    round.tests?.lintOnGolden?.withTests,
  ].flatMap((run) => run ?? [])
const testRunsOf = ({ tests }: Evidence): readonly TestsRun[] =>
  tests ? [tests.base, tests.commentedBase, ...tests.golden, tests.patch].flatMap((run) => run ?? []) : []

/** Whether anything at all broke from outside. */
export const hasInfra = (round: Evidence): boolean =>
  round.probe === 'failed' ||
  round.budget === 'ended' ||
  runsOf(round).some((run) => run.legs.some((leg) => leg.status === 'infra_error')) ||
  testRunsOf(round).some((run) =>
    run.legs.some((leg) => leg.files.some((file) => file.cases.some((result) => result.outcome === 'infra'))),
  )

/** The same round with every list in another order; `next` gives the numbers that order them. */
export function shuffled(round: Evidence, next: () => number): Evidence {
  const mix = <T>(items: readonly T[]): T[] =>
    items
      .map((item) => ({ item, at: next() }))
      .sort((a, b) => a.at - b.at)
      .map(({ item }) => item)
  const mixRun = (run: CiRun): CiRun => ({
    ...run,
    legs: mix(run.legs).map((leg) => ({
      ...leg,
      processes: mix(leg.processes).map((process) => ({ ...process, cases: mix(process.cases) })),
      armed: leg.armed && {
        ...leg.armed,
        processes: mix(leg.armed.processes).map((process) => ({ ...process, cases: mix(process.cases) })),
      },
    })),
  })
  const mixTests = (run: TestsRun): TestsRun => ({
    ...run,
    legs: mix(run.legs).map((leg) => ({
      ...leg,
      files: mix(leg.files).map((file) => ({ ...file, cases: mix(file.cases) })),
    })),
  })
  const { review, tests } = round
  return {
    ...round,
    review: review.kind === 'tests' ? { ...review, cases: mix(review.cases) } : review,
    base: mixRun(round.base),
    golden: round.golden && mixRun(round.golden),
    patch: round.patch && mixRun(round.patch),
    tests: tests && {
      base: tests.base && mixTests(tests.base),
      commentedBase: tests.commentedBase && mixTests(tests.commentedBase),
      golden: tests.golden.map(mixTests),
      patch: tests.patch && mixTests(tests.patch),
      lintOnGolden: tests.lintOnGolden && {
        plain: mixRun(tests.lintOnGolden.plain),
        withTests: mixRun(tests.lintOnGolden.withTests),
      },
    },
  }
}
