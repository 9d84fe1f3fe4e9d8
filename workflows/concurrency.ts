import type { Scope } from './expressions.ts'
import { evaluateToken, type Token } from './token.ts'
import { isValueMap, textOf } from './values.ts'

/** Runs of one group follow each other on GitHub; here each run stands alone, so it is only told. */
export interface Concurrency {
  readonly group: string
  readonly cancelInProgress: boolean
}

/** `concurrency` of a workflow or a job: a group's name, or a mapping. */
export function concurrencyOf(token: Token | undefined, scope: Scope): Concurrency | null {
  if (!token) return null
  const value = evaluateToken(token, scope)
  const written = isValueMap(value) ? value : { group: value }
  return {
    group: textOf(written.group),
    cancelInProgress: textOf(written['cancel-in-progress']) === 'true',
  }
}
