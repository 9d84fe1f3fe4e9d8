/** An answer about results of which infrastructure may have broken some: `unknown` could be either. */
export type Tri = 'yes' | 'no' | 'unknown'

export const toTri = (value: boolean): Tri => (value ? 'yes' : 'no')

/** `no` wins over `unknown`: one broken condition is enough, whatever the unknown ones are. */
export function allOf(values: Iterable<Tri>): Tri {
  let result: Tri = 'yes'
  for (const value of values) {
    if (value === 'no') return 'no'
    if (value === 'unknown') result = 'unknown'
  }
  return result
}

/** The truth values that an answer can still take. */
export const valuesOf = (value: Tri): readonly boolean[] =>
  value === 'unknown' ? [true, false] : [value === 'yes']
