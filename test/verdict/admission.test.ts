import { describe, expect, test } from 'vitest'
import { decideVerdict } from '../../src/verdict/decide.ts'
import { ciRun, fairRound, type KeyWorld, oneTest, reviewWith, SHARP, T } from '../helpers/worlds.ts'

const judge = (key: Partial<KeyWorld>) => decideVerdict(fairRound(oneTest(key)))

describe('admission', () => {
  test.each(['failed', 'errored', 'absent', 'timed_out', 'out_of_memory', 'not_built'] as const)(
    'a test that is %s at base and passes on golden counts',
    (outcome) => expect(judge({ base: outcome, commentedBase: outcome }).admitted).toEqual([T]),
  )

  test.each([
    ['passes at base', { base: 'passed' }, 'passes-on-base'],
    [
      'reads the source: it fails at base and passes when comments are added',
      { commentedBase: 'passed' },
      'passes-on-commented-base',
    ],
    ['is skipped at base', { base: 'skipped' }, 'skipped-on-base'],
    ['is skipped at commented base', { commentedBase: 'skipped' }, 'skipped-on-base'],
    ['fails on golden', { golden: ['failed', 'failed', 'failed'] }, 'fails-on-golden'],
    ['is skipped on golden', { golden: ['skipped', 'skipped', 'skipped'] }, 'fails-on-golden'],
    ['does not build on golden', { golden: ['not_built', 'not_built', 'not_built'] }, 'fails-on-golden'],
    ['times out on golden', { golden: ['timed_out', 'timed_out', 'timed_out'] }, 'fails-on-golden'],
    ['knows golden by its bytes', { golden: ['passed', 'passed', 'failed'] }, 'fails-on-commented-golden'],
    ['is flaky on golden', { golden: ['passed', 'failed', 'passed'] }, 'flaky-on-golden'],
    [
      'passes at base and fails on golden',
      { base: 'passed', golden: ['failed', 'failed', 'failed'] },
      'passes-on-base',
    ],
  ] as const)('a test that %s does not', (_, key, why) => {
    const verdict = judge(key)
    expect(verdict).toMatchObject({ kind: 'reviewer-forfeit', reviewerReason: 'not-admitted', admitted: [] })
    expect(verdict.rejected).toMatchObject([{ ...T, why }])
  })

  test('two files with the same test name are two keys', () => {
    const keys = {
      'f t': { ...SHARP, base: 'passed' as const },
      'g t': { ...SHARP, patch: 'failed' as const },
    }
    const verdict = decideVerdict(fairRound(reviewWith({ test: keys })))
    expect(verdict.killedBy.map((key) => key.file)).toEqual(['g'])
    expect(verdict.rejected.map((key) => key.file)).toEqual(['f'])
  })

  test('a key is admitted leg by leg', () => {
    const keys = {
      'test (1)': { 'f t': SHARP },
      'test (2)': { 'f t': { ...SHARP, base: 'passed' as const, patch: 'failed' as const } },
    }
    const verdict = decideVerdict(fairRound(reviewWith(keys)))
    expect(verdict).toMatchObject({ kind: 'submitter-win', admitted: [{ leg: 'test (1)' }] })
  })

  test('passed needs a part, and every part passed', () => {
    const round = fairRound(oneTest())
    const withParts = (statuses: readonly ('passed' | 'skipped')[]) => ({
      ...round,
      tests: round.tests && {
        ...round.tests,
        patch: round.tests.patch && {
          ...round.tests.patch,
          legs: round.tests.patch.legs.map((leg) => ({
            ...leg,
            files: leg.files.map((file) => ({
              ...file,
              cases: file.cases.map((result) => ({
                ...result,
                parts: statuses.map((status, n) => ({ suite: 's', name: `t[${n}]`, status })),
              })),
            })),
          })),
        },
      },
    })
    expect(decideVerdict(withParts(['passed', 'passed'])).kind).toBe('submitter-win')
    expect(decideVerdict(withParts([])).killedBy).toMatchObject([{ outcome: 'absent' }])
    expect(decideVerdict(withParts(['passed', 'skipped'])).killedBy).toMatchObject([{ outcome: 'failed' }])
  })

  test('a file that does not build on the candidate kills it, flagged', () => {
    expect(judge({ patch: 'not_built' })).toMatchObject({ kind: 'reviewer-win', flags: ['does-not-build'] })
  })

  test("the repository's lint is asked on golden with the files, against golden alone", () => {
    const lint = (status: 'success' | 'failure' | 'infra_error') => ciRun({ lint: { status, lint: true } })
    const judgeLinted = (plain: 'success' | 'failure', withTests: 'success' | 'failure' | 'infra_error') =>
      decideVerdict(
        fairRound(reviewWith({ test: { 'f t': SHARP } }, { plain: lint(plain), withTests: lint(withTests) })),
      )
    expect(judgeLinted('success', 'success').kind).toBe('submitter-win')
    expect(judgeLinted('failure', 'failure').kind).toBe('submitter-win')
    const dirty = judgeLinted('success', 'failure')
    expect(dirty).toMatchObject({ kind: 'reviewer-forfeit', points: { reviewer: 0 } })
    expect(dirty.rejected).toMatchObject([{ why: 'lint' }])
    expect(judgeLinted('success', 'infra_error').kind).toBe('void')
  })

  test('legs with tests are no lint legs, and a lint leg must not vanish', () => {
    const whole = ciRun({
      test: { processes: {} },
      broken: { status: 'infra_error', lint: true },
      lint: { lint: true },
    })
    const judgeLinted = (withTests: ReturnType<typeof ciRun>) =>
      decideVerdict(fairRound(reviewWith({ test: { 'f t': SHARP } }, { plain: whole, withTests })))
    expect(judgeLinted(ciRun({ lint: { lint: true } })).kind).toBe('submitter-win')
    expect(judgeLinted(ciRun({})).rejected).toMatchObject([{ why: 'lint' }])
  })
})

