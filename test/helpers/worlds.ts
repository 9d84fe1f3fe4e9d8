import type { CiRun, LegResult, TestsRun } from '../../src/schema/ci-run.ts'
import { Digest } from '../../src/schema/ids.ts'
import type { CaseOutcome, SentinelOutcome, TestResult, TestStatus } from '../../src/schema/test-result.ts'
import type { TestKey } from '../../src/schema/verdict.ts'
import type { Evidence, TestsEvidence } from '../../src/verdict/evidence.ts'

/** Small worlds for the judge: only what a test names differs from a fair round in which nothing happens. */

const TREE = Digest.parse('0'.repeat(64))

/** `absent`: the tool does not report the case. */
export type Status = TestStatus | 'absent'

export interface ProcessWorld {
  readonly cases: Readonly<Record<string, Status>>
  /** What the armed run reports; as the plain run unless given. Null: the process is missing from the armed run. */
  readonly armed?: Readonly<Record<string, Status>> | null
  readonly sentinel?: SentinelOutcome
  /** Of the armed process. */
  readonly exitCode?: number | null
}

export interface LegWorld {
  readonly status?: LegResult['status']
  /** By process id. */
  readonly processes?: Readonly<Record<string, ProcessWorld>>
  /** False: the leg has no armed run. */
  readonly armed?: boolean
  readonly limits?: LegResult['limits']
  /** A leg without a test step. */
  readonly lint?: boolean
}

const reported = (cases: Readonly<Record<string, Status>>, suite: string): TestResult[] =>
  Object.entries(cases).flatMap(([name, status]) => (status === 'absent' ? [] : [{ suite, name, status }]))

export const SUITE = 'unit'

function legOf(leg: string, world: LegWorld): LegResult {
  const status = world.status ?? 'success'
  const processes = Object.entries(world.processes ?? {})
  return {
    leg,
    job: 'test',
    matrix: {},
    status,
    reason: null,
    steps: [],
    testStep: world.lint ? null : 0,
    processes: processes.map(([process, { cases }]) => ({
      process,
      exitCode: 0,
      signal: null,
      cases: reported(cases, SUITE),
      complete: true,
    })),
    armed:
      world.armed === false
        ? null
        : {
            steps: [],
            processes: processes.flatMap(([process, { cases, armed, sentinel, exitCode }]) =>
              armed === null
                ? []
                : [
                    {
                      process,
                      exitCode: exitCode === undefined ? 1 : exitCode,
                      signal: null,
                      cases: reported(armed ?? cases, SUITE),
                      complete: true,
                      sentinel: sentinel ?? 'failed',
                    },
                  ],
            ),
          },
    limits: world.limits ?? [],
    infra: status === 'infra_error' ? { source: 'daemon', message: 'the daemon did not answer' } : null,
    durationMs: 1,
    cpuMs: null,
    peakMemoryMiB: null,
  }
}

export const ciRun = (legs: Readonly<Record<string, LegWorld>>): CiRun => ({
  kind: 'workflow',
  tree: TREE,
  legs: Object.entries(legs).map(([leg, world]) => legOf(leg, world)),
})

/** One leg `test` with one process `p` that reports these cases, plainly and armed. */
export const oneLeg = (cases: Readonly<Record<string, Status>>, leg: LegWorld = {}): CiRun =>
  ciRun({ test: { processes: { p: { cases } }, ...leg } })

/** Leg → `file case` → outcome. `broken` as a leg: infrastructure broke all of it. */
export type TestsWorld = Readonly<Record<string, Readonly<Record<string, CaseOutcome>> | 'broken'>>

const partsOf = (outcome: CaseOutcome, file: string, name: string): TestResult[] =>
  outcome === 'passed' || outcome === 'failed' || outcome === 'skipped' || outcome === 'errored'
    ? [{ suite: file, name, status: outcome }]
    : []

