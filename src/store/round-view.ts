import { EnvironmentError } from '../errors.ts'
import type { Round, RoundCells } from '../schema/match.ts'
import type { CellView, RoundView } from '../schema/view.ts'
import type { Cells, Competitors, Generations, Tasks } from './store.ts'

export interface RoundParts {
  readonly cells: Cells
  readonly tasks: Tasks
  readonly competitors: Competitors
  readonly generations: Generations
}

/** Gathers what a round refers to. Cells may have been cleaned up; its task and its generations may not. */
export async function roundView(round: Round, parts: RoundParts): Promise<RoundView> {
  const roles = cellsInPageOrder(round.cells)
  const [task, patch, tests, submitter, reviewer, cells] = await Promise.all([
    parts.tasks.find(round.task).then((found) => orThrow(found, 'tasks', round.task)),
    parts.generations.find(round.patch).then((found) => orThrow(found, 'generations', round.patch)),
    round.tests === null
      ? null
      : parts.generations
          .find(round.tests)
          .then((found) => orThrow(found, 'generations', String(round.tests))),
    parts.competitors.find(round.submitter),
    parts.competitors.find(round.reviewer),
    parts.cells.findMany(roles.map(({ key }) => key)),
  ])
  return {
    round,
    task: {
      id: task.document.id,
      language: task.document.language,
      repository: task.document.repository.name,
      baseCommit: task.document.baseCommit,
      issue: task.issue,
    },
    submitterLabel: submitter?.label ?? round.submitter,
    reviewerLabel: reviewer?.label ?? round.reviewer,
    patch,
    tests,
    cells: roles.map(({ role, key }): CellView => {
      const cell = cells.get(key)
      return {
        role,
        key,
        run: cell?.run ?? null,
        durationMs: cell?.durationMs ?? 0,
        environment: cell?.environment ?? '',
      }
    }),
  }
}

interface CellRole {
  readonly role: string
  readonly key: string
}

function cellsInPageOrder(cells: RoundCells): readonly CellRole[] {
  const roles: readonly (readonly [string, string | null])[] = [
    ['base', cells.base],
    ['golden', cells.golden],
    ['patch', cells.patch],
    ['tests on base', cells.testsOnBase],
    ['tests on commented base', cells.testsOnCommentedBase],
    ...cells.testsOnGolden.map((key, index) => [`tests on golden, run ${index + 1}`, key] as const),
    ['tests on patch', cells.testsOnPatch],
    ['lint on golden', cells.lintOnGolden],
    ['upstream tests on patch', cells.oracle],
  ]
  return roles.flatMap(([role, key]) => (key === null ? [] : [{ role, key }]))
}

function orThrow<Found>(found: Found | undefined, table: string, key: string): Found {
  if (found !== undefined) return found
  throw new EnvironmentError('the row is missing, though a round refers to it', {
    place: `table ${table}, key ${key}`,
    remedy: 'restore the database from a backup',
  })
}
