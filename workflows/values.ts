/** What an expression or a YAML node is worth: JSON. */
export type Value = null | boolean | number | string | readonly Value[] | { readonly [key: string]: Value }

export type ValueMap = { readonly [key: string]: Value }

export const isValueMap = (value: Value | undefined): value is ValueMap =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

export const isValueList = (value: Value | undefined): value is readonly Value[] => Array.isArray(value)

/** GitHub's text form of a scalar: null is empty, numbers as JavaScript writes them, objects have no text. */
export function textOf(value: Value | undefined): string {
  if (value === undefined || value === null) return ''
  if (typeof value === 'object') return Array.isArray(value) ? 'Array' : 'Object'
  return String(value)
}
