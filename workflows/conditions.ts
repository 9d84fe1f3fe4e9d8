import { isBasicExpression } from '@actions/workflow-parser'
import { ensureStatusFunction } from '@actions/workflow-parser/model/converter/if-condition'
import { messageOf } from '../src/errors.ts'
import { WorkflowError } from './errors.ts'
import { evaluateExpression, isTruthy, type Scope } from './expressions.ts'
import { sourceOf, type Token } from './token.ts'

/** The expression of an `if`: with or without `${{ }}`, and with `success() &&` before it unless it asks for a status itself. */
export function conditionOf(token: Token | undefined): string {
  if (!token) return 'success()'
  const written = isBasicExpression(token) ? token.expression : (sourceOf(token) ?? '').trim()
  return written === '' ? 'success()' : ensureStatusFunction(written, token.definitionInfo)
}

/** Whether the job or step runs. Throws WorkflowError when the condition cannot be evaluated. */
export function evaluateCondition(token: Token | undefined, scope: Scope): boolean {
  const condition = conditionOf(token)
  try {
    return isTruthy(evaluateExpression(condition, scope))
  } catch (cause) {
    throw new WorkflowError(`cannot evaluate if '${condition}': ${messageOf(cause)}`, {
      place: scope.path,
      ...(token?.line === undefined ? {} : { line: token.line }),
      cause,
    })
  }
}
