import type { LanguageAdapter } from '../../languages/adapter.ts'
import { toAppliedChanges } from '../schema/applied.ts'
import { digestOfValue } from '../schema/canonical.ts'
import type { Competitor } from '../schema/competitor.ts'
import type { Generation } from '../schema/match.ts'
import type { PreparedTask } from '../schema/prepared.ts'
import type { AppliedChanges, RepoView } from '../schema/tree.ts'
import { controlOf } from './plan.ts'

type Outcome = Generation['outcome']

/** The upstream tests' own cases: functions that base does not have, or has otherwise. No cap applies to them. */
export function casesOf(
  changes: AppliedChanges,
  base: RepoView,
  adapter: LanguageAdapter,
): readonly { file: string; case: string }[] {
  return changes.changes.flatMap((change) => {
    if (change.change === 'delete' || adapter.classify(change.path) !== 'test') return []
    const before = new Map(
      adapter
        .casesIn(change.path, base.read(change.path)?.toString('utf8') ?? '')
        .map((found) => [found.name, found.text]),
    )
    return adapter
      .casesIn(change.path, Buffer.from(change.contentBase64, 'base64').toString('utf8'))
      .filter((found) => before.get(found.name) !== found.text)
      .map((found) => ({ file: change.path, case: found.name }))
  })
}

function outcomeOf(
  control: NonNullable<ReturnType<typeof controlOf>>,
  task: PreparedTask,
  adapter: LanguageAdapter,
  renderDiff: (base: RepoView, changes: AppliedChanges) => string,
): Outcome {
  const applied = (changes: AppliedChanges, cases: readonly { file: string; case: string }[]): Outcome => {
    const diff = renderDiff(task.base, changes)
    return { kind: 'applied', given: diff, applied: diff, changes, cases: [...cases], overCap: [], notes: [] }
  }
  const nothing = (reason: 'empty' | 'no-cases', detail: string): Outcome => ({
    kind: 'forfeit',
    reason,
    detail,
    given: '',
    notes: [],
  })
  switch (control) {
    case 'golden':
      return task.golden ? applied(task.golden, []) : nothing('empty', 'the task has no golden patch')
    case 'no-op':
      return applied(task.commentedBase, [])
    case 'upstream-tests':
      return task.upstreamTests
        ? applied(task.upstreamTests, casesOf(task.upstreamTests, task.base, adapter))
        : nothing('no-cases', 'the task has no upstream tests')
    case 'empty-tests':
      return nothing('no-cases', 'this control brings no tests')
    case 'always-fail-tests': {
      const test = adapter.alwaysFailTest(task.base)
      const changes = toAppliedChanges([
        {
          change: 'write',
          path: test.path,
          mode: '100644',
          contentBase64: Buffer.from(test.text, 'utf8').toString('base64'),
        },
      ])
      return applied(changes, [{ file: test.path, case: test.name }])
    }
  }
}

/** What a control brings, in the form of a competitor's generation. Pure. */
export function controlGeneration(request: {
  readonly competitor: Competitor
  readonly kind: 'patch' | 'tests'
  readonly task: PreparedTask
  readonly adapter: LanguageAdapter
  readonly renderDiff: (base: RepoView, changes: AppliedChanges) => string
  readonly createdAt: string
}): Generation {
  const { competitor, kind, task } = request
  const control = controlOf(competitor)
  if (control === null) throw new Error(`${competitor.id} is no control`)
  const { digest } = task.loaded
  return {
    id: digestOfValue({ task: digest, control, kind }),
    task: digest as Generation['task'],
    taskId: task.loaded.task.id,
    competitor: competitor.id,
    kind,
    parent: null,
    repeat: 0,
    promptVersion: 'control',
    prompt: '',
    calls: [],
    outcome: outcomeOf(control, task, request.adapter, request.renderDiff),
    createdAt: request.createdAt,
  }
}