describe('a broken run of a test', () => {
  test.each([
    ['at base', { base: 'infra' }],
    ['on commented base', { commentedBase: 'infra' }],
    ['once on golden', { golden: ['passed', 'infra', 'passed'] }],
    ['on the patch', { patch: 'infra' }],
  ] as const)('%s voids the round when the test could decide it', (_, key) => {
    const verdict = judge(key)
    expect(verdict).toMatchObject({ kind: 'void', y: null, points: { submitter: 0, reviewer: 0 } })
    expect(verdict.voidBecause).toHaveLength(1)
  })

  test.each([
    [
      'at base, of a test that fails on golden',
      { base: 'infra', golden: ['failed', 'failed', 'failed'] },
      'reviewer-forfeit',
      -1,
    ],
    [
      'on golden, of a test that passes at base',
      { base: 'passed', golden: ['infra', 'infra', 'infra'] },
      'reviewer-forfeit',
      0,
    ],
    [
      'on the patch, of a test that is not admitted',
      { base: 'skipped', patch: 'infra' },
      'reviewer-forfeit',
      0,
    ],
  ] as const)('%s changes nothing', (_, key, kind, reviewer) => {
    expect(judge(key)).toMatchObject({ kind, points: { reviewer } })
  })

  test('changes nothing beside a certain kill', () => {
    const keys = {
      'f a': { ...SHARP, patch: 'failed' as const },
      'f b': { ...SHARP, golden: ['infra', 'infra', 'infra'] as const },
    }
    const verdict = decideVerdict(fairRound(reviewWith({ test: keys })))
    expect(verdict).toMatchObject({ kind: 'reviewer-win', killedBy: [{ case: 'a' }] })
    expect(verdict.rejected).toMatchObject([{ case: 'b', why: 'unknown' }])
  })

  test('a whole broken leg of tests is unknown', () => {
    const round = fairRound(oneTest())
    const patch = round.tests?.patch
    const broken = patch && {
      ...patch,
      legs: patch.legs.map((leg) => ({ ...leg, infra: { source: 'host-disk' as const, message: 'full' } })),
    }
    expect(
      decideVerdict({ ...round, tests: round.tests && { ...round.tests, patch: broken ?? null } }).kind,
    ).toBe('void')
  })
})
