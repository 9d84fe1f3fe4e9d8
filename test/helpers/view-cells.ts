import { digestOf } from '../../src/schema/canonical.ts'
import type {
  CaseResult,
  CiRun,
  EnforcedLimit,
  LegResult,
  StepResult,
  TestsRun,
} from '../../src/schema/ci-run.ts'
import type { CaseOutcome, ProcessReport } from '../../src/schema/test-result.ts'
import type { CellView } from '../../src/schema/view.ts'

const LIMITS: EnforcedLimit[] = [
  { limit: 'memory', value: '2048 MiB', by: 'cgroup-v2' },
  { limit: 'pids', value: '512', by: 'cgroup-v2' },
  { limit: 'cpus', value: '2', by: 'none' },
  { limit: 'disk', value: '1024 MiB', by: 'tmpfs' },
  { limit: 'network', value: 'none', by: 'namespace' },
  { limit: 'time', value: '10 min', by: 'runner' },
]

const STEPS = [
  ['Set up job', null],
  ['Check out', 'actions/checkout@v4'],
  ['Set up Python', 'actions/setup-python@v5'],
  ['Build', null],
  ['Test', null],
] as const

function stepsOf(failing: boolean, leg: string): StepResult[] {
  return STEPS.map(([name, uses], index) => {
    const fails = failing && index === STEPS.length - 1
    return {
      index,
      name,
      uses,
      outcome: fails ? 'failure' : 'success',
      conclusion: fails ? 'failure' : 'success',
      exitCode: uses === null ? Number(fails) : null,
      durationMs: 12 + index * 340,
      log: digestOf(`log ${leg} ${name}`),
      droppedBytes: 0,
      notes: uses === null ? [] : ['done by the arena: the tree is there already'],
    }
  })
}

function processesOf(failing: readonly string[]): ProcessReport[] {
  const passed = Array.from({ length: 18 }, (_, index) => `test_case_${index + 1}`)
  return [
    {
      process: 'pytest:1',
      exitCode: failing.length > 0 ? 1 : 0,
      signal: null,
      complete: true,
      cases: [
        ...passed.map((name) => ({ suite: 'tests/test_duration.py', name, status: 'passed' as const })),
        ...failing.map((name) => ({
          suite: 'tests/test_duration.py',
          name,
          status: 'failed' as const,
          message: "AssertionError: assert '62m 5s' == '1h 2m 5s'",
        })),
      ],
    },
  ]
}

function legOf(python: string, failing: readonly string[]): LegResult {
  const leg = `test (${python})`
  const processes = processesOf(failing)
  return {
    leg,
    job: 'test',
    matrix: { python },
    status: failing.length > 0 ? 'failure' : 'success',
    reason: null,
    steps: stepsOf(failing.length > 0, leg),
    testStep: 4,
    processes,
    armed: {
      steps: stepsOf(true, leg).slice(-1),
      processes: processes.map((report) => ({ ...report, exitCode: 1, sentinel: 'failed' as const })),
    },
    limits: LIMITS,
    infra: null,
    durationMs: 4210,
    cpuMs: 3120,
    peakMemoryMiB: 84.4,
  }
}

/** A run of the repository's own workflow on two Pythons. */
export function workflowCell(role: string, failing: readonly string[] = []): CellView {
  const run: CiRun = {
    kind: 'workflow',
    tree: digestOf(`tree ${role}`),
    legs: [legOf('3.11', failing), legOf('3.12', failing)],
  }
  return cellOf(role, run, 9100)
}

/** A run of test cases, each with its outcome, in one leg. */
export function testsCell(
  role: string,
  file: string,
  outcomes: Readonly<Record<string, CaseOutcome>>,
): CellView {
  const cases = Object.entries(outcomes).map(
    ([name, outcome]): CaseResult => ({
      case: name,
      outcome,
      exitCode: outcome === 'passed' ? 0 : 1,
      signal: null,
      parts: [],
      log: digestOf(`log ${role} ${name}`),
      durationMs: 230,
    }),
  )
  const files = [{ path: file, built: true, commands: [`pytest ${file}::CASE`], buildLog: null, cases }]
  const run: TestsRun = {
    kind: 'tests',
    tree: digestOf(`tree ${role}`),
    legs: [{ leg: 'test (3.11)', files, limits: LIMITS, infra: null, durationMs: 1480 }],
  }
  return cellOf(role, run, 1600)
}

export function cellOf(role: string, run: CellView['run'], durationMs: number): CellView {
  return { role, key: digestOf(`cell ${role}`), run, durationMs, environment: digestOf('environment') }
}
