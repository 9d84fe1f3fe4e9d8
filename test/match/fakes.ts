import type { Ci } from '../../src/ci/port.ts'
import type { CellStore, StoredCell } from '../../src/match/cells.ts'
import type { TaskInPlay } from '../../src/match/round.ts'
import { toAppliedChanges } from '../../src/schema/applied.ts'
import { digestOf, digestOfValue } from '../../src/schema/canonical.ts'
import type { CiRun, InfraEvidence, TestsRun } from '../../src/schema/ci-run.ts'
import { Competitor } from '../../src/schema/competitor.ts'
import type { Generation } from '../../src/schema/match.ts'
import type { PreparedTask } from '../../src/schema/prepared.ts'
import { Task } from '../../src/schema/task.ts'
import type { AppliedChanges } from '../../src/schema/tree.ts'
import { oneLeg, testsRun } from '../helpers/worlds.ts'

/** A match without a machine: CI, store and players that do what a test says. */

const written = (path: string, text: string): AppliedChanges =>
  toAppliedChanges([
    { change: 'write', path, mode: '100644', contentBase64: Buffer.from(text).toString('base64') },
  ])

export const GOLDEN = written('a.py', 'fixed')
export const PATCH = written('a.py', 'patched')
export const TESTS = written('tests/t.py', 'def test_t(): ...')
export const CASES = [{ file: 'tests/t.py', case: 'test_t' }]

export const TASK: PreparedTask = {
  loaded: {
    task: Task.parse({
      schemaVersion: 1,
      id: 'demo',
      repository: { name: 'example/demo', path: '.' },
      language: 'python',
      baseCommit: '0'.repeat(40),
      statements: { original: 'issue.md' },
      origin: 'authored',
      goldenPatch: null,
      testPatch: null,
      ci: { workflow: '.github/workflows/ci.yml', jobs: ['test'], env: {} },
      FAIL_TO_PASS: [],
      PASS_TO_PASS: [],
      created: '2024-01-01T00:00:00Z',
      source: 'made by the test',
    }),
    folder: 'demo',
    digest: digestOf('demo'),
    statements: { original: 'It is broken.', refined: null },
    goldenPatch: null,
    testPatch: null,
  },
  layer: 'layer',
  template: 'template',
  repoName: 'demo',
  base: { list: () => [], read: () => undefined },
  golden: GOLDEN,
  upstreamTests: null,
  commentedBase: written('a.py', '# a comment'),
  commentedGolden: null,
}

export const IN_PLAY: TaskInPlay = { prepared: TASK, oracleCases: [] }

export const GOOD_RUN: CiRun = oneLeg({ a: 'passed' })

const EVIDENCE: InfraEvidence = { source: 'sandbox', message: 'the sandbox went away' }
export const BROKEN_RUN: CiRun = {
  ...GOOD_RUN,
  legs: GOOD_RUN.legs.map((leg) => ({ ...leg, status: 'infra_error' as const, infra: EVIDENCE })),
}

/** A sharp test: it fails without golden's or the patch's fix, and passes with it. */
export const sharp = (changes: AppliedChanges | null): TestsRun =>
  testsRun({
    test: {
      'tests/t.py test_t':
        changes?.digest === GOLDEN.digest || changes?.digest === PATCH.digest ? 'passed' : 'failed',
    },
  })

export const fakeCi = (over: Partial<Ci> = {}): Ci => ({
  environmentDigest: digestOf('environment'),
  environment: {},
  runWorkflow: async () => GOOD_RUN,
  runTests: async ({ changes }) => sharp(changes),
  ...over,
})

export function fakeCellStore(): CellStore & { readonly kept: Map<string, StoredCell> } {
  const kept = new Map<string, StoredCell>()
  return { kept, find: async (key) => kept.get(key), put: async (cell) => kept.set(cell.key, cell) }
}

export const competitor = (id: string): Competitor =>
  Competitor.parse({ id, label: id, team: id, player: { kind: 'scripted', folder: id } })

export const generation = (kind: 'patch' | 'tests', who: Competitor): Generation => ({
  id: digestOfValue({ kind, who: who.id }),
  task: digestOf('demo'),
  taskId: TASK.loaded.task.id as Generation['taskId'],
  competitor: who.id as Generation['competitor'],
  kind,
  parent: null,
  repeat: 0,
  promptVersion: '1',
  prompt: '',
  calls: [],
  outcome: {
    kind: 'applied',
    given: '',
    applied: '',
    changes: kind === 'patch' ? PATCH : TESTS,
    cases: kind === 'patch' ? [] : CASES,
    overCap: [],
    notes: [],
  },
  createdAt: '2030-01-01T00:00:00.000Z',
})
