import type { CiRun, TestsRun } from '../schema/ci-run.ts'
import type { Mutant } from '../schema/mutant.ts'
import { outcomesOf, passedIn } from '../verdict/run-view.ts'
import type { Cells } from './cells.ts'
import type { TaskInPlay } from './round.ts'

export interface PoolRequest {
  readonly task: TaskInPlay
  /** What golden gives, by the same CI. */
  readonly golden: CiRun
  /** The upstream tests on golden; null when the task has none. */
  readonly upstream: TestsRun | null
  readonly candidates: readonly Mutant[]
  /** As many are kept at most; the candidates after them are not tried. */
  readonly most: number
  /** Mutants run at once. */
  readonly width: number
  readonly cells: Cells
}

/** Why a candidate is no mutant of the pool. */
export type Dropped = 'does-not-build' | 'no-test-tells' | 'infrastructure'

export interface MutantPool {
  readonly kept: readonly Mutant[]
  readonly dropped: readonly { readonly mutant: Mutant; readonly why: Dropped }[]
}

/** Cases that passed, by leg, suite and name. */
const passedCases = (run: CiRun): ReadonlySet<string> =>
  new Set(
    run.legs.flatMap((leg) =>
      leg.processes
        .flatMap((process) => process.cases)
        .filter(({ status }) => status === 'passed')
        .map(({ suite, name }) => [leg.leg, suite, name].join('\0')),
    ),
  )

/** Keys of the upstream tests that pass on golden. */
function upstreamKeys({ task, upstream }: PoolRequest) {
  const keys = (upstream?.legs ?? []).flatMap(({ leg }) => task.oracleCases.map((name) => ({ leg, ...name })))
  return keys.filter((key) => passedIn(outcomesOf(upstream, key)) === 'yes')
}

async function judge(request: PoolRequest, mutant: Mutant): Promise<Dropped | 'kept'> {
  const { task, cells, golden, upstream } = request
  const { prepared, oracleCases } = task
  const about = { task: prepared, changes: mutant.changes, repeat: 0, attempt: 0 }
  const { run } = await cells.workflow({ ...about, label: 'mutant', legs: 'plain' })
  if (run.legs.some((leg) => leg.infra !== null)) return 'infrastructure'
  const passed = passedCases(run)
  // Without one test that passes nobody can tell a wrong program from none at all.
  if (passed.size === 0) return 'does-not-build'
  if ([...passedCases(golden)].some((key) => !passed.has(key))) return 'kept'
  if (upstream === null || prepared.upstreamTests === null) return 'no-test-tells'
  const tests = await cells.tests({
    ...about,
    label: 'upstream tests on mutant',
    tests: prepared.upstreamTests,
    cases: oracleCases,
  })
  const answers = upstreamKeys(request).map((key) => passedIn(outcomesOf(tests.run, key)))
  if (answers.includes('no')) return 'kept'
  return answers.includes('unknown') ? 'infrastructure' : 'no-test-tells'
}

/**
 * The mutants that build and that some known test, the repository's own or upstream's, can tell from golden. The
 * candidates are tried in their order until there are enough.
 */
export async function keepMutants(request: PoolRequest): Promise<MutantPool> {
  const kept: Mutant[] = []
  const dropped: { mutant: Mutant; why: Dropped }[] = []
  const { candidates, most, width } = request
  for (let start = 0; start < candidates.length && kept.length < most; ) {
    const batch = candidates.slice(start, start + Math.min(width, most - kept.length))
    start += batch.length
    const judged = await Promise.all(batch.map((mutant) => judge(request, mutant)))
    batch.forEach((mutant, index) => {
      const why = judged[index] ?? 'infrastructure'
      if (why === 'kept') kept.push(mutant)
      else dropped.push({ mutant, why })
    })
  }
  return { kept, dropped }
}