export function testsRun(world: TestsWorld): TestsRun {
  return {
    kind: 'tests',
    tree: TREE,
    legs: Object.entries(world).map(([leg, cases]) => {
      const names = cases === 'broken' ? [] : Object.entries(cases)
      const files = [...new Set(names.map(([name]) => name.split(' ')[0] ?? ''))]
      return {
        leg,
        files: files.map((path) => {
          const own = names.filter(([name]) => name.startsWith(`${path} `))
          return {
            path,
            built: own.some(([, outcome]) => outcome !== 'not_built'),
            commands: [],
            buildLog: null,
            cases: own.map(([name, outcome]) => ({
              case: name.slice(path.length + 1),
              outcome,
              exitCode: outcome === 'passed' ? 0 : 1,
              signal: null,
              parts: partsOf(outcome, path, name.slice(path.length + 1)),
              log: null,
              durationMs: 1,
            })),
          }
        }),
        limits: [],
        infra: cases === 'broken' ? { source: 'daemon' as const, message: 'the daemon went away' } : null,
        durationMs: 1,
      }
    }),
  }
}

/** How one reviewer's case ends on each tree. */
export interface KeyWorld {
  readonly base: CaseOutcome
  readonly commentedBase: CaseOutcome
  readonly golden: readonly [CaseOutcome, CaseOutcome, CaseOutcome]
  readonly patch: CaseOutcome
}

/** A case that asks for the fix, and that the patch passes. */
export const SHARP: KeyWorld = {
  base: 'failed',
  commentedBase: 'failed',
  golden: ['passed', 'passed', 'passed'],
  patch: 'passed',
}

/** Leg → `file case` → how it ends on each tree. */
export type KeysWorld = Readonly<Record<string, Readonly<Record<string, KeyWorld>>>>

export function testsEvidence(
  keys: KeysWorld,
  lintOnGolden: TestsEvidence['lintOnGolden'] = null,
): TestsEvidence {
  const pick = (choose: (key: KeyWorld) => CaseOutcome) =>
    testsRun(
      Object.fromEntries(
        Object.entries(keys).map(([leg, cases]) => [
          leg,
          Object.fromEntries(Object.entries(cases).map(([name, key]) => [name, choose(key)])),
        ]),
      ),
    )
  return {
    base: pick((key) => key.base),
    commentedBase: pick((key) => key.commentedBase),
    golden: [pick((key) => key.golden[0]), pick((key) => key.golden[1]), pick((key) => key.golden[2])],
    patch: pick((key) => key.patch),
    lintOnGolden,
  }
}

/** `file case` names of all legs, each once. */
export const namesIn = (keys: KeysWorld) =>
  [...new Set(Object.values(keys).flatMap((cases) => Object.keys(cases)))].map((name) => ({
    file: name.split(' ')[0] ?? '',
    case: name.slice(name.indexOf(' ') + 1),
  }))

/** Everything about the reviewer's side, from how its cases end. */
export const reviewWith = (
  keys: KeysWorld,
  lint: TestsEvidence['lintOnGolden'] = null,
): Pick<Evidence, 'review' | 'tests'> => ({
  review: { kind: 'tests', cases: namesIn(keys), overCap: [] },
  tests: testsEvidence(keys, lint),
})

/** One case `t` in one file in the leg `test`. */
export const oneTest = (key: Partial<KeyWorld> = {}): Pick<Evidence, 'review' | 'tests'> =>
  reviewWith({ test: { 'tests/t t': { ...SHARP, ...key } } })

export const T: TestKey = { leg: 'test', file: 'tests/t', case: 't' }

/** A fair round: the patch keeps everything and passes the one sharp test. */
export function fairRound(changes: Partial<Evidence> = {}): Evidence {
  const kept = oneLeg({ a: 'passed', b: 'failed' })
  return {
    protocol: 'blind',
    submission: { kind: 'applied' },
    base: kept,
    golden: kept,
    patch: kept,
    oracle: null,
    oracleCases: [],
    failToPass: [],
    passToPass: [],
    probe: 'ok',
    budget: 'ok',
    overSpecified: [],
    ...oneTest(),
    ...changes,
  }
}

export const forfeited = (reason: 'does-not-apply' | 'endpoint' | 'empty' = 'does-not-apply') =>
  ({ kind: 'forfeit', reason, detail: 'as the test says' }) as const
