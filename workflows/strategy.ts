import { WorkflowError } from './errors.ts'
import type { Scope } from './expressions.ts'
import { expandMatrix } from './matrix.ts'
import type { JobDefinition } from './parse.ts'
import { flag } from './resolve-step.ts'
import { evaluateText, evaluateToken, find } from './token.ts'
import { isValueMap, type ValueMap } from './values.ts'

/** GitHub refuses a matrix with more combinations. */
const MATRIX_LEGS = 256

export interface Strategy {
  /** Whether the first failing leg ends the others. */
  readonly failFast: boolean
  /** Legs at once; null for as many as there are machines. */
  readonly maxParallel: number | null
  /** The matrix's combinations; one empty one where there is no matrix. */
  readonly combinations: readonly ValueMap[]
}

/** Throws WorkflowError for a matrix without a combination, or with too many. */
export function strategyOf(job: JobDefinition, scope: Scope): Strategy {
  const failFast = find(job.strategy, 'fail-fast')
  const maxParallel = Number(evaluateText(find(job.strategy, 'max-parallel'), scope) ?? 0)
  return {
    failFast: failFast === undefined || flag(failFast, scope),
    maxParallel: maxParallel > 0 ? maxParallel : null,
    combinations: find(job.strategy, 'matrix') ? combinationsOf(job, scope) : [{}],
  }
}

/** The scope of one leg: its `matrix` and `strategy` contexts. */
export function legScope(scope: Scope, strategy: Strategy, index: number): Scope {
  const total = strategy.combinations.length
  const context: ValueMap = {
    'fail-fast': strategy.failFast,
    'job-index': index,
    'job-total': total,
    'max-parallel': strategy.maxParallel ?? total,
  }
  const matrix = strategy.combinations[index] ?? {}
  // The needs are behind it: from here on success() speaks of the job's own steps.
  return { ...scope, status: 'success', contexts: { ...scope.contexts, matrix, strategy: context } }
}

function combinationsOf(job: JobDefinition, scope: Scope): readonly ValueMap[] {
  const token = find(job.strategy, 'matrix')
  const place = { place: scope.path, line: token?.line ?? job.line }
  const value = token ? evaluateToken(token, scope) : {}
  const combinations = isValueMap(value) ? expandMatrix(value) : []
  if (combinations.length === 0) throw new WorkflowError('the matrix has no combination', place)
  if (combinations.length > MATRIX_LEGS) {
    const message = `the matrix has ${combinations.length} combinations, at most ${MATRIX_LEGS} are allowed`
    throw new WorkflowError(message, place)
  }
  return combinations
}
