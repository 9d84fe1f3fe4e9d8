import type { CellRun } from '../../src/schema/ci-run.ts'
import type { CellView } from '../../src/schema/view.ts'
import { duration, plural, shortId } from './format.ts'
import { countOutcomes, outcomesText } from './test-counts.ts'
import { TestsLeg } from './tests-leg.tsx'
import { oneLine } from './visible.ts'
import { WorkflowLeg } from './workflow-leg.tsx'

/** What a closed cell says: its legs, or its cases. */
function gist(run: CellRun): string {
  if (run.kind === 'workflow')
    return `${plural(run.legs.length, 'leg')}: ${outcomesText(countOutcomes(run.legs.map(({ status }) => status)))}`
  const outcomes = run.legs.flatMap(({ files }) =>
    files.flatMap(({ cases }) => cases.map(({ outcome }) => outcome)),
  )
  return outcomes.length === 0 ? 'no case ran' : outcomesText(countOutcomes(outcomes))
}

const legsOf = (run: CellRun) =>
  run.kind === 'workflow'
    ? run.legs.map((leg) => <WorkflowLeg key={leg.leg} leg={leg} />)
    : run.legs.map((leg) => <TestsLeg key={leg.leg} leg={leg} />)

/** One cell of the round: a run on a tree, folded. */
export function Cell({ cell }: { readonly cell: CellView }) {
  const { role, key, run } = cell
  return (
    <details class="cell">
      <summary>
        <b>{oneLine(role, 80)}</b> <span>{run === null ? 'no longer kept' : gist(run)}</span>{' '}
        <span class="n">{run === null ? '' : duration(cell.durationMs)}</span>
      </summary>
      <p class="note">
        Cell <code>{shortId(key)}</code>
        {run !== null && (
          <>
            {' '}
            on tree <code>{shortId(run.tree)}</code>
          </>
        )}
        {cell.environment !== '' && (
          <>
            {' '}
            in environment <code>{shortId(cell.environment)}</code>
          </>
        )}
      </p>
      {run === null ? <p>This run was cleaned up; the verdict that it gave stands.</p> : legsOf(run)}
    </details>
  )
}
