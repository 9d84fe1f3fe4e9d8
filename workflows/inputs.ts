import { WorkflowError } from './errors.ts'
import type { Scope } from './expressions.ts'
import { entries, evaluateToken, find, sourceOf, type Token } from './token.ts'
import { isValueMap, textOf, type Value, type ValueMap } from './values.ts'

/** What is given for `inputs`, by name, and where that stands. */
export interface GivenInputs {
  readonly values: ValueMap
  readonly place: { readonly place: string; readonly line?: number }
}

/**
 * The `inputs` context of a called or dispatched workflow, or of an action: what is given, else the default, else the empty
 * value of the type. Texts become what `type` says. Throws WorkflowError for one that is required and not given or, where
 * `isStrict`, for one that is not declared.
 */
export function inputsOf(
  declared: Token | undefined,
  given: GivenInputs,
  scope: Scope,
  isStrict: boolean,
): ValueMap {
  const names = entries(declared).map(([name]) => name.toLowerCase())
  const stray = Object.keys(given.values).find((name) => !names.includes(name.toLowerCase()))
  if (isStrict && stray !== undefined)
    throw new WorkflowError(`input '${stray}' is not declared by what is called`, given.place)
  const lower = new Map(Object.entries(given.values).map(([name, value]) => [name.toLowerCase(), value]))
  return Object.fromEntries(
    entries(declared).map(([name, input]) => {
      const type = sourceOf(find(input, 'type')) ?? 'string'
      const value = lower.get(name.toLowerCase())
      if (value !== undefined) return [name, typed(value, type)]
      const fallback = find(input, 'default')
      if (fallback) return [name, typed(evaluateToken(fallback, scope), type)]
      if (isStrict && sourceOf(find(input, 'required')) === 'true')
        throw new WorkflowError(`input '${name}' is required and not given`, given.place)
      return [name, typed('', type)]
    }),
  )
}

function typed(value: Value, type: string): Value {
  if (type === 'boolean') return value === true || value === 'true'
  if (type === 'number') return Number(textOf(value))
  return isValueMap(value) || Array.isArray(value) ? value : textOf(value)
}
