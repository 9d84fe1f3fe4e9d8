import { isValueList, isValueMap, textOf, type Value, type ValueMap } from './values.ts'

/** GitHub cuts a job's display name at this length. */
const NAME_LENGTH = 100

/** `test (3.11, release)`: the job's name with the leaves of its matrix values; a name that names the matrix stands alone. */
export function legName(name: string, namesMatrix: boolean, matrix: ValueMap): string {
  const segments = namesMatrix ? [] : leaves(matrix).filter((text) => text !== '')
  const whole = segments.length > 0 ? `${name} (${segments.join(', ')})` : name
  return whole.length > NAME_LENGTH ? `${whole.slice(0, NAME_LENGTH - 3)}...` : whole
}

function leaves(value: Value): string[] {
  if (isValueList(value)) return value.flatMap(leaves)
  if (isValueMap(value)) return Object.values(value).flatMap(leaves)
  return [textOf(value)]
}

/** The names made unique, since results are kept by them: the second `build` becomes `build #2`. */
export function uniqueNames(names: readonly string[]): string[] {
  const seen = new Map<string, number>()
  return names.map((name) => {
    const count = (seen.get(name) ?? 0) + 1
    seen.set(name, count)
    return count === 1 ? name : `${name} #${count}`
  })
}
